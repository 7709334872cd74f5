// SPDX-License-Identifier: Apache-2.0
package org.tenon;

import java.nio.ByteBuffer;
import java.nio.ByteOrder;

/**
 * Where the octets of a request or reply lie and how they are encoded; where they are still to be written, how. An engine fills one for
 * each call and reuses it, hence the public fields. One thread at a time.
 *
 * <p>Readers change the buffer's byte order and position, so that an engine gives each thread a buffer object of its own, also where they
 * show the same memory. Its limit is at `end` or behind.
 */
public final class Body {
  /** Direct, and index 0 at an address that is a multiple of 8; alignment counts from there. Null where octets are still to be written. */
  public ByteBuffer buffer;
  /** Index of the first octet: 0 in GIOP 1.2, 0 to 7 before. */
  public int position;
  /** Index behind the last octet. */
  public int end;
  public boolean littleEndian = ByteOrder.nativeOrder() == ByteOrder.LITTLE_ENDIAN;
  /** 0, 1 or 2. */
  public int giopMinor = 2;
  /** Transmission code sets by their numbers in the OSF registry; 0: none was negotiated. */
  public int charSet = CodeSets.UTF_8;
  public int wcharSet = CodeSets.UTF_16;
  /** Where fragments of GIOP 1.1 restart alignment: pairs of an offset from the first octet and a phase. Null: nowhere. */
  public int[] segments;
  /** What an engine keeps with the call that the body belongs to; no one else looks at it. */
  Object kept;

  /** Whether octets mean the same in both, from the same position on. */
  boolean same(Body other) {
    return position == other.position && littleEndian == other.littleEndian && giopMinor == other.giopMinor && charSet == other.charSet
        && wcharSet == other.wcharSet;
  }
}
