// SPDX-License-Identifier: Apache-2.0
//
// The Java server of values.idl. Threads: the ORB's; `kept` is volatile, nothing else is state.
package peer;

import InteropValues.Base;
import InteropValues.ExchangeServant;
import InteropValues.Failed;
import InteropValues.Inbound;
import InteropValues.LongsBox;
import InteropValues.Packed;
import InteropValues.PairBox;
import InteropValues.Place;
import InteropValues.PlaceServant;
import InteropValues.Secret;
import InteropValues.Shape;
import InteropValues.TextBox;
import InteropValues.Titled;
import InteropValues.Tree;
import java.util.List;
import org.tenon.Any;
import org.tenon.Holder;
import org.tenon.Orb;
import org.tenon.ValueBase;

public final class ValuesServer extends ExchangeServant {
  private static final class PlaceImpl extends PlaceServant {
    @Override
    public String title() {
      return "a place";
    }

    @Override
    public void visit() {}
  }

  private final Place place;
  private volatile Base kept;

  private ValuesServer(Orb orb) {
    PlaceImpl made = new PlaceImpl();
    orb.activate(made);
    place = made;
  }

  @Override
  public Base kept() {
    return kept;
  }

  @Override
  public void kept(Base value) {
    kept = value;
  }

  @Override
  public Tree echo_tree(Tree a, Holder<Tree> b, Holder<Tree> c) {
    return Exchange.serve(a, b, c);
  }

  @Override
  public boolean same(Tree a, Tree b) {
    return a == b;
  }

  @Override
  public int ring_length(Tree start) {
    return Values.ringLength(start);
  }

  @Override
  public Tree make_ring(int length) {
    return Values.ring(length);
  }

  @Override
  public Base echo_base(Base a) {
    return a;
  }

  @Override
  public List<Base> echo_bases(List<Base> a) {
    return a;
  }

  @Override
  public String text_of(Base a) {
    return a instanceof Values.ReadableText readable ? readable.text() : "not ours";
  }

  @Override
  public Base make_inbound() {
    return Values.inbound();
  }

  @Override
  public Base make_secret() {
    return new Secret(1, "", 2);
  }

  @Override
  public TextBox echo_text(TextBox a) {
    return a;
  }

  @Override
  public LongsBox echo_longs(LongsBox a) {
    return a;
  }

  @Override
  public PairBox echo_pair(PairBox a) {
    return a;
  }

  @Override
  public Shape echo_shape(Shape a) {
    return a;
  }

  @Override
  public double area_of(Shape a) {
    return a.area();
  }

  @Override
  public ValueBase echo_value(ValueBase a) {
    return a;
  }

  @Override
  public Packed echo_packed(Packed a) {
    return a;
  }

  @Override
  public Titled echo_titled(Titled a) {
    return a;
  }

  @Override
  public String title_of(Titled a) {
    return a.title();
  }

  @Override
  public Place where() {
    return place;
  }

  @Override
  public InteropValues.Holder echo_holder(InteropValues.Holder a) {
    return a;
  }

  @Override
  public void fail(Tree cause) throws Failed {
    throw new Failed(cause, "as asked");
  }

  @Override
  public Any echo_any(Any a) {
    return a;
  }

  @Override
  public Any make_any(boolean truncatable) {
    if (truncatable) return Any.of(Inbound._Type.INSTANCE, Values.inbound());
    Tree tree = new Tree(4, null, null);
    tree.left(tree);
    return Any.of(Tree._Type.INSTANCE, tree);
  }

  public static void main(String[] words) throws Exception {
    Options options = new Options(words);
    Orb orb = options.orb();
    Runtime.getRuntime().addShutdownHook(new Thread(() -> {
      orb.destroy();
      Runtime.getRuntime().halt(0);
    }));
    Options.endLate(options.idleSeconds, 0);
    Values.registerOfServer(orb);
    ValuesServer server = new ValuesServer(orb);
    orb.activate(server);
    orb.activate();
    options.publish(server._reference().toText());
    orb.run();
  }
}
