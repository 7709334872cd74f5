// SPDX-License-Identifier: Apache-2.0
package test;

import Constructs.Late;
import Constructs.Shifting;
import Constructs.Tail;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.util.List;
import org.tenon.Body;
import org.tenon.CdrReader;
import org.tenon.CdrTypes;
import org.tenon.CdrWriter;
import org.tenon.CodeSets;
import org.tenon.MinorCode;
import org.tenon.SystemException.Kind;

/** Octets that were written down by hand, and the limits of readers and writers. */
final class Wire {
  private Wire() {}

  static void run() {
    octets();
    text();
    segments();
    room();
    padding();
    layouts();
  }

  /** Structs of constant layout, wherever they begin, against their members one by one. */
  private static void layouts() {
    for (int position = 0; position < 8; ++position) {
      for (int before = 0; before < 8; ++before) {
        CdrWriter members = writer(position, 2, CodeSets.UTF_8);
        CdrWriter blocks = writer(position, 2, CodeSets.UTF_8);
        for (int i = 0; i < before; ++i) members.writeByte((byte) 7);
        for (int i = 0; i < before; ++i) blocks.writeByte((byte) 7);
        List<Late> lates = List.of(new Late((byte) 1, 2), new Late((byte) 3, 4), new Late((byte) 5, 6));
        List<Shifting> shifts = List.of(new Shifting((short) 1, 2, (byte) 3), new Shifting((short) 4, 5, (byte) 6));
        List<Tail> tails = List.of(new Tail(1, (short) 2), new Tail(3, (short) 4));
        members.writeInt(3);
        for (Late one : lates) late(members, one);
        Late.writeSequence(blocks, lates, 0);
        members.writeInt(2);
        for (Shifting one : shifts) shifting(members, one);
        blocks.writeInt(2);
        for (Shifting one : shifts) one.write(blocks);
        members.writeInt(2);
        for (Tail one : tails) tail(members, one);
        Tail.writeSequence(blocks, tails, 0);
        late(members, lates.get(0));
        lates.get(0).write(blocks);
        Check.equal(hex(members), hex(blocks));
        CdrReader in = new CdrReader(null).reset(blocks.buffer(), position, blocks.position(), false, 2, CodeSets.UTF_8, CodeSets.UTF_16, null);
        in.readByteArray(before);
        Check.equal(lates, Late.readSequence(in, 0));
        Check.equal(2, in.readInt());
        for (Shifting one : shifts) Check.equal(one, Shifting.read(in));
        Check.equal(tails, Tail.readSequence(in, 0));
        Check.equal(lates.get(0), Late.read(in));
        Check.equal(0, in.left());
      }
    }
  }

  private static void late(CdrWriter out, Late one) {
    out.writeByte(one.o());
    out.writeDouble(one.d());
  }

  private static void shifting(CdrWriter out, Shifting one) {
    out.writeShort(one.s());
    out.writeInt(one.l());
    out.writeByte(one.o());
  }

  private static void tail(CdrWriter out, Tail one) {
    out.writeDouble(one.d());
    out.writeShort(one.s());
  }

  /** Octets that only align are zero, whatever was there before. */
  private static void padding() {
    byte[] old = new byte[20000];
    java.util.Arrays.fill(old, (byte) 0xff);
    for (int position = 0; position < 8; ++position) {
      CdrWriter clean = writer(position, 2, CodeSets.UTF_8);
      CdrWriter used = writer(0, 2, CodeSets.UTF_8);
      used.writeByteSequence(old, 0);
      used.reset(position, false, 2, CodeSets.UTF_8, CodeSets.UTF_16);
      Samples.variable(3).write(clean);
      Samples.variable(3).write(used);
      Samples.arrays().write(clean);
      Samples.arrays().write(used);
      clean.writeReference(null);
      used.writeReference(null);
      Check.equal(hex(clean), hex(used));
    }
  }

  static CdrReader reader(int minor, int chars, int position, int... octets) {
    ByteBuffer buffer = ByteBuffer.allocateDirect(position + octets.length);
    for (int i = 0; i < octets.length; ++i) buffer.put(position + i, (byte) octets[i]);
    return new CdrReader(null).reset(buffer, position, position + octets.length, false, minor, chars, CodeSets.UTF_16, null);
  }

  private static String hex(CdrWriter out) {
    StringBuilder text = new StringBuilder();
    for (int i = out.start(); i < out.position(); ++i) text.append(String.format("%02x", out.buffer().get(i)));
    return text.toString();
  }

