// SPDX-License-Identifier: Apache-2.0
package test;

import Kinds.*;
import java.util.List;
import org.tenon.Any;
import org.tenon.CdrReader;
import org.tenon.CdrWriter;
import org.tenon.Holder;
import org.tenon.TypeCode;
import org.tenon.ValueBase;
import org.tenon.ValueFactory;

/** Gives back what it gets; and the values that tests and servants make. */
class KeeperImpl extends KeeperServant {
  static final class BaseValue extends Base {
    BaseValue() {}

    BaseValue(int number, String text) {
      super(number, text);
    }

    String secret() {
      return text();
    }
  }

  static final class SquareValue extends Square {
    SquareValue() {}

    SquareValue(double side) {
      super(side);
    }

    @Override
    public double area() {
      return side() * side();
    }

    @Override
    public String name() {
      return "square";
    }
  }

  static final class LabelValue extends Label {
    LabelValue() {}

    LabelValue(String text) {
      super(text);
    }

    @Override
    public String title() {
      return text();
    }
  }

  static final class VisitedValue extends Visited {
    @Override
    public String title() {
      return "visited";
    }

    @Override
    public void visit() {
      visits(visits() + 1);
    }
  }

  static final class PackedValue extends Packed {
    PackedValue() {}

    PackedValue(int number, String text, Tree inside) {
      super(number, text, inside);
    }

    @Override
    public void marshal(CdrWriter os) {
      os.writeString(text(), 0);
      os.writeValue(inside());
      os.writeInt(number());
    }

    @Override
    public void unmarshal(CdrReader is) {
      text(is.readString(0));
      inside(Tree.read(is));
      number(is.readInt());
    }
  }

  static final class Factory implements BaseValueFactory {
    @Override
    public Base make(int number, String text) throws Refused {
      if (number < 0) throw new Refused("negative", Any.of(org.tenon.CdrTypes.INT, number));
      return new BaseValue(number, text);
    }

    @Override
    public Base make_empty() {
      return new BaseValue();
    }

    @Override
    public Base create_for_unmarshal() {
      return new BaseValue();
    }
  }

  interface Registration {
    void register(String id, ValueFactory factory);
  }

  /** All but Widest and Secret, which nobody knows. */
  static void register(Registration at) {
    at.register(Tree._ID, Tree::new);
    at.register(Base._ID, new Factory());
    at.register(Wider._ID, Wider::new);
    at.register(Square._ID, SquareValue::new);
    at.register(Label._ID, LabelValue::new);
    at.register(Visited._ID, VisitedValue::new);
    at.register(Packed._ID, PackedValue::new);
    at.register(Everything._ID, Everything::new);
    at.register(TextBox._ID, TextBox::new);
  }

  private volatile Base kept;

  @Override
  public Base kept() {
    return kept;
  }

  @Override
  public void kept(Base value) {
    kept = value;
  }

  @Override
  public Any echo_any(Any a, Holder<Any> b, Holder<Any> c) {
    c.value = b.value;
    b.value = a;
    return a;
  }

  @Override
  public TypeCode echo_type(TypeCode a) {
    return a;
  }

  @Override
  public List<Any> echo_anys(List<Any> a) {
    return a;
  }

  @Override
  public Node echo_node(Node a) {
    return a;
  }

  @Override
  public Tree echo_tree(Tree a, Holder<Tree> b, Holder<Tree> c) {
    c.value = b.value;
    b.value = a;
    return a;
  }

  @Override
  public boolean same(Tree a, Tree b) {
    return a == b;
  }

  @Override
  public Base echo_base(Base a) {
    return a;
  }

  @Override
  public Bundle echo_bundle(Bundle a) {
    return a;
  }

  @Override
  public ValueBase echo_value(ValueBase a) {
    return a;
  }

  @Override
  public Titled echo_titled(Titled a) {
    return a;
  }

  @Override
  public Shape echo_shape(Shape a) {
    return a;
  }

  @Override
  public TextBox echo_text(TextBox a, Holder<NumberBox> b) {
    b.value = a == null ? null : new NumberBox(a.value().length());
    return a;
  }

  @Override
  public void fail(Any why) throws Refused {
    throw new Refused("as asked", why);
  }
}
