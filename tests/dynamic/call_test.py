# SPDX-License-Identifier: Apache-2.0
"""The program tenon-call from outside, against a server of tests/interop/echo.idl and dynamic.idl.

call_test.py TENON_CALL KIND=SERVER

KIND is tenon or omniorb: the expectations are the same.
"""
import json
import pathlib
import time

from tenon_call import CallTest, main

BIN = {"s": -2, "c": "x", "l": 70000, "o": 255, "d": 0.5}
MIXED = {"name": "m", "shade": "green", "bin": BIN, "values": [0.25, -1.0], "four": [1, 2, 3, 4], "three": ["a", "", "c"],
         "path": [{"x": 1, "y": -1}]}


class Call(CallTest):
    def echoes(self, operation, a, b):
        """Every echo gives the same, whatever the type: `a` back, and in b; the old b in c."""
        got = self.call(operation, json.dumps(a), json.dumps(b))
        self.assertEqual(got, {"return": a, "out": {"b": a, "c": b}})

    def test_basic_types(self):
        for operation, a, b in [
                ("boolean", True, False), ("octet", 0, 255), ("char", "a", "z"), ("wchar", "\u20ac", "w"),
                ("short", -32768, 32767), ("ushort", 0, 65535), ("long", -2147483648, 2147483647), ("ulong", 0, 4294967295),
                ("longlong", -9223372036854775808, 9223372036854775807), ("ulonglong", 0, 18446744073709551615),
                ("float", 0.5, "Infinity"), ("double", 0.1, "-Infinity"), ("string", "gr\u00fc\u00df \"q\"\n", ""),
                ("wstring", "w\u00efde \u20ac \U0001f600", ""), ("short_text", "sixteen or fewer", "x"),
                ("money", "-1234567.89", "0.01"), ("huge", "1234567890123456789012345678901", "7"),
                ("colour", "blue", "red")]:
            with self.subTest(operation):
                self.echoes("echo_" + operation, a, b)

    def test_constructed_types(self):
        tree = {"label": "root", "children": [{"label": "leaf", "children": []}, {"label": "", "children": []}]}
        outer = {"before": 1, "inside": MIXED, "between": 2, "depth": {"o": 3, "ll": 1 << 40}, "after": 4}
        for operation, a, b in [
                ("bin", BIN, dict(BIN, s=1)), ("mixed", MIXED, dict(MIXED, name="")), ("outer", outer, dict(outer, after=9)),
                ("tree", tree, tree["children"][0]),
                ("by_long", {"_d": 2, "text": "two"}, {"_d": 99, "numbers": [1.5]}),
                ("by_colour", {"_d": "blue"}, {"_d": "green", "text": "t"}),
                ("by_boolean", {"_d": True, "number": 0.5}, {"_d": False, "integer": -1}),
                ("by_char", {"_d": "z", "omega": {"x": 1, "y": 2}}, {"_d": "q", "rest": 7}),
                ("by_ulonglong", {"_d": 18446744073709551615, "top": [1, 2, 3, 4]}, {"_d": 0, "zero": 1}),
                ("by_short", {"_d": -32768, "inner": {"_d": "red", "number": 5}}, {"_d": 0, "shade": "red"}),
                ("row", [1, 2, 3, 4], [0, 0, 0, 0]), ("matrix", [[1.0, 2.0, 3.0], [4.0, 5.0, 6.5]], [[0.0] * 3] * 2),
                ("names", ["a", "b", ""], ["", "", ""]), ("octet_seq", [1, 2, 255], []), ("boolean_seq", [True, False], []),
                ("wchar_seq", ["\u20ac"], []), ("colour_seq", ["red", "blue"], ["green"]), ("money_seq", ["1.50"], []),
                ("mixed_seq", [MIXED, MIXED], []), ("by_long_seq", [{"_d": -1, "small_one": 8}], []),
                ("row_seq", [[1, 2, 3, 4]], []), ("long_seq_seq", [[], [1]], [[2]]), ("four_longs", [1, 2, 3, 4], [])]:
            with self.subTest(operation):
                self.echoes("echo_" + operation, a, b)

    def test_text_needs_no_quotes(self):
        got = self.call("echo_string", "plain words", '"quoted"')
        self.assertEqual(got["out"], {"b": "plain words", "c": "quoted"})
        self.assertEqual(self.call("echo_colour", "red", "green")["return"], "red")

    def test_union_without_discriminator(self):
        got = self.call("echo_by_long", '{"text": "one"}', '{"numbers": []}')
        self.assertEqual(got["return"], {"_d": 1, "text": "one"})
        self.assertIn("numbers", got["out"]["c"])

    def test_references(self):
        made = self.call("make_callback", "bell")["return"]
        self.assertTrue(made.startswith("IOR:"))
        self.assertEqual(self.call("said", "ding", reference=made), {"return": "bell heard ding"})
        self.assertIsNone(self.call("echo_object", "null", made)["return"])
        subscriber = self.call("echo_subscriber", json.dumps({"name": "s", "target": made}), '{"name": "", "target": null}')
        self.assertEqual(self.call("said", "dong", reference=subscriber["return"]["target"])["return"], "bell heard dong")

    def test_attributes(self):
        self.assertEqual(self.call("title", "called"), {})
        self.assertEqual(self.call("title"), {"return": "called"})
        self.assertEqual(self.call("_get_title"), {"return": "called"})
        self.assertIn("readonly", self.refused("calls", "1"))

    def test_oneway(self):
        self.call("clear_notes")
        self.assertEqual(self.call("note", "7"), {})
        self.assertEqual(self.call("note", "8"), {})
        deadline = time.monotonic() + 20
        while self.call("note_sum")["return"] != 15 and time.monotonic() < deadline:
            time.sleep(0.05)
        self.assertEqual(self.call("note_sum"), {"return": 15})

    def test_user_exception(self):
        raised = self.call("fail_detailed", "because", "5", status=1)["exception"]
        self.assertEqual(raised["id"], "IDL:tenon.test/Interop/Detailed:1.0")
        self.assertEqual((raised["members"]["why"], raised["members"]["code"]), ("because", 5))
        self.assertEqual(raised["members"]["bin"]["d"], 0.5)
        self.assertEqual(self.call("fail_plain", status=1)["exception"]["members"], {})

    def test_system_exception(self):
        raised = self.call("fail_system", "1", status=2)["exception"]
        self.assertEqual((raised["id"], raised["minor"], raised["completed"]), ("IDL:omg.org/CORBA/BAD_PARAM:1.0", 42, "YES"))
        nobody = self.call("noop", reference="corbaloc::127.0.0.1:1/x", options=["--timeout", "5"], status=2)
        self.assertEqual(nobody["exception"]["id"], "IDL:omg.org/CORBA/TRANSIENT:1.0")

    def test_any_and_typecode(self):
        dynamic = self.call("dynamic")["return"]

        def call(*arguments, **more):
            return self.call(*arguments, reference=dynamic, idl="dynamic.idl", **more)
        card = {"type": "InteropDynamic::Card", "value": {"colour": "spades", "value": 12, "note": "queen"}}
        self.assertEqual(call("card_rank", json.dumps(card)), {"return": 2012})
        nested = {"type": "any", "value": {"type": "sequence<long>", "value": [1, 2]}}
        got = call("echo_any", json.dumps(card), json.dumps(nested))
        self.assertEqual(got, {"return": card, "out": {"b": card, "c": nested}})
        self.assertEqual(call("echo_typecode", "InteropDynamic::Card", "long"),
                         {"return": "InteropDynamic::Card", "out": {"b": "InteropDynamic::Card", "c": "long"}})
        holder = {"name": "h", "value": card}
        self.assertEqual(call("echo_holder", json.dumps(holder), json.dumps(holder))["return"], holder)
        self.assertEqual(call("make", "7")["return"]["type"], "InteropDynamic::Node")
        refused = call("card_rank", '{"type": "long", "value": 1}', status=1)
        self.assertEqual(refused["exception"]["members"]["cause"], {"type": "long", "value": 1})

    def test_built_in_operations(self):
        done = self.run_plain(self.reference, "_is_a", "IDL:tenon.test/Interop/Echo:1.0")
        self.assertEqual((done.returncode, json.loads(done.stdout)), (0, {"return": True}))

    def test_list(self):
        listed = self.run_it("--list").stdout.splitlines()
        self.assertIn("long echo_long(in long a, inout long b, out long c)", listed)
        self.assertIn("attribute string title", listed)

    def test_compact(self):
        self.assertEqual(self.run_it("--compact", "echo_octet", "1", "2").stdout, '{"return":1,"out":{"b":1,"c":2}}\n')

    def test_refusals(self):
        for wanted, arguments in [
                ("a: 3000000000 is no long", ["echo_long", "3000000000", "1"]), ("a: -1 is no octet", ["echo_octet", "-1", "1"]),
                ("argument b is missing: long echo_long(", ["echo_long", "1"]), ("3 arguments, but 2 are wanted", ["echo_long", "1", "2", "3"]),
                ("a: {1 is not JSON", ["echo_bin", "{1", "{}"]), ("a: member s is missing", ["echo_bin", "{}", "{}"]),
                ("has no member extra", ["echo_bin", json.dumps(dict(BIN, extra=1)), "{}"]),
                ("a[1]: \"x\" is no long", ["echo_row", '[1, "x", 3, 4]', "[]"]), ("the array has 4 elements", ["echo_row", "[1]", "[]"]),
                ("bound of 4", ["echo_four_longs", "[1,2,3,4,5]", "[]"]), ("a: \"mauve\" is no Interop::Colour", ["echo_colour", "mauve", "red"]),
                ("longer than its bound", ["echo_short_text", "seventeen letters", "x"]),
                ("does not select member 'text'", ["echo_by_long", '{"_d": 7, "text": "x"}', "{}"]),
                ("no operation or attribute 'nothing'", ["nothing"]), ("\"12345678.901\" is no", ["echo_money", "12345678.901", "0"])]:
            with self.subTest(wanted):
                self.assertIn(wanted, self.refused(*arguments))

    def ambiguous(self):
        path = pathlib.Path(self.folder) / "two.idl"
        path.write_text("module Interop { interface A { void who(); }; interface B { void who(); }; };", encoding="ascii")
        return path

    def test_wrong_usage(self):
        self.assertIn("is no valid IDL", self.refused("noop", idl="missing.idl"))
        self.assertIn("no interface Interop::Nobody", self.refused("noop", options=["--interface", "Interop::Nobody"]))
        # a reference that says nothing, and two interfaces that have the operation
        self.assertIn("perhaps --interface Interop::", self.refused("who", reference="corbaloc::127.0.0.1:1/x", idl=self.ambiguous()))
        self.assertIn("--timout", self.refused("--timout", "5", "noop"))
        got = self.call("echo_string", "--", "--x", "-y")
        self.assertEqual(got["out"], {"b": "--x", "c": "-y"})
        self.assertEqual(self.run_plain().returncode, 3)
        self.assertEqual(self.run_plain("--help").returncode, 0)


if __name__ == "__main__":
    main()