  private static CdrWriter writer(int position, int minor, int chars) {
    return new CdrWriter().reset(position, false, minor, chars, CodeSets.UTF_16);
  }

  private static void octets() {
    CdrWriter out = writer(0, 2, CodeSets.UTF_8);
    out.writeByte((byte) 1);
    out.writeShort((short) 0x0203);
    out.writeBoolean(true);
    out.writeLong(0x0405060708090a0bL);
    out.writeString("ab", 0);
    out.writeWString("\u20ac", 0);
    out.writeFixed(new java.math.BigDecimal("-1.5"), 4, 2);
    Check.equal("01000203010000000405060708090a0b00000003616200000000000220ac00150d", hex(out));
    out = writer(3, 1, CodeSets.UTF_8);
    out.writeInt(1);
    out.writeWString("a", 0);
    Check.equal("000000000100000002" + "00610000", hex(out));
    CdrReader in = reader(2, CodeSets.UTF_8, 0, 0x01, 0x02);
    in.readByte();
    Check.raises(Kind.MARSHAL, MinorCode.OUT_OF_DATA, in::readShort);
    Check.raises(Kind.MARSHAL, MinorCode.BAD_BOOLEAN, in::readBoolean);
    Check.raises(Kind.MARSHAL, MinorCode.LENGTH_BEYOND_DATA,
        () -> reader(2, CodeSets.UTF_8, 0, 0x7f, 0xff, 0xff, 0xff, 0).readLongSequence(0));
    Check.raises(Kind.MARSHAL, MinorCode.LENGTH_BEYOND_DATA,
        () -> reader(2, CodeSets.UTF_8, 0, 0xff, 0xff, 0xff, 0xff, 0).readByteSequence(0));
    Check.raises(Kind.MARSHAL, MinorCode.LENGTH_ABOVE_BOUND,
        () -> reader(2, CodeSets.UTF_8, 0, 0, 0, 0, 2, 1, 1).readByteSequence(1));
    Check.raises(Kind.MARSHAL, MinorCode.DUPLICATE_KEY,
        () -> reader(2, CodeSets.UTF_8, 0, 0, 0, 0, 2, 5, 1, 5, 2).readMap(CdrTypes.BYTE, CdrTypes.BYTE, 2, 0));
    // An array that cannot be there takes no memory.
    Check.raises(Kind.MARSHAL, MinorCode.OUT_OF_DATA, () -> reader(2, CodeSets.UTF_8, 0, 1, 2).readShortArray(Integer.MAX_VALUE));
    Check.raises(Kind.MARSHAL, MinorCode.BAD_FIXED, () -> reader(2, CodeSets.UTF_8, 0, 0x15, 0x0e).readFixed(3, 1));
    Check.raises(Kind.MARSHAL, MinorCode.BAD_FIXED, () -> reader(2, CodeSets.UTF_8, 0, 0x1b, 0x0c).readFixed(3, 1));
    Check.raises(Kind.MARSHAL, MinorCode.BAD_FIXED, () -> reader(2, CodeSets.UTF_8, 0, 0x11, 0x0c).readFixed(2, 1));
    Check.equal(new java.math.BigDecimal("-1.50"), reader(2, CodeSets.UTF_8, 0, 0x00, 0x15, 0x0d).readFixed(4, 2));
  }

