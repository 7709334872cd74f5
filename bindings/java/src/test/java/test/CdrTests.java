// SPDX-License-Identifier: Apache-2.0
package test;

import Constructs.*;
import java.math.BigDecimal;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import org.tenon.CdrTypes;
import org.tenon.CdrWriter;
import org.tenon.Holder;
import org.tenon.LoopBack;
import org.tenon.MinorCode;
import org.tenon.ObjectReference;
import org.tenon.RemoteObject;
import org.tenon.Servant;
import org.tenon.SystemException.Kind;
import org.tenon.SystemException;
import org.tenon.ValueFactory;

/** Calls of every construct over the engine that loops back, in both byte orders and all versions of GIOP. */
public final class CdrTests {
  private CdrTests() {}

  /** How servants become objects: by one engine, or by a server whose objects a client's references lead to. */
  interface Way {
    ObjectReference activate(Servant servant);

    void deactivate(Servant servant);

    /** For values that come to servants and to clients. */
    void register(String id, ValueFactory factory);

    static Way of(LoopBack engine) {
      return new Way() {
        @Override
        public ObjectReference activate(Servant servant) {
          return engine.activate(servant);
        }

        @Override
        public void deactivate(Servant servant) {
          engine.deactivate(servant);
        }

        @Override
        public void register(String id, ValueFactory factory) {
          engine.valueFactories.put(id, factory);
        }
      };
    }
  }

  public static void main(String[] arguments) throws Exception {
    for (boolean little : new boolean[] {true, false}) {
      for (int minor = 2; minor > 0; --minor) {
        for (int position = 0; position < (minor == 2 ? 1 : 8); ++position) {
          LoopBack engine = new LoopBack(little, minor, position);
          engine.again = position % 2 == 1;
          all(Way.of(engine), true);
        }
      }
    }
    for (int fragment : new int[] {8, 16, 64, 4096}) {
      for (int position = 0; position < 8; ++position) {
        LoopBack engine = new LoopBack(position % 2 == 0, 1, position);
        engine.fragments = fragment;
        all(Way.of(engine), false);
      }
    }
    alternating();
    constants();
    records();
    Wire.run();
    LongDoubles.run();
    Hostile.run();
    System.out.println(Check.count() + " checks");
  }

  static void all(Way way, boolean chunks) throws Exception {
    AnyTests.all(way);
    ValueTests.all(way, chunks);
    calls(way);
    asynchronous(way);
    exceptions(way);
    references(way);
    ViewTests.over(way);
  }

  private static Echo echo(Way way, EchoImpl servant) {
    return Echo.narrow(EchoStub.of(way.activate(servant)));
  }

