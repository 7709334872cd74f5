# SPDX-License-Identifier: Apache-2.0
"""omniORBpy's client of echo.idl and dynamic.idl."""
import threading
import time

import peer

peer.load("echo.idl", "dynamic.idl")
import Interop as I  # noqa: E402
import Interop__POA  # noqa: E402
import InteropDynamic as D  # noqa: E402
from omniORB import CORBA  # noqa: E402

LOW = I.BinStruct(-32768, "a", -2**31, 0, -1.7976931348623157e308)
HIGH = I.BinStruct(32767, "z", 2**31 - 1, 255, 5e-324)
HIGHEST = I.Primitives(True, 255, "z", 32767, 65535, 2**31 - 1, 2**32 - 1, 2**63 - 1, 2**64 - 1, 3.4028234663852886e38,
                       1.7976931348623157e308)
PRIMITIVES = I.Primitives(True, 200, "q", -1, 65535, -2, 4000000000, -3, 18000000000000000000, 1.25, -2.5)
NAN, INFINITY = float("nan"), float("inf")


def mixed(seed):
    return I.Mixed("n" * seed, [I.red, I.green, I.blue][seed % 3], HIGH if seed % 2 else LOW, [i * 0.25 for i in range(seed)],
                   [seed * 10 + i for i in range(4)], ["", "x", "xx"], [I.Point(i, -seed) for i in range(seed % 5)])


def outer(seed):
    return I.Outer(seed, mixed(seed), 0x55, I.Outer.Deep(1, -2**63 + seed), 0xAA)


def tree(depth, width):
    return I.Tree(f"level {depth}", [tree(depth - 1, width) for _ in range(width)] if depth else [])


def fixed(digits, scale, *texts):
    return [CORBA.fixed(digits, scale, text) for text in texts]


BY_LONG = [I.ByLong(small_one=255), I.ByLong(2, "two"), I.ByLong(bin=HIGH), I.ByLong(1000, [1.5, -2.5])]
GREEN = I.ByColour(text="green")
TEXTS = ["", "x", "hello, world", "Gr\u00fc\u00dfe \u00e9\u00ff", "q" * 5000]

# Of each operation echo_NAME: values, each of which is echoed, with the next one as b.
VALUES = {
    "boolean": [True, False], "octet": [0, 1, 127, 128, 255], "char": ["A", " ", "~", "\0"], "wchar": ["w", "\u00e9", "\u6c34"],
    "short": [-32768, -1, 0, 32767], "ushort": [0, 1, 0x8000, 65535], "long": [-2**31, -1, 0, 0x01020304, 2**31 - 1],
    "ulong": [0, 2**31, 2**32 - 1], "longlong": [-2**63, -1, 0, 0x0102030405060708, 2**63 - 1],
    "ulonglong": [0, 2**63, 2**64 - 1], "float": [0.0, -1.5, HIGHEST.f, INFINITY, NAN],
    "double": [0.0, -1.5, 0.1, HIGHEST.d, 5e-324, -INFINITY, NAN], "string": TEXTS, "short_text": ["", "sixteen chars ok", "x"],
    "wstring": ["", "w", "w\u00efde", "\u6c34\u20ac", "\u00e9" * 3000], "short_wide_text": ["", "sixteen \u6c34\u6c34\u6c34"],
    "money": fixed(9, 2, "0", "-1234567.89", "0.01", "9999999.99"),
    "huge": fixed(31, 0, "1234567890123456789012345678901", "-1"), "fraction": fixed(4, 4, "0.9999", "-0.0001"),
    "colour": [I.red, I.green, I.blue], "single": [I.only], "bin": [LOW, HIGH, I.BinStruct(1, "x", 2, 3, 4.5)],
    "primitives": [PRIMITIVES, HIGHEST], "mixed": [mixed(0), mixed(1), mixed(7)], "outer": [outer(0), outer(1), outer(9)],
    "tree": [tree(0, 0), tree(3, 4), tree(40, 1)], "by_long": BY_LONG,
    "by_colour": [I.ByColour(number=-5), GREEN, I.ByColour(I.blue, None)],
    "by_boolean": [I.ByBoolean(number=0.1), I.ByBoolean(integer=-2**63)],
    "by_char": [I.ByChar(alpha=-7), I.ByChar(omega=I.Point(3, -4)), I.ByChar("m", 99)],
    "by_ulonglong": [I.ByULongLong(zero=9), I.ByULongLong(top=[1, -2, 3, -2**31])],
    "by_short": [I.ByShort(inner=GREEN), I.ByShort(shade=I.blue)], "row": [[1, 2, 3, 4], [-2**31, 0, 0, 2**31 - 1]],
    "matrix": [[[1.0, 2.0, 3.0], [4.0, 5.0, 6.5]], [[0.0] * 3] * 2], "names": [["a", "", "c"], [""] * 3],
    "bin_pair": [[LOW, HIGH], [HIGH, LOW]], "short_seq": [[], [-32768, 32767]], "ushort_seq": [[], [0, 65535]],
    "long_seq": [[], [-2**31, 2**31 - 1], list(range(1000))], "ulong_seq": [[], [2**32 - 1]],
    "longlong_seq": [[], [-2**63, 2**63 - 1]], "ulonglong_seq": [[], [0, 2**63, 2**64 - 1]], "float_seq": [[], [0.5, -1.5]],
    "double_seq": [[], [0.1, -0.1]], "char_seq": ["", "ab"], "wchar_seq": [[], ["a", "\u00e9", "\u6c34"]], "octet_seq": [b"", b"\0\1\xff"],
    "boolean_seq": [[], [True, False, True]], "colour_seq": [[], [I.red, I.blue]], "string_seq": [[], ["a", "", "ccc"]],
    "wstring_seq": [[], ["", "\u6c34 w"]], "short_text_seq": [[], ["a", "b" * 16]], "money_seq": [[], fixed(9, 2, "1.50", "-2")],
    "bin_seq": [[], [LOW, HIGH, LOW]], "mixed_seq": [[], [mixed(2), mixed(0), mixed(5)]], "by_long_seq": [[], BY_LONG],
    "row_seq": [[], [[1, 2, 3, 4]] * 2], "long_seq_seq": [[], [[], [1], [2, 3]]], "blobs": [[], [b"", b"abc"]],
    "four_longs": [[], [1, 2, 3, 4]], "two_strings": [[], ["a", "b"]], "three_structs": [[], [LOW, HIGH, LOW]],
}


