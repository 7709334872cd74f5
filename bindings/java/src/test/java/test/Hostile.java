// SPDX-License-Identifier: Apache-2.0
package test;

import Constructs.*;
import java.util.List;
import org.tenon.Any;
import org.tenon.CdrTypes;
import org.tenon.CompletionStatus;
import org.tenon.Holder;
import org.tenon.LoopBack;
import org.tenon.MinorCode;
import org.tenon.SystemException;
import org.tenon.SystemException.Kind;

/** Requests and replies that were cut off or changed: an exception of the standard or a value, and nothing else. */
final class Hostile {
  private Hostile() {}

  private interface Use<T> {
    void of(T object) throws Exception;
  }

  private interface Start<T> {
    T on(LoopBack engine);
  }

  private static final int[] MASKS = {0xff, 0x80, 0x01};
  private static final int LONG = 900;

  private static int faults;
  private static int looks;

  static void run() throws Exception {
    Holder<Constructs.Number> number = new Holder<>(new Constructs.Number.Whole(Samples.constant(1)));
    List<Use<Echo>> uses = List.of(
        echo -> echo.echo_variable(Samples.variable(2), new Holder<>(1)),
        echo -> echo.echo_arrays(Samples.arrays(), new Holder<>(new OneArray(new String[] {"1", "2"}))),
        echo -> echo.echo_maps(Samples.maps()),
        echo -> echo.echo_constant(Samples.constant(1), new Holder<>()),
        echo -> echo.echo_tree(Samples.tree(4)),
        echo -> echo.echo_shape(new Shape.Sides(new int[] {1, 2}), number, new Holder<>()),
        echo -> echo.echo_letter(new Letter.Nested(new Constructs.Number.Text("t")), new Huge.Far(4), new Holder<>()),
        echo -> echo.text("x", new Holder<>("y"), new Holder<>()),
        echo -> echo.any_object(echo),
        echo -> echo.echo_measured(Samples.measured()),
        echo -> echo.fail(1));
    attack(engine -> EchoStub.of(engine.activate(new EchoImpl())), uses);
    attack(engine -> ViewingStub.of(engine.activate(new ViewTests.Impl())),
        List.of(views -> views.echo(ViewTests.some(2), all -> all.toString())));
    attack(Hostile::keeper, List.of(
        keeper -> look(keeper.echo_any(Any.of(Kinds.All._Type.INSTANCE, AnyTests.everything(keeper)), new Holder<>(Any.EMPTY), new Holder<>())),
        keeper -> look(keeper.echo_node(AnyTests.node(2)).extra()),
        keeper -> look(Any.of(CdrTypes.TYPE_CODE, keeper.echo_type(Kinds.Bundle._Type.INSTANCE.typeCode()))),
        keeper -> keeper.echo_tree(ValueTests.tree(3), new Holder<>(ValueTests.tree(1)), new Holder<>()),
        keeper -> keeper.echo_base(ValueTests.widest()),
        keeper -> look(keeper.echo_bundle(ValueTests.bundle()).packed()),
        keeper -> keeper.echo_value(ValueTests.packed()),
        keeper -> keeper.echo_titled(new KeeperImpl.LabelValue("label")),
        keeper -> look(keeper.echo_anys(List.of(Any.of(Kinds.Base._Type.INSTANCE, ValueTests.wider()),
            Any.of(Kinds.Bundle._Type.INSTANCE, ValueTests.bundle()))).get(0)),
        keeper -> keeper.fail(Any.of(CdrTypes.INT, 1))));
    completion();
    Check.that(faults > 1000, "few faults: " + faults);
    deep();
    HostileTypes.run();
  }

  private static Kinds.Keeper keeper(LoopBack engine) {
    KeeperImpl.register(engine.valueFactories::put);
    return Kinds.KeeperStub.of(engine.activate(new KeeperImpl()));
  }

  /** What a program does with an Any that it does not expect. */
  private static void look(Any any) {
    Check.that(any.hashCode() == any.type().hashCode() && (++looks % 16 != 0 || any.toString() != null), "looked at");
    any.value();
  }

  private static <T> void attack(Start<T> start, List<Use<T>> uses) throws Exception {
    for (int way = 0; way < 3; ++way) {
      for (Use<T> use : uses) {
        LoopBack engine = engine(way);
        T object = start.on(engine);
        changed(engine, () -> use.of(object));
      }
    }
  }

  private static LoopBack engine(int way) {
    LoopBack engine = way == 0 ? new LoopBack(false, 2, 0) : new LoopBack(true, 1, 4);
    if (way == 2) engine.fragments = 24;
    return engine;
  }

