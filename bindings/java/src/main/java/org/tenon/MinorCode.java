// SPDX-License-Identifier: Apache-2.0
package org.tenon;

/**
 * Minor codes of the system exceptions that this package raises itself. The numbers are those of the engine, whose table says for all of
 * them what they mean.
 */
public final class MinorCode {
  static final int OMG = 0x4f4d0000;
  static final int TENON = 0x544e0000;

  // MARSHAL
  public static final int OUT_OF_DATA = TENON | 1;
  public static final int BAD_BOOLEAN = TENON | 2;
  public static final int LENGTH_BEYOND_DATA = TENON | 3;
  public static final int LENGTH_ABOVE_BOUND = TENON | 4;
  public static final int STRING_WITHOUT_NUL = TENON | 5;
  public static final int NUL_IN_STRING = TENON | 6;
  public static final int BAD_WIDE_TEXT = TENON | 7;
  public static final int BAD_FIXED = TENON | 8;
  public static final int BAD_ENCAPSULATION = TENON | 9;
  public static final int NESTED_TOO_DEEP = TENON | 10;
  public static final int VALUE_OUT_OF_RANGE = TENON | 140;
  public static final int DUPLICATE_KEY = TENON | 141;
  public static final int BAD_TYPECODE_KIND = TENON | 150;
  public static final int BAD_TYPECODE_PARAMETERS = TENON | 151;
  public static final int BAD_TYPECODE_INDIRECTION = TENON | 152;
  public static final int ENDLESS_TYPECODE = TENON | 153;
  public static final int BAD_VALUE_HEADER = TENON | 210;
  public static final int BAD_VALUE_INDIRECTION = TENON | 211;
  public static final int BAD_VALUE_END = TENON | 212;
  public static final int WRONG_VALUE_TYPE = TENON | 213;
  public static final int VALUE_IN_FRAGMENTS = TENON | 214;
  public static final int TOO_MUCH_SHARING = TENON | 215;
  public static final int END_TAG_TOO_DEEP = TENON | 218;
  public static final int NO_VALUE_FACTORY = OMG | 1;
  public static final int WCHAR_SENT_IN_GIOP_1_0 = OMG | 5;
  public static final int WCHAR_RETURNED_IN_GIOP_1_0 = OMG | 6;
  // BAD_PARAM
  public static final int VALUE_FACTORY_REGISTRATION = OMG | 1;
  public static final int WRONG_ABSTRACT_TYPE = OMG | 6;
  public static final int NUL_IN_ARGUMENT = TENON | 20;
  public static final int BAD_TYPECODE_ARGUMENT = TENON | 158;
  public static final int OVER_BOUND = TENON | 143;
  public static final int WCHAR_NOT_IN_CONTEXT = OMG | 23;
  public static final int BAD_CASE_LABEL = OMG | 34;
  // DATA_CONVERSION
  public static final int CHAR_NOT_IN_CODE_SET = OMG | 1;
  public static final int FIXED_OVERFLOW = TENON | 50;
  public static final int MALFORMED_CHARS = TENON | 53;
  // BAD_TYPECODE
  public static final int TYPECODE_BAD_KIND = TENON | 154;
  public static final int TYPECODE_BOUNDS = TENON | 155;
  public static final int TYPE_MISMATCH = TENON | 157;
  // others
  public static final int NO_VALUES_IN_ANY = TENON | 156; // NO_IMPLEMENT
  public static final int MESSAGE_ABOVE_LIMIT = TENON | 30; // IMP_LIMIT
  public static final int OUT_OF_MEMORY = TENON | 40; // NO_MEMORY
  public static final int WCHAR_NOT_SUPPORTED = OMG | 1; // INV_OBJREF
  public static final int CODE_SET_NOT_SUPPORTED = OMG | 2; // CODESET_INCOMPATIBLE
  public static final int UNKNOWN_OPERATION = OMG | 2; // BAD_OPERATION
  public static final int NOT_ACTIVATED = OMG | 1; // OBJECT_NOT_EXIST
  public static final int UNLISTED_USER_EXCEPTION = OMG | 1; // UNKNOWN
  public static final int FOREIGN_EXCEPTION = TENON | 115; // UNKNOWN

  private MinorCode() {}
}
