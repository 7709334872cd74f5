// SPDX-License-Identifier: Apache-2.0
package org.tenon;

import java.util.Arrays;

/**
 * An object reference: a handle that an engine made, and that knows no types. Two are equal if their IORs are. Immutable; any thread. What
 * an engine has for a handle it frees when the garbage collector has taken the reference.
 */
public final class ObjectReference {
  private final Engine engine;
  private final long handle;
  private volatile byte[] ior;
  /** Of {@link #isNear}: 0 until it has been asked. */
  private byte near;
  /** What an engine has learnt of the object's server. */
  volatile Object kept;

  /** For engines: `handle` means something to them alone. */
  public ObjectReference(Engine engine, long handle) {
    this.engine = engine;
    this.handle = handle;
  }

  public Engine engine() {
    return engine;
  }

  public long handle() {
    return handle;
  }

  /** What the engine says of it, once: an object that is deactivated, or moves, is called by the same way as before. */
  boolean isNear() {
    if (near == 0) near = engine.isNear(this) ? (byte) 1 : 2;
    return near == 1;
  }

  byte[] ior() {
    byte[] octets = ior;
    if (octets == null) {
      octets = engine.ior(this);
      ior = octets;
    }
    return octets;
  }

  @Override
  public boolean equals(Object other) {
    return this == other || other instanceof ObjectReference that && Arrays.equals(ior(), that.ior());
  }

  @Override
  public int hashCode() {
    return Arrays.hashCode(ior());
  }

  /** As text, such as "IOR:...", for any process. Raises a {@link SystemException} once its ORB has been destroyed. */
  public String toText() {
    return engine.toText(this);
  }

  /** As {@link #toText()}, but for people: it always says something. */
  @Override
  public String toString() {
    try {
      return toText();
    } catch (SystemException e) {
      return "an object reference whose text is not to be had: " + e.kind();
    }
  }
}
