// SPDX-License-Identifier: Apache-2.0
package test;

import Kinds.*;
import java.math.BigDecimal;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import org.tenon.Any;
import org.tenon.CdrTypes;
import org.tenon.Holder;
import org.tenon.MinorCode;
import org.tenon.RemoteObject;
import org.tenon.SystemException.Kind;
import org.tenon.SystemException;

/** Value types and abstract interfaces over whatever engine. */
final class ValueTests {
  private ValueTests() {}

  static Tree tree(int depth) {
    return depth == 0 ? null : new Tree(depth, tree(depth - 1), depth % 2 == 0 ? new Tree(-depth, null, null) : null);
  }

  static boolean alike(Tree a, Tree b) {
    if (a == null || b == null) return a == b;
    return a.id() == b.id() && alike(a.left(), b.left()) && alike(a.right(), b.right());
  }

  static Wider wider() {
    return new Wider(7, "in", 1.5, tree(3), "tail");
  }

  static Widest widest() {
    Tree branch = tree(3);
    return new Widest(7, "in", 1.5, branch, "tail", (byte) 9, branch);
  }

  static Packed packed() {
    Tree inside = tree(2);
    inside.left().left(inside);
    return new KeeperImpl.PackedValue(-5, "custom", inside);
  }

  static Bundle bundle() {
    Tree tree = tree(2);
    tree.left().left(tree);
    return new Bundle(tree, new KeeperImpl.SquareValue(2), new TextBox("boxed"), widest(), Arrays.asList(widest(), null, wider()),
        new Held.Branch(tree), Any.of(Tree._Type.INSTANCE, tree), tree);
  }

  /** `chunks`: whether those can come, which fragments of GIOP 1.1 cannot have. */
  static void all(CdrTests.Way way, boolean chunks) throws Exception {
    KeeperImpl.register(way::register);
    Keeper keeper = KeeperStub.of(way.activate(new KeeperImpl()));
    trees(keeper);
    deep(keeper);
    state(keeper);
    boxes(keeper);
    interfaces(keeper, way);
    if (chunks) {
      inAnys(keeper);
      bases(keeper);
      bundles(keeper);
      custom(keeper);
      derivedInAnys(keeper);
    } else {
      Check.raises(Kind.MARSHAL, MinorCode.VALUE_IN_FRAGMENTS, () -> keeper.echo_base(wider()));
      Tree ring = new Tree(1, null, null);
      ring.left(new Tree(2, ring, null));
      Tree back = keeper.echo_anys(List.of(Any.of(Tree._Type.INSTANCE, ring))).get(0).get(Tree._Type.INSTANCE);
      Check.that(back.left().left() == back, "a ring in an Any in fragments");
    }
    KeeperAsync async = KeeperAsync.of(keeper);
    Tree tree = tree(4);
    Check.that(alike(tree, async.echo_tree(tree, new Holder<>(), new Holder<>()).get()), "an asynchronous call");
    Check.raises(Kind.MARSHAL, MinorCode.NO_VALUE_FACTORY, () -> keeper.echo_base(new Secret(1, "", 2)));
  }

  private static void trees(Keeper keeper) {
    Holder<Tree> b = new Holder<>();
    Holder<Tree> c = new Holder<>();
    Check.equal(null, keeper.echo_tree(null, b, c));
    Check.that(b.value == null && c.value == null, "null");
    Tree tree = tree(20);
    b.value = new Tree(99, tree, tree);
    Tree back = keeper.echo_tree(tree, b, c);
    Check.that(alike(tree, back) && back == b.value, "one value in result and inout");
    Check.that(c.value.id() == 99 && c.value.left() == back && c.value.right() == back, "one value inside another");
    Check.that(keeper.same(tree, tree) && !keeper.same(tree, tree(20)), "identity");
    Tree ring = new Tree(1, null, null);
    ring.left(new Tree(2, ring, null));
    back = keeper.echo_tree(ring, b, c);
    Check.that(back.left().left() == back && back.left().id() == 2, "a ring");
  }

  /** As deep as may be, with a stack that suffices; one more is too much, and so is less stack. */
  private static void deep(Keeper keeper) throws InterruptedException {
    Tree deep = new Tree(1, null, null);
    for (int i = 2; i <= 2048; ++i) deep = new Tree(i, deep, null);
    Tree deepest = deep;
    Tree deeper = new Tree(0, deep, null);
    int[] depth = {0};
    SystemException[] raised = new SystemException[1];
    Runnable calls = () -> {
      for (Tree at = keeper.echo_tree(deepest, new Holder<>(), new Holder<>()); at != null; at = at.left()) ++depth[0];
      try {
        keeper.echo_tree(deeper, new Holder<>(), new Holder<>());
      } catch (SystemException e) {
        raised[0] = e;
      }
    };
    Thread thread = new Thread(null, calls, "deep", 16 << 20);
    thread.start();
    thread.join();
    Check.equal(2048, depth[0]);
    Check.that(raised[0].kind() == Kind.MARSHAL && raised[0].minor() == MinorCode.NESTED_TOO_DEEP, "too deep: " + raised[0]);
    Thread small = new Thread(null, () -> {
      try {
        keeper.echo_tree(deepest, new Holder<>(), new Holder<>());
        raised[0] = null;
      } catch (SystemException e) {
        raised[0] = e;
      }
    }, "small", 200 << 10);
    small.start();
    small.join();
    Check.that(raised[0] == null || raised[0].minor() == MinorCode.NESTED_TOO_DEEP, "little stack: " + raised[0]);
  }

