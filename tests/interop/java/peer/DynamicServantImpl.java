// SPDX-License-Identifier: Apache-2.0
//
// The servant of dynamic.idl: echoes Any and TypeCode, reads one, makes each kind of value. It has no state.
package peer;

import InteropDynamic.Card;
import InteropDynamic.DynamicServant;
import InteropDynamic.Refused;
import java.util.List;
import org.tenon.Any;
import org.tenon.Holder;
import org.tenon.TypeCode;

final class DynamicServantImpl extends DynamicServant {
  @Override
  public Any echo_any(Any a, Holder<Any> b, Holder<Any> c) {
    return Exchange.serve(a, b, c);
  }

  @Override
  public TypeCode echo_typecode(TypeCode a, Holder<TypeCode> b, Holder<TypeCode> c) {
    return Exchange.serve(a, b, c);
  }

  @Override
  public InteropDynamic.Holder echo_holder(InteropDynamic.Holder a, Holder<InteropDynamic.Holder> b, Holder<InteropDynamic.Holder> c) {
    return Exchange.serve(a, b, c);
  }

  @Override
  public List<Any> echo_any_seq(List<Any> a, Holder<List<Any>> b, Holder<List<Any>> c) {
    return Exchange.serve(a, b, c);
  }

  @Override
  public int kind_of(Any value) {
    return value.type().kind();
  }

  @Override
  public int card_rank(Any value) throws Refused {
    if (!value.holds(Card._Type.INSTANCE)) throw new Refused("not a card", value);
    Card card = value.get(Card._Type.INSTANCE);
    return card.colour().ordinal() * 1000 + (card.value() & 0xff);
  }

  @Override
  public Any make(int which) {
    return DynamicValues.make(which, this);
  }
}