  private static void calls(Way way) {
    EchoImpl servant = new EchoImpl();
    Echo echo = echo(way, servant);
    echo.noop();
    Check.that(echo.flip(false), "flip");
    Check.equal('b', echo.next('a'));
    Check.equal('\u20ac', echo.wide('\u20ac'));
    Check.equal('\ufeff', echo.wide('\ufeff'));
    Check.equal((byte) -7, echo.low((byte) -7));
    Check.equal(1L + 65000 + (1L << 40) + 2 + 3 + 4000000000L, echo.add(1, (short) 65000, 1L << 40, 2.5F, 3.5, (int) 4000000000L));
    Holder<String> y = new Holder<>("\u00e9y");
    Holder<String> z = new Holder<>();
    Check.equal("x\u00e9y", echo.text("x", y, z));
    Check.equal("x", y.value);
    Check.equal("x\u00e9y", z.value);
    for (String text : new String[] {"", "a", "\ufeff", "\ufffe!", "\ud83d\ude00"}) Check.equal(text, echo.wide_text(text));
    Check.equal("12345", echo.echo_short_text("12345"));
    Holder<Constant> also = new Holder<>();
    Check.equal(Samples.constant(3), echo.echo_constant(Samples.constant(3), also));
    Check.equal(Samples.constant(3), also.value);
    for (int n = 0; n < 4; ++n) {
      Holder<Integer> count = new Holder<>(n);
      Check.equal(Samples.variable(n), echo.echo_variable(Samples.variable(n), count));
      Check.equal(n + 1, count.value);
      Check.equal(Samples.variable(n).blocks(), echo.echo_constants(Samples.variable(n).blocks()));
    }
    Check.equal(Samples.tree(20), echo.echo_tree(Samples.tree(20)));
    unions(echo);
    Check.equal(new Child(1, Flags.one | Flags.three), echo.echo_child(new Child(1, Flags.one | Flags.three)));
    Keywords keywords = new Keywords(1, 2, "3", 4, 5);
    Check.equal(keywords, echo.echo_keywords(keywords));
    Hidden.Override hidden = new Hidden.Override(new Hidden.String(4));
    Check.equal(hidden, echo.hide(hidden));
    Check.equal(new BigDecimal("-12.340"), echo.echo_price(new BigDecimal("-12.34")));
    Holder<BigDecimal> real = new Holder<>(new BigDecimal("-1.5"));
    Holder<Exactly> exactly = new Holder<>();
    Check.equal(new BigDecimal("0.25"), echo.echo_real(new BigDecimal("0.25"), real, exactly));
    Check.equal(new BigDecimal("0.25"), real.value);
    Check.equal(new Exactly.Value(new BigDecimal("-1.5")), exactly.value);
    Check.equal(Samples.measured(), echo.echo_measured(Samples.measured()));
    double[][] matrix = {{1, 2, 3}, {4, 5, 6}};
    Check.equal(matrix, echo.echo_matrix(matrix));
    Holder<OneArray> one = new Holder<>(new OneArray(new String[] {"1", "2"}));
    Check.equal(Samples.arrays(), echo.echo_arrays(Samples.arrays(), one));
    Check.equal(Samples.arrays().hashCode(), echo.echo_arrays(Samples.arrays(), one).hashCode());
    Check.equal(new OneArray(new String[] {"1", "2"}), one.value);
    Check.equal(Samples.maps(), echo.echo_maps(Samples.maps()));
    echo._wait(1);
    echo.tell(77);
    echo.noop(); // comes after it
    Check.equal(77, servant.told);
    Check.equal(5, echo.nested(echo, 5));
    echo.state(Base.Mode.on);
    Check.equal(Base.Mode.on, echo.state());
    Check.equal("echo", echo.name());
    short[] shorts = new short[16384];
    java.util.Arrays.fill(shorts, (short) 0x1234);
    Check.equal(shorts, echo.ladder_a(shorts));
    Check.equal(List.of(Samples.e(1), Samples.e(2)), echo.ladder_e(List.of(Samples.e(1), Samples.e(2))));
  }

  private static void asynchronous(Way way) throws Exception {
    EchoAsync echo = EchoAsync.of(echo(way, new EchoImpl()));
    Holder<String> y = new Holder<>("y");
    Holder<String> z = new Holder<>();
    Check.equal("x\u00e9y", echo.text("x\u00e9", y, z).get());
    Check.equal("x\u00e9", y.value);
    Check.equal("x\u00e9y", z.value);
    List<CompletableFuture<Tree>> several = new ArrayList<>();
    for (int i = 0; i < 20; ++i) several.add(echo.echo_tree(Samples.tree(i)));
    for (int i = 0; i < 20; ++i) Check.equal(Samples.tree(i), several.get(i).get());
    Check.equal(null, echo.noop().get());
    Check.that(failure(echo.fail(0)) instanceof Empty, "a user exception");
    Check.that(failure(echo.fail(1)) instanceof Failed failed && failed.reason().equals("why"), "its members");
    Check.that(failure(echo.fail(3)) instanceof SystemException system && system.kind() == Kind.NO_PERMISSION, "a system exception");
    Check.that(failure(echo.fail(5)) instanceof SystemException system && system.minor() == MinorCode.UNLISTED_USER_EXCEPTION, "unlisted");
    Check.that(failure(echo.echo_short_text("123456")) instanceof SystemException system && system.minor() == MinorCode.OVER_BOUND, "bounds");
    echo.name().thenCompose(name -> echo.echo_short_text(name)).thenAccept(name -> Check.equal("echo", name)).get();
  }

  private static Throwable failure(CompletableFuture<?> future) throws InterruptedException {
    try {
      future.get();
    } catch (ExecutionException e) {
      return e.getCause();
    }
    throw new AssertionError("no exception");
  }

