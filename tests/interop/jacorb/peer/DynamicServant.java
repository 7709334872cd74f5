// SPDX-License-Identifier: Apache-2.0
//
// JacORB's servant of dynamic.idl: echoes Any and TypeCode, reads one, makes each kind of value. It has no state but the
// ORB.
package peer;

import InteropDynamic.AnySeqHolder;
import InteropDynamic.Card;
import InteropDynamic.CardHelper;
import InteropDynamic.DynamicHelper;
import InteropDynamic.Holder;
import InteropDynamic.HolderHolder;
import InteropDynamic.Refused;
import org.omg.CORBA.Any;
import org.omg.CORBA.AnyHolder;
import org.omg.CORBA.ORB;
import org.omg.CORBA.TypeCode;
import org.omg.CORBA.TypeCodeHolder;

final class DynamicServant extends InteropDynamic.DynamicPOA {
  private final ORB orb;

  DynamicServant(ORB orb) {
    this.orb = orb;
  }

  @Override
  public Any echo_any(Any a, AnyHolder b, AnyHolder c) {
    c.value = b.value;
    b.value = a;
    return a;
  }

  @Override
  public TypeCode echo_typecode(TypeCode a, TypeCodeHolder b, TypeCodeHolder c) {
    c.value = b.value;
    b.value = a;
    return a;
  }

  @Override
  public Holder echo_holder(Holder a, HolderHolder b, HolderHolder c) {
    c.value = b.value;
    b.value = a;
    return a;
  }

  @Override
  public Any[] echo_any_seq(Any[] a, AnySeqHolder b, AnySeqHolder c) {
    c.value = b.value;
    b.value = a;
    return a;
  }

  @Override
  public int kind_of(Any value) {
    return value.type().kind().value();
  }

  @Override
  public int card_rank(Any value) throws Refused {
    if (!value.type().equivalent(CardHelper.type())) throw new Refused("not a card", value);
    Card card = CardHelper.extract(value);
    return card.colour.value() * 1000 + (card.value & 0xff);
  }

  @Override
  public Any make(int which) {
    return which == 9 ? DynamicValues.reference(orb, DynamicHelper.narrow(_this_object())) : DynamicValues.make(orb, which);
  }
}
