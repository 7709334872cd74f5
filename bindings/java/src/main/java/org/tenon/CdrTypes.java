// SPDX-License-Identifier: Apache-2.0
package org.tenon;

import static org.tenon.TCKind.*;

import java.math.BigDecimal;
import java.util.List;
import java.util.Map;

/**
 * The types of IDL that have no class of their own, as elements of sequences and arrays. Immutable; any thread. Their TypeCodes are those of
 * signed numbers.
 */
public final class CdrTypes {
  private CdrTypes() {}

  static final int SEQUENCE = 64, ARRAY = 128; // forms
  private static final int SCALE = 8; // of a fixed: the digits are above it

  // One class for all of these: a class each would be a tenth of the library.
  static final class Simple<T> implements CdrType<T> {
    private final int kind; // of an element: TCKind
    private final int form;
    private final int count; // or bound, or what a fixed has

    Simple(int kind, int form, int count) {
      this.kind = kind;
      this.form = form;
      this.count = count;
    }

    @Override
    @SuppressWarnings("unchecked")
    public T read(CdrReader in) {
      return (T) object(in);
    }

    private Object object(CdrReader in) {
      switch (form + kind) {
        case tk_boolean:
          return in.readBoolean();
        case SEQUENCE + tk_boolean:
          return in.readBooleanSequence(count);
        case ARRAY + tk_boolean:
          return in.readBooleanArray(count);
        case tk_char:
          return in.readChar();
        case SEQUENCE + tk_char:
          return in.readCharSequence(count);
        case ARRAY + tk_char:
          return in.readCharArray(count);
        case tk_wchar:
          return in.readWChar();
        case SEQUENCE + tk_wchar:
          return in.readWCharSequence(count);
        case ARRAY + tk_wchar:
          return in.readWCharArray(count);
        case tk_octet:
          return in.readByte();
        case SEQUENCE + tk_octet:
          return in.readByteSequence(count);
        case ARRAY + tk_octet:
          return in.readByteArray(count);
        case tk_short:
        case tk_ushort:
          return in.readShort();
        case SEQUENCE + tk_short:
        case SEQUENCE + tk_ushort:
          return in.readShortSequence(count);
        case ARRAY + tk_short:
        case ARRAY + tk_ushort:
          return in.readShortArray(count);
        case tk_long:
        case tk_ulong:
          return in.readInt();
        case SEQUENCE + tk_long:
        case SEQUENCE + tk_ulong:
          return in.readIntSequence(count);
        case ARRAY + tk_long:
        case ARRAY + tk_ulong:
          return in.readIntArray(count);
        case tk_longlong:
        case tk_ulonglong:
          return in.readLong();
        case SEQUENCE + tk_longlong:
        case SEQUENCE + tk_ulonglong:
          return in.readLongSequence(count);
        case ARRAY + tk_longlong:
        case ARRAY + tk_ulonglong:
          return in.readLongArray(count);
        case tk_float:
          return in.readFloat();
        case SEQUENCE + tk_float:
          return in.readFloatSequence(count);
        case ARRAY + tk_float:
          return in.readFloatArray(count);
        case tk_double:
          return in.readDouble();
        case SEQUENCE + tk_double:
          return in.readDoubleSequence(count);
        case ARRAY + tk_double:
          return in.readDoubleArray(count);
        case tk_longdouble:
          return in.readLongDouble();
        case tk_any:
          return Any.read(in);
        case tk_value:
          return in.readValue();
        case tk_objref:
          return ObjectStub.read(in);
        case tk_wstring:
          return in.readWString(count);
        case tk_fixed:
          return in.readFixed(count >> SCALE, count & (1 << SCALE) - 1);
        default:
          return TypeCode.read(in);
      }
    }

