// SPDX-License-Identifier: Apache-2.0
package org.tenon;

import java.math.BigDecimal;
import java.util.List;
import java.util.Map;

/** The types of IDL that have no class of their own, as elements of sequences and arrays. Immutable; any thread. */
public final class CdrTypes {
  private CdrTypes() {}

  /** Object references of any interface; null is nil. */
  public static final CdrType<RemoteObject> OBJECT = new CdrType<>() {
    @Override
    public RemoteObject read(CdrReader in) {
      return ObjectStub.read(in);
    }

    @Override
    public void write(CdrWriter out, RemoteObject value) {
      out.writeObject(value);
    }
  };

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
    };
  }

  public static CdrType<String> wstring(int bound) {
    return new CdrType<>() {
      @Override
      public String read(CdrReader in) {
        return in.readWString(bound);
      }

      @Override
      public void write(CdrWriter out, String value) {
        out.writeWString(value, bound);
      }
    };
  }

  public static CdrType<BigDecimal> fixed(int digits, int scale) {
    return new CdrType<>() {
      @Override
      public BigDecimal read(CdrReader in) {
        return in.readFixed(digits, scale);
      }

      @Override
      public void write(CdrWriter out, BigDecimal value) {
        out.writeFixed(value, digits, scale);
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
    };
  }

  public static CdrType<byte[]> byteSequence(int bound) {
    return new CdrType<>() {
      @Override
      public byte[] read(CdrReader in) {
        return in.readByteSequence(bound);
      }

      @Override
      public void write(CdrWriter out, byte[] value) {
        out.writeByteSequence(value, bound);
      }
    };
  }

  public static CdrType<boolean[]> booleanSequence(int bound) {
    return new CdrType<>() {
      @Override
      public boolean[] read(CdrReader in) {
        return in.readBooleanSequence(bound);
      }

      @Override
      public void write(CdrWriter out, boolean[] value) {
        out.writeBooleanSequence(value, bound);
      }
    };
  }

  public static CdrType<char[]> charSequence(int bound) {
    return new CdrType<>() {
      @Override
      public char[] read(CdrReader in) {
        return in.readCharSequence(bound);
      }

      @Override
      public void write(CdrWriter out, char[] value) {
        out.writeCharSequence(value, bound);
      }
    };
  }

  public static CdrType<char[]> wcharSequence(int bound) {
    return new CdrType<>() {
      @Override
      public char[] read(CdrReader in) {
        return in.readWCharSequence(bound);
      }

      @Override
      public void write(CdrWriter out, char[] value) {
        out.writeWCharSequence(value, bound);
      }
    };
  }

  public static CdrType<short[]> shortSequence(int bound) {
    return new CdrType<>() {
      @Override
      public short[] read(CdrReader in) {
        return in.readShortSequence(bound);
      }

      @Override
      public void write(CdrWriter out, short[] value) {
        out.writeShortSequence(value, bound);
      }
    };
  }

  public static CdrType<int[]> intSequence(int bound) {
    return new CdrType<>() {
      @Override
      public int[] read(CdrReader in) {
        return in.readIntSequence(bound);
      }

      @Override
      public void write(CdrWriter out, int[] value) {
        out.writeIntSequence(value, bound);
      }
    };
  }

  public static CdrType<long[]> longSequence(int bound) {
    return new CdrType<>() {
      @Override
      public long[] read(CdrReader in) {
        return in.readLongSequence(bound);
      }

      @Override
      public void write(CdrWriter out, long[] value) {
        out.writeLongSequence(value, bound);
      }
    };
  }

  public static CdrType<float[]> floatSequence(int bound) {
    return new CdrType<>() {
      @Override
      public float[] read(CdrReader in) {
        return in.readFloatSequence(bound);
      }

      @Override
      public void write(CdrWriter out, float[] value) {
        out.writeFloatSequence(value, bound);
      }
    };
  }

  public static CdrType<double[]> doubleSequence(int bound) {
    return new CdrType<>() {
      @Override
      public double[] read(CdrReader in) {
        return in.readDoubleSequence(bound);
      }

      @Override
      public void write(CdrWriter out, double[] value) {
        out.writeDoubleSequence(value, bound);
      }
    };
  }

  public static CdrType<byte[]> byteArray(int count) {
    return new CdrType<>() {
      @Override
      public byte[] read(CdrReader in) {
        return in.readByteArray(count);
      }

      @Override
      public void write(CdrWriter out, byte[] value) {
        out.writeByteArray(value, count);
      }
    };
  }

  public static CdrType<boolean[]> booleanArray(int count) {
    return new CdrType<>() {
      @Override
      public boolean[] read(CdrReader in) {
        return in.readBooleanArray(count);
      }

      @Override
      public void write(CdrWriter out, boolean[] value) {
        out.writeBooleanArray(value, count);
      }
    };
  }

  public static CdrType<char[]> charArray(int count) {
    return new CdrType<>() {
      @Override
      public char[] read(CdrReader in) {
        return in.readCharArray(count);
      }

      @Override
      public void write(CdrWriter out, char[] value) {
        out.writeCharArray(value, count);
      }
    };
  }

  public static CdrType<char[]> wcharArray(int count) {
    return new CdrType<>() {
      @Override
      public char[] read(CdrReader in) {
        return in.readWCharArray(count);
      }

      @Override
      public void write(CdrWriter out, char[] value) {
        out.writeWCharArray(value, count);
      }
    };
  }

  public static CdrType<short[]> shortArray(int count) {
    return new CdrType<>() {
      @Override
      public short[] read(CdrReader in) {
        return in.readShortArray(count);
      }

      @Override
      public void write(CdrWriter out, short[] value) {
        out.writeShortArray(value, count);
      }
    };
  }

  public static CdrType<int[]> intArray(int count) {
    return new CdrType<>() {
      @Override
      public int[] read(CdrReader in) {
        return in.readIntArray(count);
      }

      @Override
      public void write(CdrWriter out, int[] value) {
        out.writeIntArray(value, count);
      }
    };
  }

  public static CdrType<long[]> longArray(int count) {
    return new CdrType<>() {
      @Override
      public long[] read(CdrReader in) {
        return in.readLongArray(count);
      }

      @Override
      public void write(CdrWriter out, long[] value) {
        out.writeLongArray(value, count);
      }
    };
  }

  public static CdrType<float[]> floatArray(int count) {
    return new CdrType<>() {
      @Override
      public float[] read(CdrReader in) {
        return in.readFloatArray(count);
      }

      @Override
      public void write(CdrWriter out, float[] value) {
        out.writeFloatArray(value, count);
      }
    };
  }

  public static CdrType<double[]> doubleArray(int count) {
    return new CdrType<>() {
      @Override
      public double[] read(CdrReader in) {
        return in.readDoubleArray(count);
      }

      @Override
      public void write(CdrWriter out, double[] value) {
        out.writeDoubleArray(value, count);
      }
    };
  }

  public static final CdrType<Boolean> BOOLEAN = new CdrType<>() {
    @Override
    public Boolean read(CdrReader in) {
      return in.readBoolean();
    }

    @Override
    public void write(CdrWriter out, Boolean value) {
      out.writeBoolean(value);
    }
  };

  public static final CdrType<Character> CHAR = new CdrType<>() {
    @Override
    public Character read(CdrReader in) {
      return in.readChar();
    }

    @Override
    public void write(CdrWriter out, Character value) {
      out.writeChar(value);
    }
  };

  public static final CdrType<Character> WCHAR = new CdrType<>() {
    @Override
    public Character read(CdrReader in) {
      return in.readWChar();
    }

    @Override
    public void write(CdrWriter out, Character value) {
      out.writeWChar(value);
    }
  };

  public static final CdrType<Byte> BYTE = new CdrType<>() {
    @Override
    public Byte read(CdrReader in) {
      return in.readByte();
    }

    @Override
    public void write(CdrWriter out, Byte value) {
      out.writeByte(value);
    }
  };

  public static final CdrType<Short> SHORT = new CdrType<>() {
    @Override
    public Short read(CdrReader in) {
      return in.readShort();
    }

    @Override
    public void write(CdrWriter out, Short value) {
      out.writeShort(value);
    }
  };

  public static final CdrType<Integer> INT = new CdrType<>() {
    @Override
    public Integer read(CdrReader in) {
      return in.readInt();
    }

    @Override
    public void write(CdrWriter out, Integer value) {
      out.writeInt(value);
    }
  };

  public static final CdrType<Long> LONG = new CdrType<>() {
    @Override
    public Long read(CdrReader in) {
      return in.readLong();
    }

    @Override
    public void write(CdrWriter out, Long value) {
      out.writeLong(value);
    }
  };

  public static final CdrType<Float> FLOAT = new CdrType<>() {
    @Override
    public Float read(CdrReader in) {
      return in.readFloat();
    }

    @Override
    public void write(CdrWriter out, Float value) {
      out.writeFloat(value);
    }
  };

  public static final CdrType<Double> DOUBLE = new CdrType<>() {
    @Override
    public Double read(CdrReader in) {
      return in.readDouble();
    }

    @Override
    public void write(CdrWriter out, Double value) {
      out.writeDouble(value);
    }
  };

  public static final CdrType<BigDecimal> LONG_DOUBLE = new CdrType<>() {
    @Override
    public BigDecimal read(CdrReader in) {
      return in.readLongDouble();
    }

    @Override
    public void write(CdrWriter out, BigDecimal value) {
      out.writeLongDouble(value);
    }
  };

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
