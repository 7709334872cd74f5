// SPDX-License-Identifier: Apache-2.0
//
// The operations of Interop::Echo that return, exchange and give back: one contract, one line each. Stateless.
package peer;

import Interop.BinStruct;
import Interop.ByBoolean;
import Interop.ByChar;
import Interop.ByColour;
import Interop.ByLong;
import Interop.ByShort;
import Interop.ByULongLong;
import Interop.Callback;
import Interop.Colour;
import Interop.EchoServant;
import Interop.Mixed;
import Interop.Outer;
import Interop.Primitives;
import Interop.Single;
import Interop.Subscriber;
import Interop.Tree;
import java.math.BigDecimal;
import java.util.List;
import org.tenon.Holder;
import org.tenon.RemoteObject;

abstract class EchoExchanges extends EchoServant {
  @Override
  public boolean echo_boolean(boolean a, Holder<Boolean> b, Holder<Boolean> c) {
    return Exchange.serve(a, b, c);
  }

  @Override
  public byte echo_octet(byte a, Holder<Byte> b, Holder<Byte> c) {
    return Exchange.serve(a, b, c);
  }

  @Override
  public char echo_char(char a, Holder<Character> b, Holder<Character> c) {
    return Exchange.serve(a, b, c);
  }

  @Override
  public char echo_wchar(char a, Holder<Character> b, Holder<Character> c) {
    return Exchange.serve(a, b, c);
  }

  @Override
  public short echo_short(short a, Holder<Short> b, Holder<Short> c) {
    return Exchange.serve(a, b, c);
  }

  @Override
  public short echo_ushort(short a, Holder<Short> b, Holder<Short> c) {
    return Exchange.serve(a, b, c);
  }

  @Override
  public int echo_long(int a, Holder<Integer> b, Holder<Integer> c) {
    return Exchange.serve(a, b, c);
  }

  @Override
  public int echo_ulong(int a, Holder<Integer> b, Holder<Integer> c) {
    return Exchange.serve(a, b, c);
  }

  @Override
  public long echo_longlong(long a, Holder<Long> b, Holder<Long> c) {
    return Exchange.serve(a, b, c);
  }

  @Override
  public long echo_ulonglong(long a, Holder<Long> b, Holder<Long> c) {
    return Exchange.serve(a, b, c);
  }

  @Override
  public float echo_float(float a, Holder<Float> b, Holder<Float> c) {
    return Exchange.serve(a, b, c);
  }

  @Override
  public double echo_double(double a, Holder<Double> b, Holder<Double> c) {
    return Exchange.serve(a, b, c);
  }

  @Override
  public BigDecimal echo_longdouble(BigDecimal a, Holder<BigDecimal> b, Holder<BigDecimal> c) {
    return Exchange.serve(a, b, c);
  }

  @Override
  public String echo_string(String a, Holder<String> b, Holder<String> c) {
    return Exchange.serve(a, b, c);
  }

  @Override
  public String echo_short_text(String a, Holder<String> b, Holder<String> c) {
    return Exchange.serve(a, b, c);
  }

  @Override
  public String echo_wstring(String a, Holder<String> b, Holder<String> c) {
    return Exchange.serve(a, b, c);
  }

  @Override
  public String echo_short_wide_text(String a, Holder<String> b, Holder<String> c) {
    return Exchange.serve(a, b, c);
  }

  @Override
  public BigDecimal echo_money(BigDecimal a, Holder<BigDecimal> b, Holder<BigDecimal> c) {
    return Exchange.serve(a, b, c);
  }

  @Override
  public BigDecimal echo_huge(BigDecimal a, Holder<BigDecimal> b, Holder<BigDecimal> c) {
    return Exchange.serve(a, b, c);
  }

  @Override
  public BigDecimal echo_fraction(BigDecimal a, Holder<BigDecimal> b, Holder<BigDecimal> c) {
    return Exchange.serve(a, b, c);
  }

  @Override
  public Colour echo_colour(Colour a, Holder<Colour> b, Holder<Colour> c) {
    return Exchange.serve(a, b, c);
  }

