// SPDX-License-Identifier: Apache-2.0
//
// The values that dynamic.idl's make() is to make, for the servant that makes them and the client that expects them. Stateless.
package peer;

import InteropDynamic.Card;
import InteropDynamic.Choice;
import InteropDynamic.Dynamic;
import InteropDynamic.DynamicStub;
import InteropDynamic.Hand;
import InteropDynamic.Node;
import InteropDynamic.Suit;
import InteropDynamic.Triples;
import java.math.BigDecimal;
import java.util.List;
import org.tenon.Any;
import org.tenon.CdrTypes;

final class DynamicValues {
  private DynamicValues() {}

  static Any card(Suit suit, int value, String note) {
    return Any.of(Card._Type.INSTANCE, new Card(suit, (byte) value, note));
  }

  static Any make(int which, Dynamic self) {
    Card ace = new Card(Suit.clubs, (byte) 3, "x");
    List<Card> hand = List.of(ace, new Card(Suit.spades, (byte) 11, ""));
    return switch (which) {
      case 0 -> Any.of(CdrTypes.INT, -7);
      case 1 -> Any.of(CdrTypes.string(0), "a string");
      case 2 -> Any.of(Card._Type.INSTANCE, ace);
      case 3 -> Any.of(Hand._Type.INSTANCE, hand);
      case 4 -> Any.of(Choice._Type.INSTANCE, new Choice.Cards(hand));
      case 5 -> Any.of(Triples._Type.INSTANCE, List.of(new int[] {-2, -1, 0}, new int[] {1, 2, 3}));
      case 6 -> Any.of(CdrTypes.fixed(7, 3), new BigDecimal("-1234.567"));
      case 7 -> Any.of(Node._Type.INSTANCE, node(1, node(2), node(3, node(4))));
      case 8 -> Any.of(CdrTypes.ANY, card(Suit.hearts, 9, "inner"));
      case 9 -> Any.of(DynamicStub._Type.INSTANCE, self);
      case 10 -> Any.of(CdrTypes.TYPE_CODE, Card._Type.INSTANCE.typeCode());
      case 11 -> Any.of(CdrTypes.wstring(0), "w\u00efde");
      default -> Any.EMPTY;
    };
  }

  private static Node node(int value, Node... children) {
    return new Node(value, List.of(children));
  }
}
