// SPDX-License-Identifier: Apache-2.0
//
// The values that dynamic.idl's make() is to make, for the servant that makes them and the client that expects them.
// Stateless.
package peer;

import InteropDynamic.Card;
import InteropDynamic.CardHelper;
import InteropDynamic.Choice;
import InteropDynamic.ChoiceHelper;
import InteropDynamic.Dynamic;
import InteropDynamic.DynamicHelper;
import InteropDynamic.HandHelper;
import InteropDynamic.Node;
import InteropDynamic.NodeHelper;
import InteropDynamic.Suit;
import InteropDynamic.TriplesHelper;
import java.math.BigDecimal;
import org.omg.CORBA.Any;
import org.omg.CORBA.ORB;

final class DynamicValues {
  private DynamicValues() {}

  private static Node node(int value, Node... children) {
    return new Node(value, children);
  }

  static Any reference(ORB orb, Dynamic object) {
    Any any = orb.create_any();
    DynamicHelper.insert(any, object);
    return any;
  }

  static Any card(ORB orb, Suit suit, int value, String note) {
    Any any = orb.create_any();
    CardHelper.insert(any, new Card(suit, (byte) value, note));
    return any;
  }

  static Any make(ORB orb, int which) {
    Any any = orb.create_any();
    Card ace = new Card(Suit.clubs, (byte) 3, "x");
    Card[] hand = {ace, new Card(Suit.spades, (byte) 11, "")};
    switch (which) {
      case 0 -> any.insert_long(-7);
      case 1 -> any.insert_string("a string");
      case 2 -> CardHelper.insert(any, ace);
      case 3 -> HandHelper.insert(any, hand);
      case 4 -> {
        Choice choice = new Choice();
        choice.cards(hand);
        ChoiceHelper.insert(any, choice);
      }
      case 5 -> TriplesHelper.insert(any, new int[][] {{-2, -1, 0}, {1, 2, 3}});
      case 6 -> any.insert_fixed(new BigDecimal("-1234.567"), orb.create_fixed_tc((short) 7, (short) 3));
      case 7 -> NodeHelper.insert(any, node(1, node(2), node(3, node(4))));
      case 8 -> any.insert_any(card(orb, Suit.hearts, 9, "inner"));
      case 10 -> any.insert_TypeCode(CardHelper.type());
      case 11 -> any.insert_wstring("w\u00efde");
      default -> { }
    }
    return any;
  }
}
