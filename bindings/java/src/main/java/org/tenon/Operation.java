// SPDX-License-Identifier: Apache-2.0
package org.tenon;

/** An operation as stubs name it: one object per operation, made once. Immutable but for what an engine keeps with it; any thread. */
public final class Operation {
  private final String name;
  private final boolean oneway;
  private final boolean hasArguments;
  /** An engine's number for the name, or whatever else it keeps; written and read by the engine alone. */
  volatile Object interned;

  /** The name is that of the wire, such as "add" or "_get_model". */
  public Operation(String name, boolean oneway, boolean hasArguments) {
    this.name = name;
    this.oneway = oneway;
    this.hasArguments = hasArguments;
  }

  public String name() {
    return name;
  }

  public boolean oneway() {
    return oneway;
  }

  /** False: the request has no body. */
  public boolean hasArguments() {
    return hasArguments;
  }

  @Override
  public String toString() {
    return name;
  }
}