  @Override
  public Single echo_single(Single a, Holder<Single> b, Holder<Single> c) {
    return Exchange.serve(a, b, c);
  }

  @Override
  public BinStruct echo_bin(BinStruct a, Holder<BinStruct> b, Holder<BinStruct> c) {
    return Exchange.serve(a, b, c);
  }

  @Override
  public Primitives echo_primitives(Primitives a, Holder<Primitives> b, Holder<Primitives> c) {
    return Exchange.serve(a, b, c);
  }

  @Override
  public Mixed echo_mixed(Mixed a, Holder<Mixed> b, Holder<Mixed> c) {
    return Exchange.serve(a, b, c);
  }

  @Override
  public Outer echo_outer(Outer a, Holder<Outer> b, Holder<Outer> c) {
    return Exchange.serve(a, b, c);
  }

  @Override
  public Tree echo_tree(Tree a, Holder<Tree> b, Holder<Tree> c) {
    return Exchange.serve(a, b, c);
  }

  @Override
  public ByLong echo_by_long(ByLong a, Holder<ByLong> b, Holder<ByLong> c) {
    return Exchange.serve(a, b, c);
  }

  @Override
  public ByColour echo_by_colour(ByColour a, Holder<ByColour> b, Holder<ByColour> c) {
    return Exchange.serve(a, b, c);
  }

  @Override
  public ByBoolean echo_by_boolean(ByBoolean a, Holder<ByBoolean> b, Holder<ByBoolean> c) {
    return Exchange.serve(a, b, c);
  }

  @Override
  public ByChar echo_by_char(ByChar a, Holder<ByChar> b, Holder<ByChar> c) {
    return Exchange.serve(a, b, c);
  }

  @Override
  public ByULongLong echo_by_ulonglong(ByULongLong a, Holder<ByULongLong> b, Holder<ByULongLong> c) {
    return Exchange.serve(a, b, c);
  }

  @Override
  public ByShort echo_by_short(ByShort a, Holder<ByShort> b, Holder<ByShort> c) {
    return Exchange.serve(a, b, c);
  }

  @Override
  public int[] echo_row(int[] a, Holder<int[]> b, Holder<int[]> c) {
    return Exchange.serve(a, b, c);
  }

  @Override
  public double[][] echo_matrix(double[][] a, Holder<double[][]> b, Holder<double[][]> c) {
    return Exchange.serve(a, b, c);
  }

  @Override
  public String[] echo_names(String[] a, Holder<String[]> b, Holder<String[]> c) {
    return Exchange.serve(a, b, c);
  }

  @Override
  public BinStruct[] echo_bin_pair(BinStruct[] a, Holder<BinStruct[]> b, Holder<BinStruct[]> c) {
    return Exchange.serve(a, b, c);
  }

  @Override
  public short[] echo_short_seq(short[] a, Holder<short[]> b, Holder<short[]> c) {
    return Exchange.serve(a, b, c);
  }

  @Override
  public short[] echo_ushort_seq(short[] a, Holder<short[]> b, Holder<short[]> c) {
    return Exchange.serve(a, b, c);
  }

  @Override
  public int[] echo_long_seq(int[] a, Holder<int[]> b, Holder<int[]> c) {
    return Exchange.serve(a, b, c);
  }

  @Override
  public int[] echo_ulong_seq(int[] a, Holder<int[]> b, Holder<int[]> c) {
    return Exchange.serve(a, b, c);
  }

  @Override
  public long[] echo_longlong_seq(long[] a, Holder<long[]> b, Holder<long[]> c) {
    return Exchange.serve(a, b, c);
  }

  @Override
  public long[] echo_ulonglong_seq(long[] a, Holder<long[]> b, Holder<long[]> c) {
    return Exchange.serve(a, b, c);
  }

  @Override
  public float[] echo_float_seq(float[] a, Holder<float[]> b, Holder<float[]> c) {
    return Exchange.serve(a, b, c);
  }

  @Override
  public double[] echo_double_seq(double[] a, Holder<double[]> b, Holder<double[]> c) {
    return Exchange.serve(a, b, c);
  }

