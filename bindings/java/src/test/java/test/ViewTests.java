// SPDX-License-Identifier: Apache-2.0
package test;

import Constructs.*;
import java.util.ArrayList;
import java.util.Collections;
import java.util.LinkedList;
import java.util.List;
import org.tenon.Holder;
import org.tenon.MinorCode;
import org.tenon.SystemException;
import org.tenon.SystemException.Kind;

/** @tenon::view: structs of a sequence where a message has them. */
final class ViewTests {
  private ViewTests() {}

  /** Gives back what it gets, read from its views. */
  static final class Impl extends ViewingServant {
    private SightingView kept;

    @Override
    public List<Sighting> echo(List<? extends SightingView> x) {
      List<Sighting> copies = new ArrayList<>();
      for (SightingView one : x) {
        copies.add(new Sighting(one.d(), one.flag(), one.c(), one.o(), one.s(), one.l(), one.f(), one.ll(), one.paint(), one.amount(),
            one.numbers(), one.key(), one.flags(), StructCView._copy(one.inner()), one.us()));
        kept = one;
        Check.equal(copies.get(copies.size() - 1).toString().replaceAll("@[0-9a-f]+", ""), one.toString().replaceAll("@[0-9a-f]+", ""));
      }
      Check.raisesAny(IndexOutOfBoundsException.class, () -> x.get(x.size()));
      Check.raisesAny(IndexOutOfBoundsException.class, () -> x.get(-1));
      return copies;
    }

    @Override
    public String tell(List<? extends TailView> x, String name, List<? extends ShiftingView> y, List<? extends LateView> z) {
      StringBuilder text = new StringBuilder(name);
      for (TailView one : x) text.append(" ").append(one.d()).append(one.s());
      for (ShiftingView one : y) text.append(" ").append(one.s()).append(one.l()).append(one.o());
      for (LateView one : z) text.append(" ").append(one.o()).append(one.d());
      return text.toString();
    }

    @Override
    public List<StructF> ladder(List<? extends StructFView> x, Holder<Integer> count) throws Failed {
      count.value = x.size();
      List<StructF> copies = new ArrayList<>();
      for (StructFView one : x) copies.add(StructFView._copy(one));
      return copies;
    }

    @Override
    public byte kept() {
      return kept.o();
    }
  }

  static List<Sighting> some(int count) {
    List<Sighting> all = new ArrayList<>();
    for (int i = 0; i < count; ++i) {
      Constant one = Samples.constant(i);
      all.add(new Sighting(one.d(), i % 2 == 1, one.c(), one.o(), one.s(), one.l(), one.f(), one.ll(), one.paint(), one.amount(), one.numbers(),
          one.key(), new boolean[] {true, false}, one.inner(), one.us()));
    }
    return all;
  }

  static void over(CdrTests.Way way) {
    Impl servant = new Impl();
    Viewing object = ViewingStub.of(way.activate(servant));
    for (int count = 0; count < 5; ++count) {
      List<Sighting> values = some(count);
      Check.equal(values, object.echo(values));
      Check.equal(values, object.echo(new LinkedList<>(values)));
      Check.equal(values, object.echo(values, views -> {
        Check.equal(values.size(), views.size());
        // Views are arguments as records are.
        return object.echo(views);
      }));
      if (count == 0) continue;
      List<StructF> ladder = Samples.variable(count).ladder();
      Holder<Integer> size = new Holder<>();
      try {
        Check.equal(ladder, object.ladder(ladder, size));
        Check.equal(count, size.value);
        size.value = 0;
        Check.equal(ladder.get(0).a().b(), object.ladder(ladder, size, views -> StructEView._copy(views.get(0).a()).b()));
        Check.equal(count, size.value);
        List<? extends StructFView> late = object.ladder(ladder, size, views -> {
          try {
            Check.equal(ladder, object.ladder(views, new Holder<>()));
          } catch (Failed e) {
            throw new AssertionError(e);
          }
          return views;
        });
        // Records have no end; they come where a message has its elements in pieces.
        if (late.get(0) instanceof StructF) Check.equal(ladder, late);
        else Check.raises(Kind.BAD_INV_ORDER, Check.ANY_MINOR, () -> late.get(0).b().a().a().a().a());
      } catch (Failed e) {
        throw new AssertionError(e);
      }
    }
    Check.equal("n 1.52 3.04 5678 50.06 70.08", object.tell(List.of(new Tail(1.5, (short) 2), new Tail(3, (short) 4)), "n",
        List.of(new Shifting((short) 5, 67, (byte) 8)), List.of(new Late((byte) 5, 0.06), new Late((byte) 7, 0.08))));
    Check.raises(Kind.BAD_PARAM, MinorCode.OVER_BOUND,
        () -> object.tell(List.of(), "", List.of(), Collections.nCopies(5, new Late((byte) 5, 0.06))));
    // What `_use` throws comes out, and the next call is served.
    Check.raisesAny(IllegalStateException.class, () -> object.echo(some(1), views -> {
      throw new IllegalStateException("of the program");
    }));
    Check.equal(0, object.echo(List.of()).size());
    // A servant takes its own result for views of it.
    Check.equal(3, servant.echo(some(3), List::size));
    way.deactivate(servant);
  }

  /** Where nothing is in pieces, views have ended when the call has. */
  static void ended(Viewing object) throws Failed {
    object.echo(some(2));
    Check.raises(Kind.BAD_INV_ORDER, Check.ANY_MINOR, object::kept);
    List<? extends StructFView> late = object.ladder(Samples.variable(2).ladder(), new Holder<>(), views -> views);
    SystemException e = Check.raises(Kind.BAD_INV_ORDER, Check.ANY_MINOR, () -> late.get(1).a().a().a().a().b());
    Check.that(e.getMessage().contains("a view of a message that has ended"), e.getMessage());
  }
}
