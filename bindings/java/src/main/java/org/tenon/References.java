// SPDX-License-Identifier: Apache-2.0
package org.tenon;

import java.nio.ByteOrder;

/**
 * Object references inside bodies. Between this package and an engine they are IORs (IOP::IOR) in CDR of the machine's byte order, which
 * begin at a multiple of 4: nothing in an IOR is aligned to more, so such octets are put anywhere as they are.
 */
final class References {
  private References() {}

  /** Null: the nil reference. */
  static byte[] read(CdrReader in) {
    byte[] id = octets(in);
    if (id.length != 0 && id[id.length - 1] != 0) throw in.fault(SystemException.Kind.MARSHAL, MinorCode.STRING_WITHOUT_NUL);
    int profiles = in.readLength(8, 0);
    if (profiles == 0 && id.length <= 1) return null;
    CdrWriter out = new CdrWriter();
    out.writeByteSequence(id, 0);
    out.writeInt(profiles);
    for (int i = 0; i < profiles; ++i) {
      out.writeInt(in.readInt());
      out.writeByteSequence(octets(in), 0);
    }
    byte[] ior = new byte[out.position()];
    out.buffer().get(0, ior);
    return ior;
  }

  private static byte[] octets(CdrReader in) {
    byte[] to = new byte[in.readLength(1, 0)];
    in.takeOctets(to, to.length);
    return to;
  }

  static void write(CdrWriter out, byte[] ior) {
    if (out.order() == ByteOrder.nativeOrder()) {
      out.block(4, 4, 0);
      out.putOctets(ior);
      return;
    }
    CdrReader in = new CdrReader(null);
    in.reset(java.nio.ByteBuffer.allocateDirect(ior.length).put(0, ior), 0, ior.length, ByteOrder.nativeOrder() == ByteOrder.LITTLE_ENDIAN,
        2, CodeSets.UTF_8, CodeSets.UTF_16, null);
    out.writeByteSequence(octets(in), 0);
    int profiles = in.readLength(8, 0);
    out.writeInt(profiles);
    for (int i = 0; i < profiles; ++i) {
      out.writeInt(in.readInt());
      out.writeByteSequence(octets(in), 0);
    }
  }
}