  @Override
  public char[] echo_char_seq(char[] a, Holder<char[]> b, Holder<char[]> c) {
    return Exchange.serve(a, b, c);
  }

  @Override
  public char[] echo_wchar_seq(char[] a, Holder<char[]> b, Holder<char[]> c) {
    return Exchange.serve(a, b, c);
  }

  @Override
  public byte[] echo_octet_seq(byte[] a, Holder<byte[]> b, Holder<byte[]> c) {
    return Exchange.serve(a, b, c);
  }

  @Override
  public boolean[] echo_boolean_seq(boolean[] a, Holder<boolean[]> b, Holder<boolean[]> c) {
    return Exchange.serve(a, b, c);
  }

  @Override
  public List<Colour> echo_colour_seq(List<Colour> a, Holder<List<Colour>> b, Holder<List<Colour>> c) {
    return Exchange.serve(a, b, c);
  }

  @Override
  public List<String> echo_string_seq(List<String> a, Holder<List<String>> b, Holder<List<String>> c) {
    return Exchange.serve(a, b, c);
  }

  @Override
  public List<String> echo_wstring_seq(List<String> a, Holder<List<String>> b, Holder<List<String>> c) {
    return Exchange.serve(a, b, c);
  }

  @Override
  public List<String> echo_short_text_seq(List<String> a, Holder<List<String>> b, Holder<List<String>> c) {
    return Exchange.serve(a, b, c);
  }

  @Override
  public List<BigDecimal> echo_money_seq(List<BigDecimal> a, Holder<List<BigDecimal>> b, Holder<List<BigDecimal>> c) {
    return Exchange.serve(a, b, c);
  }

  @Override
  public List<BinStruct> echo_bin_seq(List<BinStruct> a, Holder<List<BinStruct>> b, Holder<List<BinStruct>> c) {
    return Exchange.serve(a, b, c);
  }

  @Override
  public List<Mixed> echo_mixed_seq(List<Mixed> a, Holder<List<Mixed>> b, Holder<List<Mixed>> c) {
    return Exchange.serve(a, b, c);
  }

  @Override
  public List<ByLong> echo_by_long_seq(List<ByLong> a, Holder<List<ByLong>> b, Holder<List<ByLong>> c) {
    return Exchange.serve(a, b, c);
  }

  @Override
  public List<int[]> echo_row_seq(List<int[]> a, Holder<List<int[]>> b, Holder<List<int[]>> c) {
    return Exchange.serve(a, b, c);
  }

  @Override
  public List<int[]> echo_long_seq_seq(List<int[]> a, Holder<List<int[]>> b, Holder<List<int[]>> c) {
    return Exchange.serve(a, b, c);
  }

  @Override
  public List<byte[]> echo_blobs(List<byte[]> a, Holder<List<byte[]>> b, Holder<List<byte[]>> c) {
    return Exchange.serve(a, b, c);
  }

  @Override
  public int[] echo_four_longs(int[] a, Holder<int[]> b, Holder<int[]> c) {
    return Exchange.serve(a, b, c);
  }

  @Override
  public List<String> echo_two_strings(List<String> a, Holder<List<String>> b, Holder<List<String>> c) {
    return Exchange.serve(a, b, c);
  }

  @Override
  public List<BinStruct> echo_three_structs(List<BinStruct> a, Holder<List<BinStruct>> b, Holder<List<BinStruct>> c) {
    return Exchange.serve(a, b, c);
  }

  @Override
  public Callback echo_callback(Callback a, Holder<Callback> b, Holder<Callback> c) {
    return Exchange.serve(a, b, c);
  }

  @Override
  public RemoteObject echo_object(RemoteObject a, Holder<RemoteObject> b, Holder<RemoteObject> c) {
    return Exchange.serve(a, b, c);
  }

  @Override
  public List<Callback> echo_callback_seq(List<Callback> a, Holder<List<Callback>> b, Holder<List<Callback>> c) {
    return Exchange.serve(a, b, c);
  }

  @Override
  public Subscriber echo_subscriber(Subscriber a, Holder<Subscriber> b, Holder<Subscriber> c) {
    return Exchange.serve(a, b, c);
  }
}