  private static void text() {
    Check.equal("\u00e9", reader(2, CodeSets.ISO_8859_1, 0, 0, 0, 0, 2, 0xe9, 0).readString(0));
    Check.equal("\u00e9", reader(2, CodeSets.UTF_8, 0, 0, 0, 0, 3, 0xc3, 0xa9, 0).readString(0));
    Check.equal("\u20ac", reader(2, 0x0001000f, 0, 0, 0, 0, 2, 0xa4, 0).readString(0)); // ISO 8859-15
    Check.equal('\u00e9', reader(2, CodeSets.ISO_8859_1, 0, 0xe9).readChar());
    Check.equal("\ufffd", reader(2, CodeSets.UTF_8, 0, 0, 0, 0, 4, 0xef, 0xbf, 0xbd, 0).readString(0));
    Check.equal("", reader(2, CodeSets.UTF_8, 0, 0, 0, 0, 0).readString(0));
    Check.raises(Kind.DATA_CONVERSION, MinorCode.MALFORMED_CHARS,
        () -> reader(2, CodeSets.UTF_8, 0, 0, 0, 0, 2, 0xe9, 0).readString(0));
    Check.raises(Kind.MARSHAL, MinorCode.STRING_WITHOUT_NUL, () -> reader(2, CodeSets.UTF_8, 0, 0, 0, 0, 1, 0x41).readString(0));
    Check.raises(Kind.MARSHAL, MinorCode.NUL_IN_STRING, () -> reader(2, CodeSets.UTF_8, 0, 0, 0, 0, 2, 0, 0).readString(0));
    Check.raises(Kind.MARSHAL, MinorCode.LENGTH_ABOVE_BOUND,
        () -> reader(2, CodeSets.UTF_8, 0, 0, 0, 0, 3, 0x41, 0x42, 0).readString(1));
    Check.raises(Kind.CODESET_INCOMPATIBLE, MinorCode.CODE_SET_NOT_SUPPORTED,
        () -> reader(2, 0x12345678, 0, 0, 0, 0, 2, 0xe9, 0).readString(0));
    Check.raises(Kind.MARSHAL, MinorCode.WCHAR_SENT_IN_GIOP_1_0, () -> reader(0, CodeSets.UTF_8, 0, 2, 0, 65).readWChar());
    Check.equal("\u20ac", reader(2, CodeSets.UTF_8, 0, 0, 0, 0, 4, 0xff, 0xfe, 0xac, 0x20).readWString(0));
    Check.equal("\u20ac", reader(2, CodeSets.UTF_8, 0, 0, 0, 0, 4, 0xfe, 0xff, 0x20, 0xac).readWString(0));
    Check.equal('\u20ac', reader(2, CodeSets.UTF_8, 0, 4, 0xff, 0xfe, 0xac, 0x20).readWChar());
    Check.raises(Kind.MARSHAL, MinorCode.BAD_WIDE_TEXT, () -> reader(2, CodeSets.UTF_8, 0, 0, 0, 0, 3, 0, 65, 0).readWString(0));
    Check.raises(Kind.DATA_CONVERSION, MinorCode.CHAR_NOT_IN_CODE_SET,
        () -> reader(2, CodeSets.UTF_8, 0, 0, 0, 0, 2, 0xd8, 0).readWString(0));
    CdrWriter out = writer(0, 2, CodeSets.ISO_8859_1);
    out.writeString("\u00e9", 0);
    Check.equal("00000002e900", hex(out));
    Check.raises(Kind.DATA_CONVERSION, MinorCode.CHAR_NOT_IN_CODE_SET, () -> writer(0, 2, CodeSets.ISO_8859_1).writeString("\u20ac", 0));
    Check.raises(Kind.DATA_CONVERSION, MinorCode.CHAR_NOT_IN_CODE_SET, () -> writer(0, 2, CodeSets.UTF_8).writeString("\ud800", 0));
  }

  /** A short, a long, a string and a long long, cut before each of the last three, each piece with an alignment of its own. */
  private static void segments() {
    int[] octets = {0, 1, 9, 9, 0, 0, 0, 2, 0, 0, 0, 3, 'a', 'b', 0, 0, 0, 0, 0, 0, 0, 0, 7};
    ByteBuffer buffer = ByteBuffer.allocateDirect(64);
    for (int i = 0; i < octets.length; ++i) buffer.put(4 + i, (byte) octets[i]);
    int[] restarts = {4, 4, 8, 0, 13, 4, 14, 7};
    CdrReader in = new CdrReader(null).reset(buffer, 4, 4 + octets.length, false, 1, CodeSets.UTF_8, CodeSets.UTF_16, restarts);
    Check.equal((short) 1, in.readShort());
    Check.equal(2, in.readInt());
    Check.equal("ab", in.readString(0));
    Check.equal(7L, in.readLong());
    Check.equal(0, in.left());
    // For lengths that were not in the message, cuts are nothing to stumble over.
    for (int cut = 0; cut < octets.length; ++cut) {
      int[] one = {cut, cut % 8};
      CdrReader any = new CdrReader(null).reset(buffer, 4, 4 + octets.length, false, 1, CodeSets.UTF_8, CodeSets.UTF_16, one);
      any.readByteArray(octets.length);
      Check.raises(Kind.MARSHAL, MinorCode.OUT_OF_DATA, any::readByte);
    }
  }

  private static void room() {
    CdrWriter out = new CdrWriter();
    Body format = new Body();
    out.reset(format).writeByteSequence(new byte[1 << 20], 0);
    Check.that(out.capacity() > 1 << 20, "room");
    for (int i = 0; i < 100; ++i) out.reset(format).writeInt(1);
    Check.equal(64 * 1024, out.capacity());
    Check.equal(ByteOrder.nativeOrder(), out.buffer().order());
  }
}