  private static void state(Keeper keeper) {
    Everything all = new Everything();
    Check.equal("", new Base().number() == 0 ? new KeeperImpl.BaseValue().secret() : "other");
    all.how(Everything.Kind.large);
    all.flag(true);
    all.all_names(List.of("a", "b"));
    all.numbers(new int[] {1, 2});
    all.three(new int[] {3, 4, 5});
    all.amount(new BigDecimal("12.50"));
    all.extra(Any.of(CdrTypes.DOUBLE, 0.5));
    all.type(Everything._Type.INSTANCE.typeCode());
    all.by_number(Map.of(1, "one"));
    all.top(new Card(Suit.hearts, (byte) 1, "top"));
    all.head(new KeeperImpl.LabelValue("head"));
    all.anything(all);
    all.forest(Arrays.asList(tree(2), null));
    Everything back = (Everything) keeper.echo_value(all);
    Check.that(back.anything() == back && back.how() == Everything.Kind.large && back.flag(), "scalars");
    Check.equal(List.of("a", "b"), back.all_names());
    Check.equal(new int[] {1, 2}, back.numbers());
    Check.equal(new int[] {3, 4, 5}, back.three());
    Check.equal(new BigDecimal("12.50"), back.amount());
    Check.equal(0.5, back.extra().value());
    Check.equal(Everything._Type.INSTANCE.typeCode(), back.type());
    Check.equal(Map.of(1, "one"), back.by_number());
    Check.equal(all.top(), back.top());
    Check.equal("head", back.head().title());
    Check.that(alike(tree(2), back.forest().get(0)) && back.forest().get(1) == null, "a sequence of values");
    Check.equal(null, keeper.echo_value(null));
    keeper.kept(new KeeperImpl.BaseValue(3, "kept"));
    Check.equal("kept", ((KeeperImpl.BaseValue) keeper.kept()).secret());
    BaseValueFactory factory = new KeeperImpl.Factory();
    try {
      Check.equal(4, factory.make(4, "four").number());
      factory.make(-1, "");
      Check.that(false, "no exception");
    } catch (Refused e) {
      Check.equal(-1, e.cause().value());
    }
  }

  private static void boxes(Keeper keeper) {
    Holder<NumberBox> number = new Holder<>();
    Check.equal("boxed", keeper.echo_text(new TextBox("boxed"), number).value());
    Check.equal(5, number.value.value());
    Check.equal(null, keeper.echo_text(null, number));
    Check.equal(null, number.value);
    // Where any value may come, the box needs a factory.
    Check.equal("any", ((TextBox) keeper.echo_value(new TextBox("any"))).value());
    Check.raises(Kind.MARSHAL, MinorCode.NO_VALUE_FACTORY, () -> keeper.echo_value(new NumberBox(1)));
  }

  private static void interfaces(Keeper keeper, CdrTests.Way way) {
    Titled label = keeper.echo_titled(new KeeperImpl.LabelValue("label"));
    Check.that(label instanceof KeeperImpl.LabelValue && label.title().equals("label"), "a value");
    Titled visited = keeper.echo_titled(new KeeperImpl.VisitedValue());
    Check.that(visited instanceof Visited && visited.title().equals("visited"), "a value that supports a derived interface");
    PlaceServant servant = new PlaceServant() {
      @Override
      public String title() {
        return "a place";
      }

      @Override
      public void visit() {}
    };
    Place place = PlaceStub.of(way.activate(servant));
    Titled object = keeper.echo_titled(place);
    Check.that(object instanceof RemoteObject && object.title().equals("a place"), "an object");
    Check.equal("a place", Titled.narrow(place).title());
    Check.that(Place.narrow((RemoteObject) object)._is_equivalent(place), "narrowed");
    Check.equal(null, keeper.echo_titled(null));
    Check.raises(Kind.BAD_PARAM, MinorCode.WRONG_ABSTRACT_TYPE, () -> keeper.echo_titled(() -> "neither"));
    Shape shape = keeper.echo_shape(new KeeperImpl.SquareValue(3));
    Check.that(shape.area() == 9 && ((Kinds.Named) shape).name().equals("square"), "abstract value types");
  }

