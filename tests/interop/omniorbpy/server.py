# SPDX-License-Identifier: Apache-2.0
"""omniORBpy's server of echo.idl and dynamic.idl, which state its contract. Requests come on several threads."""
import os
import signal
import threading

import peer

peer.load("echo.idl", "dynamic.idl")
import Interop  # noqa: E402
import Interop__POA  # noqa: E402
import InteropDynamic as D  # noqa: E402
import InteropDynamic__POA  # noqa: E402
import omniORB  # noqa: E402
from omniORB import CORBA  # noqa: E402


def echo(_self, a, b):
    return a, a, b


class Callback(Interop__POA.Callback):
    def __init__(self, name):
        self.name, self.count, self.lock = name, 0, threading.Lock()

    def said(self, text):
        if text == "refuse":
            raise Interop.Plain()
        return f"{self.name} heard {text}"

    def noted(self, _value):
        with self.lock:
            self.count += 1

    def _get_notes(self):
        return self.count


class Diamond(Interop__POA.Diamond):
    right = 0

    def who(self):
        return "diamond"

    def leftward(self, value):
        return value * 2

    def _get_right_value(self):
        return self.right

    def _set_right_value(self, value):
        self.right = value

    def all(self, value):
        return "all", value * 2, self.right


class PassOn(Interop__POA.Base):
    def __init__(self, to):
        self.to = to

    def who(self):
        raise omniORB.LOCATION_FORWARD(self.to)


class Dynamic(InteropDynamic__POA.Dynamic):
    echo_any = echo_typecode = echo_holder = echo_any_seq = echo

    def kind_of(self, value):
        return value.typecode().kind()._v

    def card_rank(self, value):
        if not value.typecode().equal(D._tc_Card):
            raise D.Refused("not a card", value)
        card = value.value()
        return card.colour._v * 1000 + card.value

    def make(self, which):
        ace = D.Card(D.clubs, 3, "x")
        hand = [ace, D.Card(D.spades, 11, "")]
        leaf = [D.Node(value, []) for value in (2, 4)]
        inner = CORBA.Any(D._tc_Card, D.Card(D.hearts, 9, "inner"))
        made = [(CORBA.TC_long, -7), (CORBA.TC_string, "a string"), (D._tc_Card, ace), (D._tc_Hand, hand),
                (D._tc_Choice, D.Choice(cards=hand)), (D._tc_Triples, [[-2, -1, 0], [1, 2, 3]]),
                (D._tc_Amount, CORBA.fixed(7, 3, "-1234.567")),
                (D._tc_Node, D.Node(1, [leaf[0], D.Node(3, [leaf[1]])])), (CORBA.TC_any, inner), (D._tc_Dynamic, self.reference),
                (CORBA.TC_TypeCode, D._tc_Card), (CORBA.TC_wstring, "w\u00efde")]
        return CORBA.Any(*made[which]) if which < len(made) else CORBA.Any(CORBA.TC_null, None)


class Echo(Interop__POA.Echo):
    def __init__(self, poa):
        self.poa, self.lock = poa, threading.Lock()
        self.callbacks = []
        self.count = self.sum = 0
        self.title, self.listener = "untitled", None
        self.bin = Interop.BinStruct(0, "\0", 0, 0, 0.0)
        self.diamond = peer.reference_of(poa, Diamond())
        self.passing = peer.reference_of(poa, PassOn(self.diamond))
        dynamic = Dynamic()
        self.dynamic_object = dynamic.reference = peer.reference_of(poa, dynamic)
        gone = poa.activate_object(Diamond())
        self.gone_object = poa.id_to_reference(gone)
        poa.deactivate_object(gone)

    def noop(self):
        self._get_calls()

    def limits(self, high):
        if high:
            return Interop.Primitives(True, 255, "z", 32767, 65535, 2**31 - 1, 2**32 - 1, 2**63 - 1, 2**64 - 1,
                                      3.4028234663852886e38, 1.7976931348623157e308)
        return Interop.Primitives(False, 0, "a", -32768, 0, -2**31, 0, -2**63, 0, -3.4028234663852886e38, -1.7976931348623157e308)

    def describe(self, p):
        return (f"b={int(p.b)} o={p.o} c={p.c} s={p.s} us={p.us} l={p.l} ul={p.ul} ll={p.ll} ull={p.ull} f={int(p.f * 4)} "
                f"d={int(p.d * 4)}")

    def code_points(self, text):
        return [ord(letter) for letter in text]

    code_points_wide = code_points

    def fail_plain(self):
        raise Interop.Plain()

    def fail_detailed(self, why, code):
        if code == 0:
            raise Interop.Plain()
        raise Interop.Detailed(why, code, Interop.BinStruct(-2, "\0", 0, 0, 0.5), ["first hint", why])

    def fail_system(self, which):
        if which == 0:
            raise CORBA.NO_PERMISSION(17, CORBA.COMPLETED_NO)
        if which == 1:
            raise CORBA.BAD_PARAM(42, CORBA.COMPLETED_YES)
        if which == 2:
            raise CORBA.NO_RESOURCES(99, CORBA.COMPLETED_MAYBE)

    def fail_undeclared(self):
        raise D.Refused("no operation declares this", CORBA.Any(CORBA.TC_null, None))

    def note(self, value):
        with self.lock:
            self.sum += value

    def note_text(self, text, values):
        self.note(len(text) + sum(values))

    def _get_note_sum(self):
        return self.sum

    def clear_notes(self):
        with self.lock:
            self.sum = 0

    def _get_title(self):
        return self.title

    def _set_title(self, value):
        self.title = value

    def _get_bin_attribute(self):
        return self.bin

    def _set_bin_attribute(self, value):
        self.bin = value

    def _get_listener(self):
        return self.listener

    def _set_listener(self, value):
        self.listener = value

    def _get_calls(self):
        with self.lock:
            self.count += 1
            return self.count

    def call_back(self, target, text):
        return target.said(text)

    def note_back(self, target, count):
        for i in range(count):
            target.noted(i)
        return target._get_notes()

    def make_callback(self, name):
        return peer.reference_of(self.poa, Callback(name))

    def diamond_as_base(self):
        return self.diamond

    make_diamond = diamond_as_base

    def gone(self):
        return self.gone_object

    def forwarded(self):
        return self.passing

    def dynamic(self):
        return self.dynamic_object

    def make_blob(self, size):
        return bytes((i * 31 + 7) % 251 for i in range(size))

    def sum_blob(self, blob):
        return sum(blob)

    def sum_longs(self, values):
        return sum(values) % 2**64

    def quit(self):
        os.kill(os.getpid(), signal.SIGTERM)


# whatever the type is, it is the same code
for name in vars(Interop._objref_Echo):
    if name.startswith("echo_"):
        setattr(Echo, name, echo)

if __name__ == "__main__":
    peer.serve(lambda orb, poa: peer.reference_of(poa, Echo(poa)))
