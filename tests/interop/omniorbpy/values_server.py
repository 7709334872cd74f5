# SPDX-License-Identifier: Apache-2.0
"""omniORBpy's server of values.idl."""
import peer

peer.load("values/values.idl")
import InteropValues as V  # noqa: E402
import InteropValues__POA  # noqa: E402
import values  # noqa: E402
from omniORB import CORBA  # noqa: E402


class Place(InteropValues__POA.Place):
    def title(self):
        return "a place"

    def visit(self):
        pass


def same(_self, a):
    return a


class Exchange(InteropValues__POA.Exchange):
    echo_base = echo_bases = echo_text = echo_longs = echo_pair = echo_shape = echo_value = echo_titled = echo_holder = echo_any = same
    kept = None

    def __init__(self, place):
        self.place = place

    def _get_kept(self):
        return self.kept

    def _set_kept(self, value):
        self.kept = value

    def echo_tree(self, a, b):
        return a, a, b

    def same(self, a, b):
        return a is b

    def ring_length(self, start):
        return values.ring_length(start)

    def make_ring(self, length):
        return values.ring(length)

    def text_of(self, a):
        return a.text

    def make_inbound(self):
        return values.longer(V.Inbound)

    def make_secret(self):
        return V.Secret(number=1, text="", hidden=2)

    def area_of(self, a):
        return a.area()

    def title_of(self, a):
        return a.title()

    def where(self):
        return self.place

    def fail(self, cause):
        raise V.Failed(cause, "as asked")

    def make_any(self, truncatable_value):
        if truncatable_value:
            return CORBA.Any(V._tc_Inbound, values.longer(V.Inbound))
        made = values.leaf(4)
        made.left = made
        return CORBA.Any(V._tc_Tree, made)


def make(_orb, poa):
    values.forget("Outbound")
    return peer.reference_of(poa, Exchange(peer.reference_of(poa, Place())))


if __name__ == "__main__":
    peer.serve(make)