  /** Cuts the request and the reply off at each octet, and changes each. */
  private static void changed(LoopBack engine, Check.Body use) {
    survives(use);
    if (engine.lastReply == null) return; // fragments cannot have chunks
    int request = engine.lastRequest.length;
    int reply = engine.lastReply.length;
    for (int cut = 0; cut < Math.max(request, reply); ++cut) {
      int length = cut;
      engine.request = octets -> java.util.Arrays.copyOf(octets, Math.min(length, octets.length));
      survives(use);
      engine.request = octets -> octets;
      engine.reply = octets -> java.util.Arrays.copyOf(octets, Math.min(length, octets.length));
      survives(use);
      engine.reply = octets -> octets;
    }
    for (int at = 0; at < Math.max(request, reply); ++at) {
      for (int which = 0; which < MASKS.length; ++which) {
        if (Math.max(request, reply) > LONG && which != at % MASKS.length) continue; // one for each octet is enough
        int mask = MASKS[which];
        int index = at;
        engine.request = octets -> flipped(octets, index, mask);
        survives(use);
        engine.request = octets -> octets;
        engine.reply = octets -> flipped(octets, index, mask);
        survives(use);
        engine.reply = octets -> octets;
      }
    }
  }

  /** A fault in a request is found before the servant is called, one in a reply afterwards. */
  private static void completion() {
    LoopBack engine = new LoopBack(true, 2, 0);
    Echo echo = EchoStub.of(engine.activate(new EchoImpl()));
    engine.request = octets -> new byte[0];
    SystemException e = Check.raises(Kind.MARSHAL, MinorCode.OUT_OF_DATA, () -> echo.flip(true));
    Check.equal(CompletionStatus.COMPLETED_NO, e.completed());
    engine.request = octets -> octets;
    engine.reply = octets -> new byte[0];
    e = Check.raises(Kind.MARSHAL, MinorCode.OUT_OF_DATA, () -> echo.flip(true));
    Check.equal(CompletionStatus.COMPLETED_YES, e.completed());
    engine.reply = octets -> octets;
    engine.format.giopMinor = 0;
    Check.raises(Kind.MARSHAL, MinorCode.WCHAR_SENT_IN_GIOP_1_0, () -> echo.wide('x'));
    e = Check.raises(Kind.MARSHAL, MinorCode.WCHAR_RETURNED_IN_GIOP_1_0, () -> echo.wide_given());
    Check.equal(CompletionStatus.COMPLETED_YES, e.completed());
    e = Check.raises(Kind.BAD_PARAM, MinorCode.OVER_BOUND, () -> echo.short_given());
    Check.equal(CompletionStatus.COMPLETED_YES, e.completed());
    e = Check.raises(Kind.BAD_PARAM, MinorCode.OVER_BOUND, () -> echo.echo_short_text("too long"));
    Check.equal(CompletionStatus.COMPLETED_NO, e.completed());
  }

  private static byte[] flipped(byte[] octets, int at, int mask) {
    byte[] changed = octets.clone();
    if (at < changed.length) changed[at] ^= (byte) mask;
    return changed;
  }

  private static void survives(Check.Body use) {
    try {
      use.run();
    } catch (SystemException e) {
      ++faults;
      Check.that(e.kind() == Kind.MARSHAL || e.kind() == Kind.DATA_CONVERSION
          || e.kind() == Kind.NO_IMPLEMENT && e.minor() == MinorCode.NO_VALUES_IN_ANY
          || e.kind() == Kind.UNKNOWN && e.minor() == MinorCode.UNLISTED_USER_EXCEPTION, e.toString());
    } catch (Failed e) {
      Check.that(e.reason() != null, "members");
    } catch (Kinds.Refused e) {
      look(e.cause());
    } catch (Empty e) { // its number of another failure
      ++faults;
    } catch (Exception e) {
      throw new AssertionError("another exception: " + e, e);
    }
  }

  /** A tree of one branch that is deeper than is allowed. */
  private static void deep() {
    LoopBack engine = new LoopBack(true, 2, 0);
    Echo echo = EchoStub.of(engine.activate(new EchoImpl()));
    Tree tree = new Tree("", List.of());
    for (int i = 1; i < 256; ++i) tree = new Tree("", List.of(tree));
    Check.equal(tree, echo.echo_tree(tree));
    Tree deeper = new Tree("", List.of(tree));
    Check.raises(Kind.MARSHAL, MinorCode.NESTED_TOO_DEEP, () -> echo.echo_tree(deeper));
  }
}
