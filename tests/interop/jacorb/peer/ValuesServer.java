// SPDX-License-Identifier: Apache-2.0
//
// JacORB's server of values.idl. Threads: JacORB's; `kept` is volatile, nothing else is state.
package peer;

import InteropValues.Base;
import InteropValues.Failed;
import InteropValues.Holder;
import InteropValues.Pair;
import InteropValues.Place;
import InteropValues.Shape;
import InteropValues.Titled;
import InteropValues.Tree;
import InteropValues.TreeHelper;
import InteropValues.TreeHolder;
import java.io.Serializable;
import org.omg.CORBA.Any;
import org.omg.CORBA.ORB;
import org.omg.PortableServer.POA;
import org.omg.PortableServer.POAHelper;

public final class ValuesServer extends InteropValues.ExchangePOA {
  private static final class PlaceServant extends InteropValues.PlacePOA {
    @Override
    public String title() {
      return "a place";
    }

    @Override
    public void visit() {}
  }

  private final ORB orb;
  private final Place place;
  private volatile Base kept;

  private ValuesServer(ORB orb) {
    this.orb = orb;
    place = new PlaceServant()._this(orb);
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
  public Tree echo_tree(Tree a, TreeHolder b, TreeHolder c) {
    c.value = b.value;
    b.value = a;
    return a;
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
  public Base[] echo_bases(Base[] a) {
    return a;
  }

  @Override
  public String text_of(Base a) {
    return a instanceof Values.ReadableText readable ? readable.text() : "not ours";
  }

  @Override
  public Base make_inbound() {
    return new Values.InboundValue().made();
  }

  @Override
  public Base make_secret() {
    return new Values.SecretValue().made();
  }

  @Override
  public String echo_text(String a) {
    return a;
  }

  @Override
  public int[] echo_longs(int[] a) {
    return a;
  }

  @Override
  public Pair echo_pair(Pair a) {
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
  public Serializable echo_value(Serializable a) {
    return a;
  }

  @Override
  public InteropValues.Packed echo_packed(InteropValues.Packed a) {
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
  public Holder echo_holder(Holder a) {
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
    Any any = orb.create_any();
    if (truncatable) {
      InteropValues.InboundHelper.insert(any, new Values.InboundValue().made());
    } else {
      Tree tree = new Values.TreeValue(4, null, null);
      tree.left = tree;
      TreeHelper.insert(any, tree);
    }
    return any;
  }

  public static void main(String[] words) throws Exception {
    Options options = new Options(words);
    Options.endOrderly(options.idleSeconds, 0);
    ORB orb = options.orb();
    Values.registerCommon(orb);
    Values.register(orb, InteropValues.InboundHelper.id(), Values.InboundValue::new);
    Values.register(orb, InteropValues.SecretHelper.id(), Values.SecretValue::new);
    POA root = POAHelper.narrow(orb.resolve_initial_references("RootPOA"));
    root.the_POAManager().activate();
    options.publish(orb.object_to_string(new ValuesServer(orb)._this(orb)));
    orb.run();
  }
}
