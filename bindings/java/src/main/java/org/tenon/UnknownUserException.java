// SPDX-License-Identifier: Apache-2.0
package org.tenon;

/** A user exception that the operation does not list, as a dynamic caller sees it; stubs raise UNKNOWN instead. */
public final class UnknownUserException extends UserException {
  private static final long serialVersionUID = 1;
  private final String id;

  public UnknownUserException(String id) {
    super(id);
    this.id = id;
  }

  @Override
  public String _id() {
    return id;
  }

  /** Its members are not known, so it cannot be sent: NO_IMPLEMENT. */
  @Override
  public void write(CdrWriter out) {
    throw new SystemException(SystemException.Kind.NO_IMPLEMENT, 0, CompletionStatus.COMPLETED_MAYBE, id);
  }
}