  private static void inAnys(Keeper keeper) {
    Tree tree = tree(3);
    tree.left().left(tree);
    Any any = Any.of(Tree._Type.INSTANCE, tree);
    Check.that(any.get(Tree._Type.INSTANCE) == tree, "what was put in");
    Holder<Any> b = new Holder<>(any);
    Holder<Any> c = new Holder<>();
    for (int i = 0; i < 2; ++i) {
      any = keeper.echo_any(any, b, c);
      for (Any each : List.of(any, b.value, c.value)) {
        Tree back = each.get(Tree._Type.INSTANCE);
        Check.that(back.left().left() == back && back.id() == 3, "a ring in an Any");
        Check.that(each.value() instanceof Tree, "its object");
      }
    }
    Check.equal(null, keeper.echo_any(Any.of(Tree._Type.INSTANCE, null), b, c).get(Tree._Type.INSTANCE));
    Check.equal("in", keeper.echo_any(Any.of(TextBox._Type.INSTANCE, new TextBox("in")), b, c).get(TextBox._Type.INSTANCE).value());
    Check.equal("label", keeper.echo_any(Any.of(TitledStub._Type.INSTANCE, new KeeperImpl.LabelValue("label")), b, c)
        .get(TitledStub._Type.INSTANCE).title());
  }

  private static void checkWider(Object value) {
    Check.that(value != null && value.getClass() == Wider.class, "a Wider: " + value);
    Wider w = (Wider) value;
    Check.that(w.number() == 7 && w.real() == 1.5 && w.tail().equals("tail") && alike(tree(3), w.branch()), "its state");
  }

  private static void bases(Keeper keeper) {
    checkWider(keeper.echo_base(wider()));
    checkWider(keeper.echo_base(widest())); // truncated by the servant
    checkWider(keeper.echo_value(widest()));
  }

  private static void bundles(Keeper keeper) {
    Bundle back = keeper.echo_bundle(bundle());
    Check.that(back.root() == back.again() && back.root().left().left() == back.root(), "one tree");
    Check.that(back.chosen() instanceof Held.Branch branch && branch.value() == back.root(), "the same in a union");
    Check.that(((Tree) back.packed().value()).id() == 2, "in an Any");
    Check.that(back.form().area() == 4 && back.box().value().equals("boxed"), "others");
    checkWider(back.whatever());
    checkWider(back.all().get(0));
    Check.equal(null, back.all().get(1));
    checkWider(back.all().get(2));
  }

  private static void custom(Keeper keeper) {
    Packed back = (Packed) keeper.echo_value(packed());
    Check.that(back.number() == -5 && back.text().equals("custom"), "state");
    Check.that(back.inside().left().left() == back.inside(), "a value inside");
  }

  private static void derivedInAnys(Keeper keeper) {
    for (int before = 0; before < 8; ++before) {
      List<Any> all = List.of(Any.of(CdrTypes.string(0), "x".repeat(before)), Any.of(Base._Type.INSTANCE, wider()),
          Any.of(Base._Type.INSTANCE, widest()), Any.of(Widest._Type.INSTANCE, widest()));
      for (int i = 0; i < 3; ++i) {
        all = keeper.echo_anys(all);
        Check.equal("Base", all.get(1).type().name());
        checkWider(all.get(1).get(Base._Type.INSTANCE));
        // Written anew, as its ids are offsets to what is before it, it is cut to what its TypeCode tells.
        Check.equal(7, all.get(2).get(Base._Type.INSTANCE).number());
        checkWider(all.get(3).get(Wider._Type.INSTANCE)); // there is no factory for Widest
        Check.equal(Widest._ID, all.get(3).type().id());
      }
    }
    Any custom = Any.of(Packed._Type.INSTANCE, new KeeperImpl.PackedValue(1, "any", tree(1)));
    List<Any> both = keeper.echo_anys(keeper.echo_anys(List.of(Any.of(CdrTypes.BYTE, (byte) 1), custom)));
    Check.equal("any", both.get(1).get(Packed._Type.INSTANCE).text());
    // A value that is outside of the Any, too.
    Tree tree = tree(2);
    Bundle bundle = new Bundle(tree, null, null, null, List.of(), new Held.Value(Any.of(Tree._Type.INSTANCE, tree)),
        Any.of(Tree._Type.INSTANCE, tree), tree);
    Bundle back = keeper.echo_bundle(keeper.echo_bundle(bundle));
    Check.that(back.root() == back.again() && alike(tree, back.packed().get(Tree._Type.INSTANCE)), "an Any of a value before it");
    Node node = new Node(1, List.of(), Any.of(Bundle._Type.INSTANCE, bundle()));
    Bundle packed = keeper.echo_node(keeper.echo_node(node)).extra().get(Bundle._Type.INSTANCE);
    Check.that(packed.root() == packed.again(), "a struct of values in an Any");
    Check.equal(null, keeper.echo_anys(List.of(Any.of(CdrTypes.VALUE_BASE, null))).get(0).value());
    Wider wider = wider();
    Check.that(Any.of(Wider._Type.INSTANCE, wider).get(Base._Type.INSTANCE) == wider, "an object that nobody decodes");
    Check.that(!Any.of(Widest._Type.INSTANCE, widest()).equals(Any.of(Widest._Type.INSTANCE, null)), "other values");
  }
}
