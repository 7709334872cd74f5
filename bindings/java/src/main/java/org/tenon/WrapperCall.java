// SPDX-License-Identifier: Apache-2.0
package org.tenon;

/**
 * An operation that stubs call over a wrapper where the object is in this process: its arguments and its result are numbers, which cross
 * the border one by one. Floats cross as their bits, booleans as 0 and 1, enums as their ordinals. Of generated code: one object per
 * operation, made once; any thread.
 */
public final class WrapperCall {
  private final String signature;
  private final boolean oneway;
  private final Stub.Results<?> raises;
  /** The native side's; it lives as long as the process. */
  private volatile long handle;

  /**
   * @param signature the name on the wire, and behind it the types as JNI has them, such as "add(IZ)D"; "e3;" is an enum of three
   * @param raises raises the user exception of an id, if the operation lists that; null: it lists none
   */
  public WrapperCall(String signature, boolean oneway, Stub.Results<?> raises) {
    this.signature = signature;
    this.oneway = oneway;
    this.raises = raises;
  }

  /** Calls it. Arguments that the operation does not have are ignored, and without a result it is 0. Raises what a stub does. */
  public long call(ObjectReference target, long a, long b, long c, long d, long e, long f) {
    return invoke(this, target, handle(), target.handle(), a, b, c, d, e, f);
  }

  private long handle() {
    if (handle == 0) make();
    return handle;
  }

  private synchronized void make() {
    if (handle == 0) handle = make(signature, oneway);
  }

  /** Raises what a reply with a user exception means. */
  SystemException raise(CdrReader in) throws UserException {
    String id = in.readString(0);
    if (raises != null) raises.read(in, id);
    return Stub._unlisted(id);
  }

  /** Whether calls over the reference stay in this process. */
  static native boolean isLocal(long reference);

  private static native long make(String signature, boolean oneway);

  // The reference is an argument beside its handle, so that it is there as long as the call.
  private static native long invoke(WrapperCall self, ObjectReference target, long handle, long reference, long a, long b, long c, long d,
      long e, long f);
}
