// SPDX-License-Identifier: Apache-2.0
package org.tenon;

/**
 * A system exception (CORBA 3.4 part 1 §A). One class with a {@link Kind}, because callers sort them by kind in a switch, and because a
 * class for each would be a large part of the library.
 */
public final class SystemException extends RuntimeException {
  private static final long serialVersionUID = 1;

  /** The standard's system exceptions, in the order in which the engine numbers them, from 1. */
  public enum Kind {
    UNKNOWN, BAD_PARAM, NO_MEMORY, IMP_LIMIT, COMM_FAILURE, INV_OBJREF, NO_PERMISSION, INTERNAL, MARSHAL, INITIALIZE, NO_IMPLEMENT,
    BAD_TYPECODE, BAD_OPERATION, NO_RESOURCES, NO_RESPONSE, PERSIST_STORE, BAD_INV_ORDER, TRANSIENT, FREE_MEM, INV_IDENT, INV_FLAG,
    INTF_REPOS, BAD_CONTEXT, OBJ_ADAPTER, DATA_CONVERSION, OBJECT_NOT_EXIST, TRANSACTION_REQUIRED, TRANSACTION_ROLLEDBACK,
    INVALID_TRANSACTION, INV_POLICY, CODESET_INCOMPATIBLE, REBIND, TIMEOUT, TRANSACTION_UNAVAILABLE, TRANSACTION_MODE, BAD_QOS,
    INVALID_ACTIVITY, ACTIVITY_COMPLETED, ACTIVITY_REQUIRED, THREAD_CANCELLED;

    private static final Kind[] VALUES = values();

    /** By the engine's number; one that it does not have is UNKNOWN. */
    public static Kind of(int number) {
      return number >= 1 && number <= VALUES.length ? VALUES[number - 1] : UNKNOWN;
    }

    /** The engine's number. */
    public int number() {
      return ordinal() + 1;
    }

    public String repositoryId() {
      return "IDL:omg.org/CORBA/" + name() + ":1.0";
    }
  }

  private final Kind kind;
  private final int minor;
  private final CompletionStatus completed;
  private final String text;

  /** COMPLETED_NO, without a text. */
  public SystemException(Kind kind, int minor) {
    this(kind, minor, CompletionStatus.COMPLETED_NO, null);
  }

  /** The text is for people and does not travel; it may be null. */
  public SystemException(Kind kind, int minor, CompletionStatus completed, String text) {
    this(kind, minor, completed, text, null);
  }

  public SystemException(Kind kind, int minor, CompletionStatus completed, String text, Throwable cause) {
    super(cause);
    this.kind = kind;
    this.minor = minor;
    this.completed = completed;
    this.text = text;
  }

  public Kind kind() {
    return kind;
  }

  public int minor() {
    return minor;
  }

  public CompletionStatus completed() {
    return completed;
  }

  /** What more there is to say, or null. */
  public String text() {
    return text;
  }

  public String repositoryId() {
    return kind.repositoryId();
  }

  @Override
  public String getMessage() {
    if (text != null && text.startsWith(kind + " (minor ")) return text; // the engine's own says all
    String more = text == null && minor != 0 ? meaning() : text;
    return kind + " (minor 0x" + Integer.toHexString(minor) + ", " + completed + ")" + (more == null ? "" : ": " + more);
  }

  /** What the minor code means, or null. */
  private String meaning() {
    try {
      return Native.LIBRARY.meaning(kind.number(), minor);
    } catch (LinkageError e) {
      return null; // a program without the ORB, or whose library does not load
    }
  }

  /** A reference that leads to servers of different formats in turn. */
  static SystemException formatsNeverFit() {
    return new SystemException(Kind.TRANSIENT, 0, CompletionStatus.COMPLETED_NO,
        "the reference leads to servers that want other formats, again and again");
  }

  /** Of a union's branch: the discriminator selects another one. */
  public static SystemException badCaseLabel() {
    return new SystemException(Kind.BAD_PARAM, MinorCode.BAD_CASE_LABEL);
  }
}
