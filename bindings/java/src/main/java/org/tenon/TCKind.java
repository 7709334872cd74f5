// SPDX-License-Identifier: Apache-2.0
package org.tenon;

/** The kinds of TypeCodes (CORBA 3.4 part 1 §8.11.1), by their numbers of the wire. */
public final class TCKind {
  public static final int tk_null = 0, tk_void = 1, tk_short = 2, tk_long = 3, tk_ushort = 4, tk_ulong = 5;
  public static final int tk_float = 6, tk_double = 7, tk_boolean = 8, tk_char = 9, tk_octet = 10, tk_any = 11;
  public static final int tk_TypeCode = 12, tk_Principal = 13, tk_objref = 14, tk_struct = 15, tk_union = 16;
  public static final int tk_enum = 17, tk_string = 18, tk_sequence = 19, tk_array = 20, tk_alias = 21;
  public static final int tk_except = 22, tk_longlong = 23, tk_ulonglong = 24, tk_longdouble = 25, tk_wchar = 26;
  public static final int tk_wstring = 27, tk_fixed = 28, tk_value = 29, tk_value_box = 30, tk_native = 31;
  public static final int tk_abstract_interface = 32, tk_local_interface = 33, tk_component = 34, tk_home = 35;
  public static final int tk_event = 36;

  private static final String[] NAMES = (
      "null void short long ushort ulong float double boolean char octet any TypeCode Principal objref struct "
      + "union enum string sequence array alias except longlong ulonglong longdouble wchar wstring fixed value "
      + "value_box native abstract_interface local_interface component home event").split(" ");
  static final int COUNT = tk_event + 1;

  private TCKind() {}

  /** "struct"; of a number that is none: the number. */
  public static String name(int kind) {
    return kind >= 0 && kind < COUNT ? NAMES[kind] : Integer.toString(kind);
  }
}