    @Override
    public void write(CdrWriter out, T value) {
      switch (form + kind) {
        case tk_boolean:
          out.writeBoolean((Boolean) value);
          break;
        case SEQUENCE + tk_boolean:
          out.writeBooleanSequence((boolean[]) value, count);
          break;
        case ARRAY + tk_boolean:
          out.writeBooleanArray((boolean[]) value, count);
          break;
        case tk_char:
          out.writeChar((Character) value);
          break;
        case SEQUENCE + tk_char:
          out.writeCharSequence((char[]) value, count);
          break;
        case ARRAY + tk_char:
          out.writeCharArray((char[]) value, count);
          break;
        case tk_wchar:
          out.writeWChar((Character) value);
          break;
        case SEQUENCE + tk_wchar:
          out.writeWCharSequence((char[]) value, count);
          break;
        case ARRAY + tk_wchar:
          out.writeWCharArray((char[]) value, count);
          break;
        case tk_octet:
          out.writeByte((Byte) value);
          break;
        case SEQUENCE + tk_octet:
          out.writeByteSequence((byte[]) value, count);
          break;
        case ARRAY + tk_octet:
          out.writeByteArray((byte[]) value, count);
          break;
        case tk_short:
        case tk_ushort:
          out.writeShort((Short) value);
          break;
        case SEQUENCE + tk_short:
        case SEQUENCE + tk_ushort:
          out.writeShortSequence((short[]) value, count);
          break;
        case ARRAY + tk_short:
        case ARRAY + tk_ushort:
          out.writeShortArray((short[]) value, count);
          break;
        case tk_long:
        case tk_ulong:
          out.writeInt((Integer) value);
          break;
        case SEQUENCE + tk_long:
        case SEQUENCE + tk_ulong:
          out.writeIntSequence((int[]) value, count);
          break;
        case ARRAY + tk_long:
        case ARRAY + tk_ulong:
          out.writeIntArray((int[]) value, count);
          break;
        case tk_longlong:
        case tk_ulonglong:
          out.writeLong((Long) value);
          break;
        case SEQUENCE + tk_longlong:
        case SEQUENCE + tk_ulonglong:
          out.writeLongSequence((long[]) value, count);
          break;
        case ARRAY + tk_longlong:
        case ARRAY + tk_ulonglong:
          out.writeLongArray((long[]) value, count);
          break;
        case tk_float:
          out.writeFloat((Float) value);
          break;
        case SEQUENCE + tk_float:
          out.writeFloatSequence((float[]) value, count);
          break;
        case ARRAY + tk_float:
          out.writeFloatArray((float[]) value, count);
          break;
        case tk_double:
          out.writeDouble((Double) value);
          break;
        case SEQUENCE + tk_double:
          out.writeDoubleSequence((double[]) value, count);
          break;
        case ARRAY + tk_double:
          out.writeDoubleArray((double[]) value, count);
          break;
        case tk_longdouble:
          out.writeLongDouble((BigDecimal) value);
          break;
        case tk_any:
          ((Any) value).write(out);
          break;
        case tk_value:
          out.writeValue((ValueBase) value);
          break;
        case tk_objref:
          out.writeObject((RemoteObject) value);
          break;
        case tk_wstring:
          out.writeWString((String) value, count);
          break;
        case tk_fixed:
          out.writeFixed((BigDecimal) value, count >> SCALE, count & (1 << SCALE) - 1);
          break;
        default:
          ((TypeCode) value).write(out);
          break;
      }
    }

    @Override
    public TypeCode typeCode() {
      if (kind == tk_wstring) return TypeCode.string(kind, count);
      if (kind == tk_fixed) return TypeCode.fixed(count >> SCALE, count & (1 << SCALE) - 1);
      if (kind == tk_objref) return TypeCode.of(kind, InterfaceInfo.OBJECT, "Object");
      if (kind == tk_value) return TypeCode.of(kind, "IDL:omg.org/CORBA/ValueBase:1.0", "ValueBase");
      TypeCode element = TypeCode.of(kind);
      return form == 0 ? element : form == SEQUENCE ? TypeCode.sequence(element, count) : TypeCode.array(element, count);
    }
  }

  public static final CdrType<Boolean> BOOLEAN = new Simple<>(tk_boolean, 0, 0);
  public static final CdrType<Character> CHAR = new Simple<>(tk_char, 0, 0);
  public static final CdrType<Character> WCHAR = new Simple<>(tk_wchar, 0, 0);
  public static final CdrType<Byte> BYTE = new Simple<>(tk_octet, 0, 0);
  public static final CdrType<Short> SHORT = new Simple<>(tk_short, 0, 0);
  public static final CdrType<Integer> INT = new Simple<>(tk_long, 0, 0);
  public static final CdrType<Long> LONG = new Simple<>(tk_longlong, 0, 0);
  public static final CdrType<Float> FLOAT = new Simple<>(tk_float, 0, 0);
  public static final CdrType<Double> DOUBLE = new Simple<>(tk_double, 0, 0);
  public static final CdrType<BigDecimal> LONG_DOUBLE = new Simple<>(tk_longdouble, 0, 0);
  public static final CdrType<Any> ANY = new Simple<>(tk_any, 0, 0);
  public static final CdrType<ValueBase> VALUE_BASE = new Simple<>(tk_value, 0, 0);
  public static final CdrType<TypeCode> TYPE_CODE = new Simple<>(tk_TypeCode, 0, 0);
  /** Object references of any interface; null is nil. */
  public static final CdrType<RemoteObject> OBJECT = new Simple<>(tk_objref, 0, 0);