  private static void unions(Echo echo) {
    Holder<Constructs.Number> number = new Holder<>(new Constructs.Number.Little((short) 4));
    Holder<Maybe> maybe = new Holder<>();
    Check.equal(new Shape.Radius(1.5), echo.echo_shape(new Shape.Radius(1.5), number, maybe));
    Check.equal(new Maybe.Value(5), maybe.value);
    number.value = new Constructs.Number.Text(-3, "text");
    Check.equal(new Shape.Sides(Colour.blue, new int[] {3}), echo.echo_shape(new Shape.Sides(Colour.blue, new int[] {3}), number, maybe));
    Check.equal(new Constructs.Number.Text(-3, "text"), number.value);
    Check.equal(false, maybe.value.discriminator());
    number.value = new Constructs.Number.Whole(Samples.constant(1));
    List<Shape> shapes = List.of(new Shape.Sides(new int[] {1, 2}), new Shape.Radius(2));
    echo.echo_shape(shapes.get(0), number, maybe);
    Check.equal(new Constructs.Number.Whole(Samples.constant(1)), number.value);
    Check.equal(shapes, echo.echo_shapes(shapes));
    Holder<Huge> huge = new Holder<>();
    Letter nested = new Letter.Nested(new Constructs.Number.Whole(1000, Samples.constant(2)));
    Check.equal(nested, echo.echo_letter(nested, new Huge.Far(4), huge));
    Check.equal(new Huge.Far(4), huge.value);
    Check.equal(new Letter._Default('z'), echo.echo_letter(new Letter._Default('z'), new Huge.Near(-5L, (short) 1), huge));
    Check.equal(new Huge.Near(-5L, (short) 1), huge.value);
    Check.raises(Kind.BAD_PARAM, MinorCode.BAD_CASE_LABEL, () -> new Shape.Sides(Colour.red, new int[0]));
    Check.raises(Kind.BAD_PARAM, MinorCode.BAD_CASE_LABEL, () -> new Maybe.Default(true));
  }

  private static void exceptions(Way way) throws Exception {
    Echo echo = echo(way, new EchoImpl());
    echo.fail(100);
    try {
      echo.fail(0);
      Check.that(false, "no exception");
    } catch (Empty e) {
      Check.equal(Empty._ID, e._id());
    }
    try {
      echo.fail(1);
      Check.that(false, "no exception");
    } catch (Failed e) {
      Check.equal("why", e.reason());
      Check.equal(new int[] {1, 2}, e.codes());
      Check.equal(3, e._getMessage());
    }
    Check.raises(Kind.UNKNOWN, MinorCode.FOREIGN_EXCEPTION, () -> echo.fail(2));
    Check.raises(Kind.NO_PERMISSION, 42, () -> echo.fail(3));
    Check.raises(Kind.NO_MEMORY, MinorCode.OUT_OF_MEMORY, () -> echo.fail(4));
    Check.raises(Kind.UNKNOWN, MinorCode.UNLISTED_USER_EXCEPTION, () -> echo.fail(5));
    Check.raises(Kind.UNKNOWN, MinorCode.FOREIGN_EXCEPTION, () -> echo.fail(6));
    try {
      echo.change(new Base.Setting(Base.Mode.on, 8));
      Check.that(false, "no exception");
    } catch (Base.Refused e) {
      Check.equal(new Base.Setting(Base.Mode.on, 8), e.which());
    }
    Check.raises(Kind.BAD_PARAM, MinorCode.OVER_BOUND, () -> echo.echo_short_text("123456"));
    Check.raises(Kind.BAD_PARAM, MinorCode.OVER_BOUND, () -> new CdrWriter().writeDoubleSequence(new double[5], 4));
    Check.raises(Kind.BAD_PARAM, MinorCode.OVER_BOUND, () -> new CdrWriter().writeSequence(CdrTypes.string(0), List.of("", ""), 1));
    Check.raises(Kind.BAD_PARAM, MinorCode.OVER_BOUND,
        () -> new CdrWriter().writeMap(CdrTypes.INT, CdrTypes.INT, java.util.Map.of(1, 2, 3, 4), 1));
    Check.raises(Kind.BAD_PARAM, MinorCode.NUL_IN_ARGUMENT, () -> echo.echo_short_text("1\0002"));
    Check.raises(Kind.BAD_PARAM, MinorCode.OVER_BOUND, () -> echo.echo_matrix(new double[2][4]));
    Check.raises(Kind.DATA_CONVERSION, MinorCode.FIXED_OVERFLOW, () -> echo.echo_price(new BigDecimal("1000")));
    Check.raises(Kind.DATA_CONVERSION, MinorCode.CHAR_NOT_IN_CODE_SET, () -> echo.wide_text("\ud800"));
    Check.raises(Kind.DATA_CONVERSION, MinorCode.CHAR_NOT_IN_CODE_SET, () -> echo.next('\u20ac'));
    Check.equal("still", echo.wide_text("still"));
  }

