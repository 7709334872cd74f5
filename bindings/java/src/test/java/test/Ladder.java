// SPDX-License-Identifier: Apache-2.0
package test;

import Constructs.*;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.util.ArrayList;
import java.util.List;
import java.util.function.IntFunction;
import org.tenon.Body;
import org.tenon.CdrReader;
import org.tenon.CdrWriter;

/**
 * How long it takes to decode and encode 32 KB of each type of the ladder, in microseconds per call: the median of 31 rounds, and the
 * least one. Rounds of all types take turns. Run by hand: {@code java -cp tenon.jar:test/classes test.Ladder [octets]}.
 */
public final class Ladder {
  private Ladder() {}

  private static final int ROUNDS = 31;

  private interface Way {
    Object read(CdrReader in);

    void write(CdrWriter out);
  }

  private static Object sink;

  private static <T> Way records(int octets, int size, IntFunction<T> make, java.util.function.Function<CdrReader, List<T>> read,
      java.util.function.BiConsumer<CdrWriter, List<T>> write) {
    List<T> values = new ArrayList<>();
    for (int i = 0; i < Math.max(1, octets / size); ++i) values.add(make.apply(i));
    return new Way() {
      @Override
      public Object read(CdrReader in) {
        return read.apply(in);
      }

      @Override
      public void write(CdrWriter out) {
        write.accept(out, values);
      }
    };
  }

  private static Way shorts(int octets) {
    short[] values = new short[octets / 2];
    for (int i = 0; i < values.length; ++i) values[i] = (short) i;
    return new Way() {
      @Override
      public Object read(CdrReader in) {
        return in.readShortSequence(0);
      }

      @Override
      public void write(CdrWriter out) {
        out.writeShortSequence(values, 0);
      }
    };
  }

  public static void main(String[] arguments) {
    int octets = arguments.length > 0 ? Integer.parseInt(arguments[0]) : 32 * 1024;
    boolean swapped = arguments.length > 1;
    Way[] ways = {shorts(octets),
        records(octets, 4, Samples::b, in -> StructB.readSequence(in, 0), (out, x) -> StructB.writeSequence(out, x, 0)),
        records(octets, 8, Samples::c, in -> StructC.readSequence(in, 0), (out, x) -> StructC.writeSequence(out, x, 0)),
        records(octets, 16, Samples::d, in -> StructD.readSequence(in, 0), (out, x) -> StructD.writeSequence(out, x, 0)),
        records(octets, 32, Samples::e, in -> StructE.readSequence(in, 0), (out, x) -> StructE.writeSequence(out, x, 0)),
        records(octets, 64, Samples::f, in -> StructF.readSequence(in, 0), (out, x) -> StructF.writeSequence(out, x, 0))};
    double[][][] times = new double[2][ways.length][ROUNDS];
    int calls = Math.max(20, (200 * 32 * 1024) / Math.max(octets, 1024));
    for (int round = -5; round < ROUNDS; ++round) {
      for (int i = 0; i < ways.length; ++i) {
        CdrWriter out = new CdrWriter();
        Body body = new Body();
        if (swapped) body.littleEndian = ByteOrder.nativeOrder() != ByteOrder.LITTLE_ENDIAN;
        long before = System.nanoTime();
        for (int call = 0; call < calls; ++call) ways[i].write(out.reset(body));
        double encode = (System.nanoTime() - before) / 1e3 / calls;
        body.buffer = ByteBuffer.allocateDirect(out.position()).put(0, out.buffer(), 0, out.position());
        body.end = out.position();
        CdrReader in = new CdrReader(null);
        before = System.nanoTime();
        for (int call = 0; call < calls; ++call) sink = ways[i].read(in.reset(body));
        double decode = (System.nanoTime() - before) / 1e3 / calls;
        if (round >= 0) times[0][i][round] = decode;
        if (round >= 0) times[1][i][round] = encode;
      }
    }
    for (int i = 0; i < ways.length; ++i) {
      java.util.Arrays.sort(times[0][i]);
      java.util.Arrays.sort(times[1][i]);
      System.out.printf("%c  decode %.2f (%.2f)  encode %.2f (%.2f) us%n", 'A' + i, times[0][i][ROUNDS / 2], times[0][i][0],
          times[1][i][ROUNDS / 2], times[1][i][0]);
    }
  }
}
