// SPDX-License-Identifier: Apache-2.0
package org.tenon;

import java.nio.charset.Charset;
import java.nio.charset.StandardCharsets;

/** Code sets by their numbers in the OSF registry (CORBA 3.4 part 2 §7.10.5). */
public final class CodeSets {
  public static final int ISO_8859_1 = 0x00010001;
  public static final int ISO_646 = 0x00010020;
  public static final int UTF_8 = 0x05010001;
  public static final int UTF_16 = 0x00010109;
  public static final int UCS_2 = 0x00010100;

  private CodeSets() {}

  /** The character set of char data. Raises CODESET_INCOMPATIBLE for one that this VM does not have. */
  static Charset charset(int id, CompletionStatus completed) {
    switch (id) {
      case UTF_8:
        return StandardCharsets.UTF_8;
      case ISO_8859_1:
        return StandardCharsets.ISO_8859_1;
      case ISO_646:
        return StandardCharsets.US_ASCII;
      default:
        break;
    }
    String name = null;
    if (id > ISO_8859_1 && id <= 0x0001000f) name = "ISO-8859-" + (id - ISO_8859_1 + 1);
    if (id >= 0x100204e2 && id <= 0x100204ea) name = "windows-" + (id - 0x10020000);
    if (name == null || !Charset.isSupported(name)) throw unsupported(completed);
    return Charset.forName(name);
  }

  /** Raises unless 16-bit units of that set can be in a message of that version of GIOP. */
  static void requireWide(int id, int giopMinor, boolean writing, CompletionStatus completed) {
    if (giopMinor == 0) {
      boolean reply = completed == CompletionStatus.COMPLETED_YES;
      int minor = reply ? MinorCode.WCHAR_RETURNED_IN_GIOP_1_0 : MinorCode.WCHAR_SENT_IN_GIOP_1_0;
      throw new SystemException(SystemException.Kind.MARSHAL, minor, completed, null);
    }
    if (id == 0) {
      throw writing
          ? new SystemException(SystemException.Kind.INV_OBJREF, MinorCode.WCHAR_NOT_SUPPORTED, completed, null)
          : new SystemException(SystemException.Kind.BAD_PARAM, MinorCode.WCHAR_NOT_IN_CONTEXT, completed, null);
    }
    if (id != UTF_16 && (id < UCS_2 || id > UCS_2 + 2)) throw unsupported(completed);
  }

  private static SystemException unsupported(CompletionStatus completed) {
    return new SystemException(SystemException.Kind.CODESET_INCOMPATIBLE, MinorCode.CODE_SET_NOT_SUPPORTED, completed, null);
  }

  /** Whether surrogates come in pairs only, which UTF-16 asks for. */
  static boolean paired(CharSequence text) {
    for (int i = 0; i < text.length(); ++i) {
      char c = text.charAt(i);
      if (!Character.isSurrogate(c)) continue;
      if (!Character.isHighSurrogate(c) || ++i == text.length() || !Character.isLowSurrogate(text.charAt(i))) return false;
    }
    return true;
  }
}
