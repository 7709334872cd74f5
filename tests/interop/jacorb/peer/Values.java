// SPDX-License-Identifier: Apache-2.0
//
// The values of values.idl as JacORB's programs implement them, and their factories. Their names are not those that
// JacORB would find by itself, so that who registers no factory has none. Stateless.
package peer;

import InteropValues.Tree;
import InteropValues.Wider;
import java.io.Serializable;
import java.util.Arrays;
import java.util.function.Supplier;
import org.omg.CORBA.DataInputStream;
import org.omg.CORBA.DataOutputStream;
import org.omg.CORBA.ORB;
import org.omg.CORBA.OctetSeqHolder;
import org.omg.CORBA.portable.ValueFactory;

final class Values {
  private Values() {}

  /** The private member, for checks. */
  interface ReadableText {
    String text();
  }

  static final class TreeValue extends Tree {
    TreeValue() {}

    TreeValue(int id, Tree left, Tree right) {
      this.id = id;
      this.left = left;
      this.right = right;
    }
  }

  static final class BaseValue extends InteropValues.Base implements ReadableText {
    @Override
    public String text() {
      return text;
    }
  }

  static final class WiderValue extends Wider implements ReadableText {
    @Override
    public String text() {
      return text;
    }

    WiderValue made() {
      text = "in";
      fill(this);
      return this;
    }
  }

  static final class InboundValue extends InteropValues.Inbound {
    InboundValue made() {
      text = "in";
      fill(this);
      last = 9;
      more = branch;
      return this;
    }
  }

  static final class OutboundValue extends InteropValues.Outbound {
    OutboundValue made() {
      text = "in";
      fill(this);
      last = 9;
      more = branch;
      return this;
    }
  }

  static final class SecretValue extends InteropValues.Secret {
    SecretValue made() {
      number = 1;
      hidden = 2;
      return this;
    }
  }

  static final class SquareValue extends InteropValues.Square {
    SquareValue with(double length) {
      side = length;
      return this;
    }

    @Override
    public double area() {
      return side * side;
    }
  }

  static final class LabelValue extends InteropValues.Label {
    LabelValue with(String words) {
      text = words;
      return this;
    }

    @Override
    public String title() {
      return text;
    }
  }

  static final class PackedValue extends InteropValues.Packed {
    PackedValue with(int value, String words) {
      number = value;
      text = words;
      return this;
    }

    @Override
    public void marshal(DataOutputStream out) {
      out.write_long(number);
      out.write_string(new StringBuilder(text).reverse().toString());
      out.write_octet_array(new byte[] {1, 2, 3}, 0, 3);
    }

    @Override
    public void unmarshal(DataInputStream in) {
      number = in.read_long();
      text = new StringBuilder(in.read_string()).reverse().toString();
      OctetSeqHolder octets = new OctetSeqHolder(new byte[3]);
      in.read_octet_array(octets, 0, 3);
      if (!Arrays.equals(octets.value, new byte[] {1, 2, 3})) throw new org.omg.CORBA.MARSHAL();
    }
  }

  private static void fill(Wider value) {
    value.number = 7;
    value.real = 1.5;
    value.branch = tree();
    value.tail = "tail";
  }

  /** A tree of three: 1 with 2 and 3 below. */
  static Tree tree() {
    return new TreeValue(1, new TreeValue(2, null, null), new TreeValue(3, null, null));
  }

  static Tree ring(int length) {
    Tree first = new TreeValue(1, null, null);
    Tree last = first;
    for (int id = 2; id <= length; ++id) {
      last.left = new TreeValue(id, null, null);
      last = last.left;
    }
    last.left = first;
    return first;
  }

  static int ringLength(Tree start) {
    int steps = 0;
    Tree at = start;
    while (at != null && (at != start || steps == 0) && steps < 100_000) {
      at = at.left;
      ++steps;
    }
    return at == start ? steps : -1;
  }

  static void register(ORB orb, String id, Supplier<Serializable> make) {
    ValueFactory factory = in -> in.read_value(make.get());
    ((org.omg.CORBA_2_3.ORB) orb).register_value_factory(id, factory);
  }

  /** What both sides know; a server knows Inbound and Secret, too, and nobody knows Outbound. */
  static void registerCommon(ORB orb) {
    register(orb, InteropValues.TreeHelper.id(), TreeValue::new);
    register(orb, InteropValues.BaseHelper.id(), BaseValue::new);
    register(orb, InteropValues.WiderHelper.id(), WiderValue::new);
    register(orb, InteropValues.SquareHelper.id(), SquareValue::new);
    register(orb, InteropValues.LabelHelper.id(), LabelValue::new);
    register(orb, InteropValues.PackedHelper.id(), PackedValue::new);
  }
}