class Listener(Interop__POA.Callback):
    def __init__(self):
        self.count, self.lock = 0, threading.Lock()

    def said(self, text):
        if text == "refuse":
            raise I.Plain()
        return f"client heard {text}"

    def noted(self, _value):
        with self.lock:
            self.count += 1

    def _get_notes(self):
        return self.count


def soon(wrong):
    """What oneways bring about: asked for until nothing is wrong, or for ten seconds."""
    for _ in range(1000):
        if not wrong():
            break
        time.sleep(0.01)
    return wrong()


def echoes(checks, name, operation, values):
    """`a` comes back as the result and in b, the old b in c."""
    def each():
        for i, a in enumerate(values):
            b = values[(i + 1) % len(values)]
            got = operation(a, b)
            if not peer.alike(list(got), [a, a, b]):
                return f"of {a!r}, {b!r} came {got!r}"[:300]
        return ""
    checks.check(name, each)


def values(checks, echo, big):
    checks.equal("noop", echo.noop, None)
    for name, each in VALUES.items():
        echoes(checks, "echo_" + name, getattr(echo, "echo_" + name), each)
    checks.equal("limits_high", lambda: echo.limits(True), HIGHEST)
    checks.equal("describe", lambda: echo.describe(PRIMITIVES),
                 "b=1 o=200 c=q s=-1 us=65535 l=-2 ul=4000000000 ll=-3 ull=18000000000000000000 f=5 d=-10")
    points = [ord(letter) for letter in TEXTS[3]]
    checks.equal("code_points", lambda: echo.code_points(TEXTS[3]), points)
    checks.equal("code_points_wide", lambda: echo.code_points_wide("a\u00e9\u6c34"), [0x61, 0xe9, 0x6c34])
    checks.equal("make_blob", lambda: echo.make_blob(big), bytes((i * 31 + 7) % 251 for i in range(big)))
    checks.equal("sum_blob", lambda: echo.sum_blob(b"\7" * big), 7 * big)