  public static CdrType<String> wstring(int bound) {
    return new Simple<>(tk_wstring, 0, bound);
  }

  static int fixedCount(int digits, int scale) {
    return digits << SCALE | scale;
  }

  public static CdrType<BigDecimal> fixed(int digits, int scale) {
    return new Simple<>(tk_fixed, 0, fixedCount(digits, scale));
  }

  public static CdrType<boolean[]> booleanSequence(int bound) {
    return new Simple<>(tk_boolean, SEQUENCE, bound);
  }

  public static CdrType<char[]> charSequence(int bound) {
    return new Simple<>(tk_char, SEQUENCE, bound);
  }

  public static CdrType<char[]> wcharSequence(int bound) {
    return new Simple<>(tk_wchar, SEQUENCE, bound);
  }

  public static CdrType<byte[]> byteSequence(int bound) {
    return new Simple<>(tk_octet, SEQUENCE, bound);
  }

  public static CdrType<short[]> shortSequence(int bound) {
    return new Simple<>(tk_short, SEQUENCE, bound);
  }

  public static CdrType<int[]> intSequence(int bound) {
    return new Simple<>(tk_long, SEQUENCE, bound);
  }

  public static CdrType<long[]> longSequence(int bound) {
    return new Simple<>(tk_longlong, SEQUENCE, bound);
  }

  public static CdrType<float[]> floatSequence(int bound) {
    return new Simple<>(tk_float, SEQUENCE, bound);
  }

  public static CdrType<double[]> doubleSequence(int bound) {
    return new Simple<>(tk_double, SEQUENCE, bound);
  }

  public static CdrType<boolean[]> booleanArray(int count) {
    return new Simple<>(tk_boolean, ARRAY, count);
  }

  public static CdrType<char[]> charArray(int count) {
    return new Simple<>(tk_char, ARRAY, count);
  }

  public static CdrType<char[]> wcharArray(int count) {
    return new Simple<>(tk_wchar, ARRAY, count);
  }

  public static CdrType<byte[]> byteArray(int count) {
    return new Simple<>(tk_octet, ARRAY, count);
  }

  public static CdrType<short[]> shortArray(int count) {
    return new Simple<>(tk_short, ARRAY, count);
  }

  public static CdrType<int[]> intArray(int count) {
    return new Simple<>(tk_long, ARRAY, count);
  }

  public static CdrType<long[]> longArray(int count) {
    return new Simple<>(tk_longlong, ARRAY, count);
  }

  public static CdrType<float[]> floatArray(int count) {
    return new Simple<>(tk_float, ARRAY, count);
  }

  public static CdrType<double[]> doubleArray(int count) {
    return new Simple<>(tk_double, ARRAY, count);
  }

  public static CdrType<String> string(int bound) {
    return new CdrType<>() {
      @Override
      public String read(CdrReader in) {
        return in.readString(bound);
      }

      @Override
      public void write(CdrWriter out, String value) {
        out.writeString(value, bound);
      }

      @Override
      public TypeCode typeCode() {
        return TypeCode.string(tk_string, bound);
      }
    };
  }

  public static <T> CdrType<List<T>> sequence(CdrType<T> element, int smallest, int bound) {
    return new CdrType<>() {
      @Override
      public List<T> read(CdrReader in) {
        return in.readSequence(element, smallest, bound);
      }

      @Override
      public void write(CdrWriter out, List<T> value) {
        out.writeSequence(element, value, bound);
      }

      @Override
      public TypeCode typeCode() {
        return TypeCode.sequence(element.typeCode(), bound);
      }
    };
  }

  /** `none` is an array of that class without elements. */
  public static <T> CdrType<T[]> array(CdrType<T> element, int smallest, int count, T[] none) {
    return new CdrType<>() {
      @Override
      public T[] read(CdrReader in) {
        return in.readArray(element, smallest, count, none);
      }

      @Override
      public void write(CdrWriter out, T[] value) {
        out.writeArray(element, value, count);
      }

      @Override
      public TypeCode typeCode() {
        return TypeCode.array(element.typeCode(), count);
      }
    };
  }

  /** `smallest`: the least octets of a key and its value together. */
  public static <K, V> CdrType<Map<K, V>> map(CdrType<K> key, CdrType<V> value, int smallest, int bound) {
    return new CdrType<>() {
      @Override
      public Map<K, V> read(CdrReader in) {
        return in.readMap(key, value, smallest, bound);
      }

      @Override
      public void write(CdrWriter out, Map<K, V> values) {
        out.writeMap(key, value, values, bound);
      }
    };
  }
}