  private static void references(Way way) {
    Echo echo = echo(way, new EchoImpl());
    ListenerServant listener = new ListenerServant() {
      @Override
      public void notice(String text) {}

      @Override
      public int count() {
        return 12;
      }
    };
    Check.raises(Kind.OBJECT_NOT_EXIST, MinorCode.NOT_ACTIVATED, () -> echo.echo_listener(listener));
    way.activate(listener);
    Listener remote = echo.echo_listener(listener);
    Check.equal(12, remote.count());
    Check.that(remote._is_equivalent(listener) && !remote._is_equivalent(echo), "equivalence");
    Check.equal(remote, echo.echo_listener(remote));
    Check.equal(null, echo.echo_listener(null));
    List<Listener> several = echo.echo_listeners(java.util.Arrays.asList(listener, null, remote));
    Check.equal(java.util.Arrays.asList(remote, null, remote), several);
    RemoteObject object = echo.any_object(echo);
    Check.that(object._is_a("IDL:Constructs/Base:1.0") && object._is_a("IDL:omg.org/CORBA/Object:1.0"), "_is_a");
    Check.that(!object._is_a("IDL:Constructs/Listener:1.0") && !object._non_existent(), "_is_a of another");
    Check.equal("echo", Other.narrow(object).name());
    Check.that(Other.narrow(null) == null && Echo.narrow(echo) == echo, "narrow without a call");
    Check.raises(Kind.BAD_PARAM, 0, () -> Listener.narrow(object));
    way.deactivate(listener);
    Check.raises(Kind.OBJECT_NOT_EXIST, Check.ANY_MINOR, remote::count);
    Check.that(remote._non_existent() && !echo._non_existent(), "_non_existent of an object that is gone");
  }

  /** Two connections that take attempts in turn, and of which one has not sent its code sets yet. */
  private static void alternating() throws Exception {
    LoopBack engine = new LoopBack(true, 1, 0);
    Echo echo = EchoStub.of(engine.activate(new EchoImpl()));
    engine.alternating = true;
    for (int i = 0; i < 5; ++i) {
      Check.equal(Samples.tree(i), echo.echo_tree(Samples.tree(i)));
      Check.equal(Samples.tree(i), EchoAsync.of(echo).echo_tree(Samples.tree(i)).get());
    }
  }

  private static void constants() {
    Check.equal((short) -5, small.value);
    Check.equal((byte) 200, top.value);
    Check.equal((int) 4000000000L, many.value);
    Check.equal(-1L, most.value);
    Check.equal(0.5F, half.value);
    Check.equal(10.0, ten.value);
    Check.equal(new BigDecimal("0.3333333333333333"), third.value);
    Check.equal(true, yes.value);
    Check.equal('x', one_letter.value);
    Check.equal('\'', quote.value);
    Check.equal('\u20ac', wide_letter.value);
    Check.equal("a \"quoted\" line\n", text.value);
    Check.equal("\u20ac5", wide_text.value);
    Check.equal(new BigDecimal("12.50").stripTrailingZeros(), cost.value.stripTrailingZeros());
    Check.equal(Colour.green, favourite.value);
    Check.equal(7, Base.limit);
    Check.equal(4, Flags.three);
  }

  private static void records() {
    Check.that(!Samples.constant(1).equals(Samples.constant(2)), "other numbers");
    Check.equal(Samples.variable(3).hashCode(), Samples.variable(3).hashCode());
    Check.equal(Samples.maps().hashCode(), Samples.maps().hashCode());
    Check.that(!Samples.variable(1).equals(Samples.variable(2)), "other lists");
  }
}