def behaviour(checks, echo):
    checks.raises("fail_plain", I.Plain, echo.fail_plain)
    checks.raises("fail_detailed", I.Detailed, lambda: echo.fail_detailed("because", -3),
                  lambda error: (error.why, error.code, error.bin.d, error.hints) == ("because", -3, 0.5, ["first hint", "because"]))
    checks.raises("fail_detailed_other", I.Plain, lambda: echo.fail_detailed("because", 0))
    for which, (kind, minor, completed) in enumerate([(CORBA.NO_PERMISSION, 17, CORBA.COMPLETED_NO),
                                                      (CORBA.BAD_PARAM, 42, CORBA.COMPLETED_YES),
                                                      (CORBA.NO_RESOURCES, 99, CORBA.COMPLETED_MAYBE)]):
        checks.raises("fail_system_" + kind.__name__, kind, lambda which=which: echo.fail_system(which),
                      lambda error, minor=minor, completed=completed: (error.minor, error.completed) == (minor, completed))
    checks.raises("fail_undeclared", CORBA.UNKNOWN, echo.fail_undeclared)

    def oneways():
        echo.clear_notes()
        for i in range(50):
            echo.note(i)
        echo.note_text("four", [1, 2, 3])
        return soon(lambda: "" if echo._get_note_sum() == 49 * 50 // 2 + 4 + 6 else f"sum {echo._get_note_sum()}")
    checks.check("oneways", oneways)

    def attributes():
        echo._set_title("a title")
        echo._set_bin_attribute(LOW)
        return "" if echo._get_title() == "a title" and peer.alike(echo._get_bin_attribute(), LOW) else "other values"
    checks.check("attributes", attributes)


def references(checks, echo, mine, servant):
    checks.equal("call_back", lambda: echo.call_back(mine, "you"), "client heard you")
    checks.raises("call_back_exception", I.Plain, lambda: echo.call_back(mine, "refuse"))

    def note_back():
        echo.note_back(mine, 20)
        return soon(lambda: "" if servant.count == 20 else f"{servant.count} notes")
    checks.check("note_back", note_back)
    theirs = echo.make_callback("server")
    checks.equal("make_callback", lambda: theirs.said("me"), "server heard me")
    echoes(checks, "echo_callback", echo.echo_callback, [mine, theirs, None])
    echoes(checks, "echo_object", echo.echo_object, [theirs, None])
    echoes(checks, "echo_callback_seq", echo.echo_callback_seq, [[mine, None, theirs], []])
    echoes(checks, "echo_subscriber", echo.echo_subscriber, [I.Subscriber("name", mine), I.Subscriber("", None)])

    def inheritance():
        diamond = echo.diamond_as_base()._narrow(I.Diamond)
        diamond._set_right_value(-9)
        return "" if diamond.all(21) == ("all", 42, -9) and diamond.leftward(4) == 8 and diamond.who() == "diamond" else "other results"
    checks.check("inheritance", inheritance)
    checks.raises("gone", CORBA.OBJECT_NOT_EXIST, lambda: echo.gone().who())
    checks.equal("forwarded", lambda: echo.forwarded().who(), "diamond")


def dynamic(checks, orb, echo):
    server = echo.dynamic()._narrow(D.Dynamic)
    ace = D.Card(D.clubs, 3, "x")
    hand = [ace, D.Card(D.spades, 11, "")]
    inner = CORBA.Any(D._tc_Card, D.Card(D.hearts, 9, "inner"))
    node = D.Node(1, [D.Node(2, []), D.Node(3, [D.Node(4, [])])])
    made = [(CORBA.TC_long, -7), (CORBA.TC_string, "a string"), (D._tc_Card, ace), (D._tc_Hand, hand),
            (D._tc_Choice, D.Choice(cards=hand)), (D._tc_Triples, [[-2, -1, 0], [1, 2, 3]]),
            (orb.create_fixed_tc(7, 3), CORBA.fixed(7, 3, "-1234.567")), (D._tc_Node, node), (CORBA.TC_any, inner), (D._tc_Dynamic, server),
            (CORBA.TC_TypeCode, D._tc_Card), (CORBA.TC_wstring, "w\u00efde"), (CORBA.TC_null, None)]
    anys = [CORBA.Any(*each) for each in made]
    for which, wanted in enumerate(anys):
        checks.equal(f"make_any_{which}", lambda which=which: server.make(which), wanted)
        echoes(checks, f"echo_any_{which}", server.echo_any, [wanted, anys[0]])
    for kind, value in [("boolean", True), ("octet", 200), ("char", "~"), ("wchar", "\u6c34"), ("short", -32768), ("ushort", 65535),
                        ("ulong", 2**32 - 1), ("longlong", -2**63), ("ulonglong", 2**64 - 1), ("float", -1.5), ("double", 0.1)]:
        echoes(checks, "echo_any_" + kind, server.echo_any, [CORBA.Any(getattr(CORBA, "TC_" + kind), value), anys[0]])
    echoes(checks, "echo_any_seq", server.echo_any_seq, [anys, []])
    echoes(checks, "echo_holder", server.echo_holder, [D.Holder("odd", inner), D.Holder("", anys[0])])
    echoes(checks, "echo_typecode", server.echo_typecode,
           [CORBA.TC_long, CORBA.TC_string, CORBA.TC_any, D._tc_Card, D._tc_Hand, D._tc_Choice, D._tc_Node, D._tc_Amount,
            D._tc_Triples, D._tc_Code, D._tc_Refused, D._tc_Dynamic, CORBA.TC_wstring, CORBA.TC_TypeCode])
    checks.equal("kind_of", lambda: server.kind_of(CORBA.Any(D._tc_Card, ace)), 15)
    checks.equal("card_rank", lambda: server.card_rank(CORBA.Any(D._tc_Card, hand[1])), 2011)
    checks.raises("card_rank_refused", D.Refused, lambda: server.card_rank(anys[0]),
                  lambda error: error.why == "not a card" and peer.alike(error.cause, anys[0]))


def check(checks, orb, poa, reference, options):
    echo = reference._narrow(I.Echo)
    servant = Listener()
    values(checks, echo, options.big)
    behaviour(checks, echo)
    references(checks, echo, peer.reference_of(poa, servant), servant)
    dynamic(checks, orb, echo)


if __name__ == "__main__":
    peer.call(check)
