// SPDX-License-Identifier: Apache-2.0
//
// The values of values.idl as the Java programs implement them. Stateless.
package peer;

import InteropValues.Base;
import InteropValues.Inbound;
import InteropValues.Label;
import InteropValues.Outbound;
import InteropValues.Packed;
import InteropValues.Secret;
import InteropValues.Square;
import InteropValues.Tree;
import InteropValues.Wider;
import java.util.Arrays;
import org.tenon.CdrReader;
import org.tenon.CdrWriter;
import org.tenon.Orb;
import org.tenon.SystemException;

final class Values {
  private Values() {}

  /** The private member, for checks. */
  interface ReadableText {
    String text();
  }

  static final class BaseValue extends Base implements ReadableText {
    @Override
    public String text() {
      return super.text();
    }
  }

  static final class WiderValue extends Wider implements ReadableText {
    WiderValue() {}

    WiderValue(Tree branch) {
      super(7, "in", 1.5, branch, "tail");
    }

    @Override
    public String text() {
      return super.text();
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

  static final class PackedValue extends Packed {
    PackedValue() {}

    PackedValue(int number, String text) {
      super(number, text);
    }

    @Override
    public void marshal(CdrWriter os) {
      os.writeInt(number());
      os.writeString(new StringBuilder(text()).reverse().toString(), 0);
      os.writeByteArray(new byte[] {1, 2, 3}, 3);
    }

    @Override
    public void unmarshal(CdrReader is) {
      number(is.readInt());
      text(new StringBuilder(is.readString(0)).reverse().toString());
      if (!Arrays.equals(is.readByteArray(3), new byte[] {1, 2, 3})) throw new SystemException(SystemException.Kind.MARSHAL, 0);
    }
  }

  /** A tree of three: 1 with 2 and 3 below. */
  static Tree tree() {
    return new Tree(1, new Tree(2, null, null), new Tree(3, null, null));
  }

  static Inbound inbound() {
    Tree branch = tree();
    return new Inbound(7, "in", 1.5, branch, "tail", (byte) 9, branch);
  }

  static Outbound outbound() {
    Tree branch = tree();
    return new Outbound(7, "in", 1.5, branch, "tail", (byte) 9, branch);
  }

  static Tree ring(int length) {
    Tree first = new Tree(1, null, null);
    Tree last = first;
    for (int id = 2; id <= length; ++id) {
      last.left(new Tree(id, null, null));
      last = last.left();
    }
    last.left(first);
    return first;
  }

  static int ringLength(Tree start) {
    int steps = 0;
    Tree at = start;
    while (at != null && (at != start || steps == 0) && steps < 100_000) {
      at = at.left();
      ++steps;
    }
    return at == start ? steps : -1;
  }

  /** What both sides know; a server knows Inbound and Secret, too, and nobody knows Outbound. */
  static void registerCommon(Orb orb) {
    orb.registerValueFactory(Tree._ID, Tree::new);
    orb.registerValueFactory(Base._ID, BaseValue::new);
    orb.registerValueFactory(Wider._ID, WiderValue::new);
    orb.registerValueFactory(Square._ID, SquareValue::new);
    orb.registerValueFactory(Label._ID, LabelValue::new);
    orb.registerValueFactory(Packed._ID, PackedValue::new);
  }

  static void registerOfServer(Orb orb) {
    registerCommon(orb);
    orb.registerValueFactory(Inbound._ID, Inbound::new);
    orb.registerValueFactory(Secret._ID, Secret::new);
  }
}
