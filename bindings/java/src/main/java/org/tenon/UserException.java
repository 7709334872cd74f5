// SPDX-License-Identifier: Apache-2.0
package org.tenon;

/** The base of the classes that are generated for exceptions of IDL. */
public abstract class UserException extends Exception {
  private static final long serialVersionUID = 1;

  protected UserException() {}

  protected UserException(String message) {
    super(message);
  }

  /** The id, if the program gave no message. */
  @Override
  public String getMessage() {
    String message = super.getMessage();
    return message == null ? _id() : message;
  }

  /** The repository id of the exception. */
  public abstract String _id();

  /** Appends the members; the repository id is written by who frames the reply. */
  public abstract void write(CdrWriter out);
}
