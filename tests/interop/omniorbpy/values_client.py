# SPDX-License-Identifier: Apache-2.0
"""omniORBpy's client of values.idl: the checks of omniORB's and of ours, and values in an Any of their base."""
import peer

peer.load("values/values.idl")
import InteropValues as V  # noqa: E402
import values  # noqa: E402
from omniORB import CORBA  # noqa: E402


def trees(checks, server):
    checks.equal("value_null", lambda: server.echo_tree(None, None), (None, None, None))

    def whole():
        back, after, old = server.echo_tree(values.tree(), values.leaf(99))
        if not peer.alike(back, values.tree()) or old.id != 99:
            return "other values"
        return "" if back is after else "result and inout are not one value"
    checks.check("value_tree", whole)
    a = values.tree()
    checks.equal("value_shared", lambda: (server.same(a, a), server.same(a, values.tree())), (True, False))
    checks.equal("value_ring", lambda: (server.ring_length(values.ring(5)), values.ring_length(server.make_ring(7))), (5, 7))


def bases(checks, server):
    wanted = values.wider(V.Wider)
    checks.equal("value_derived", lambda: (server.text_of(wanted), server.echo_base(wanted)), ("in", wanted))
    checks.equal("value_truncated_there", lambda: server.echo_base(values.longer(V.Outbound)), wanted)
    checks.equal("value_truncated_here", server.make_inbound, wanted)
    checks.raises("value_unknown", CORBA.MARSHAL, server.make_secret)

    def sequence():
        three = V.Base(3, "")
        back = server.echo_bases([values.longer(V.Outbound), None, three, three])
        if not peer.alike(back, [wanted, None, three, three]):
            return f"got {back!r}"
        return "" if back[2] is back[3] else "not one value twice"
    checks.check("value_sequence", sequence)

    def attribute():
        server._set_kept(V.Base(12, "twelve"))
        return "" if peer.alike(server._get_kept(), V.Base(12, "twelve")) else "another value"
    checks.check("value_attribute", attribute)


def others(checks, server, place):
    checks.equal("value_boxes", lambda: (server.echo_text("boxed"), server.echo_longs([0, 0, 33]), server.echo_text(None)),
                 ("boxed", [0, 0, 33], None))
    checks.equal("value_box_of_a_struct", lambda: server.echo_pair(V.Pair(1, 2.5)), V.Pair(1, 2.5))
    square = values.Square(3.0)
    checks.equal("value_abstract", lambda: (server.area_of(square), server.echo_shape(square)), (9.0, square))
    checks.equal("value_base", lambda: server.echo_value(values.tree()), values.tree())
    label = values.Label("a label")
    checks.equal("value_abstract_interface", lambda: (server.title_of(label), server.echo_titled(label)), ("a label", label))
    checks.equal("value_abstract_interface_object", lambda: (server.title_of(place), server.echo_titled(place).title()),
                 ("a place", "a place"))

    def holder(kind):
        root = values.tree()
        longer = values.longer(V.Outbound) if kind is V.Outbound else values.wider(kind)
        return V.Holder(root, values.Square(2.0), "in a struct", longer, [longer], V.Choice(branch=root), root)

    def whole():
        back = server.echo_holder(holder(V.Outbound))
        if not peer.alike(back, holder(V.Wider)):
            return f"got {back!r}"
        return "" if back.root is back.again and back.root is back.chosen.branch else "the tree is not one value"
    checks.check("value_holder", whole)
    checks.raises("value_exception", V.Failed, lambda: server.fail(values.tree()),
                  lambda error: peer.alike(error.cause, values.tree()) and error.why == "as asked")


def anys(checks, server):
    def ring():
        made = values.tree()
        made.left.left = made
        return CORBA.Any(V._tc_Tree, made)
    checks.equal("value_any", lambda: server.echo_any(ring()), ring())

    def itself():
        made = values.leaf(4)
        made.left = made
        return CORBA.Any(V._tc_Tree, made)
    checks.equal("value_any_made_there", lambda: server.make_any(False), itself())
    # The type of the Any is the base, the value is more: that must come back whole, private members too.
    for name, value in [("wider", values.wider(V.Wider)), ("secret", V.Secret(number=3, text="three", hidden=4)), ("null", None)]:
        wanted = CORBA.Any(V._tc_Base, value)
        checks.equal("value_any_of_its_base_" + name, lambda wanted=wanted: server.echo_any(wanted), wanted)
    bases = CORBA.Any(V._tc_BaseSeq, [values.wider(V.Wider), None, V.Base(3, "")])
    checks.equal("value_any_of_a_sequence_of_bases", lambda: server.echo_any(bases), bases)


def check(checks, _orb, _poa, reference, _options):
    server = reference._narrow(V.Exchange)
    place = server.where()
    trees(checks, server)
    anys(checks, server)
    values.forget("Inbound", "Secret")
    bases(checks, server)
    others(checks, server, place)


if __name__ == "__main__":
    peer.call(check)
