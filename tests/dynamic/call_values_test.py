# SPDX-License-Identifier: Apache-2.0
"""The program tenon-call and value types, abstract interfaces and references that do not say what they lead to, against a server of
tests/interop/values/values.idl.

call_values_test.py TENON_CALL KIND=SERVER

KIND is tenon or omniorb: the expectations are the same.
"""
import json
import os
import pathlib
import socket
import struct
import sys
import threading

from tenon_call import INTEROP, CallTest, main

sys.path.insert(0, str(INTEROP))
import corbaloc  # noqa: E402

TREE = {"id": 1, "left": {"id": 2, "left": None, "right": None}, "right": {"id": 3, "left": None, "right": None}}
PLAIN = {"number": 1, "text": "one"}
WIDER = {"_type": "InteropValues::Wider", "number": 2, "text": "two", "real": 2.5, "branch": TREE, "tail": "end"}
SECRET = {"_type": "InteropValues::Secret", "number": 3, "text": "three", "hidden": 4}
SQUARE = {"_type": "InteropValues::Square", "side": 3.0}
LABEL = {"_type": "InteropValues::Label", "text": "a label"}


class Values(CallTest):
    idl = INTEROP / "values" / "values.idl"

    def echoes(self, operation, value):
        self.assertEqual(self.call(operation, json.dumps(value)), {"return": value})

    def test_derived_values_are_shown_whole(self):
        inbound = {"_type": "InteropValues::Inbound", "number": 7, "text": "in", "real": 1.5, "branch": TREE, "tail": "tail",
                   "last": 9, "more": TREE}
        self.assertEqual(self.call("make_inbound")["return"], inbound)
        secret = self.call("make_secret")["return"]
        self.assertEqual((secret["_type"], secret["hidden"]), ("InteropValues::Secret", 2))

    def test_derived_values_are_written_whole(self):
        for value in [PLAIN, WIDER, SECRET, None]:
            with self.subTest(value=value):
                self.echoes("echo_base", value)
        self.echoes("echo_bases", [WIDER, PLAIN, None, SECRET, WIDER])
        holder = {"root": TREE, "form": dict(SQUARE, side=2.0), "box": "boxed", "whatever": WIDER, "bases": [SECRET, PLAIN],
                  "chosen": {"_d": 1, "branch": TREE["left"]}, "again": None}
        self.echoes("echo_holder", holder)
        self.echoes("echo_any", {"type": "InteropValues::Base", "value": PLAIN})

    def test_values_of_abstract_types(self):
        self.echoes("echo_shape", SQUARE)
        self.assertEqual(self.call("area_of", json.dumps(SQUARE)), {"return": 9.0})
        self.echoes("echo_value", dict(TREE, _type="InteropValues::Tree"))

    def test_boxes_and_rings(self):
        self.echoes("echo_text", "in a box")
        self.echoes("echo_longs", [1, 2])
        self.echoes("echo_pair", {"x": 1, "y": 2.0})
        ring = self.call("make_ring", "2")["return"]
        self.assertEqual(ring["left"]["left"], "...")

    def test_what_the_idl_does_not_know(self):
        part = pathlib.Path(self.folder) / "part.idl"
        part.write_text("module InteropValues { valuetype Tree { public long id; public Tree left; public Tree right; };\n"
                        "valuetype Base { public long number; private string text; };\n"
                        "valuetype Wider : truncatable Base { public double real; public Tree branch; public string tail; };\n"
                        "interface Exchange { Base make_inbound(); Base make_secret(); }; };", encoding="ascii")
        shown = self.call("make_inbound", idl=part)["return"]
        self.assertEqual((shown["_type"], shown["tail"]), ("IDL:InteropValues/Inbound:1.0", "tail"))
        self.assertNotIn("last", shown)
        self.assertEqual(self.call("make_secret", idl=part, status=2)["exception"]["id"], "IDL:omg.org/CORBA/NO_IMPLEMENT:1.0")

    def test_abstract_interfaces(self):
        place = self.call("where")["return"]
        self.assertEqual(self.call("title_of", place), {"return": "a place"})
        self.assertEqual(self.call("title_of", json.dumps(place)), {"return": "a place"})
        self.assertTrue(self.call("echo_titled", place)["return"].startswith("IOR:"))
        self.echoes("echo_titled", LABEL)
        self.echoes("echo_titled", None)
        self.assertEqual(self.call("title_of", json.dumps(LABEL)), {"return": "a label"})

    def test_refusals(self):
        for wanted, arguments in [
                ("a: InteropValues::Shape is abstract; say what it is", ["echo_shape", '{"side": 1}']),
                ("a._type: InteropValues::Tree is no InteropValues::Shape", ["echo_shape", json.dumps(dict(TREE, _type="InteropValues::Tree"))]),
                ("no type is called 'Nothing'", ["echo_base", '{"_type": "Nothing"}']),
                ("a._type: long is no InteropValues::Base", ["echo_base", '{"_type": "long"}']),
                ("a: member real is missing", ["echo_base", json.dumps(dict(PLAIN, _type="InteropValues::Wider"))]),
                ("InteropValues::Base has no member more", ["echo_base", json.dumps(dict(PLAIN, more=1))]),
                ("a: BAD_PARAM: unknown scheme", ["title_of", "5"]),
                ("did you mean 'echo_base'?", ["echo_bse", "null"]),
                ("no operation or attribute 'nothing_like_it'; --list shows", ["nothing_like_it"])]:
            with self.subTest(wanted):
                self.assertIn(wanted, self.refused(*arguments))

    def corbaloc(self, reference):
        path = os.path.join(self.folder, "one.ior")
        pathlib.Path(path).write_text(reference, encoding="ascii")
        return corbaloc.of(path)

    def test_references_that_do_not_say(self):
        exchange = self.corbaloc(self.reference)
        place = self.corbaloc(self.call("where")["return"])
        # One interface has it; several have it, and the object says which of them it is.
        self.assertEqual(self.call("echo_text", '"x"', reference=exchange), {"return": "x"})
        two = pathlib.Path(self.folder) / "two.idl"
        others = "interface Other { string title(); }; interface Third { long title(); };"
        two.write_text("module InteropValues { %s };" % others, encoding="ascii")
        refused = self.refused("title", reference=place, idl=two)
        self.assertIn("says (_is_a) that it has none of these", refused)
        self.assertIn("perhaps --interface InteropValues::Other", refused)
        two.write_text("module InteropValues { %s interface Place { string title(); void visit(); }; };" % others, encoding="ascii")
        self.assertEqual(self.call("title", reference=place, idl=two), {"return": "a place"})
        self.assertEqual(self.run_it("--list", reference=place, idl=two).stdout.splitlines()[-1], "void visit()")
        wrong = self.refused("titel", reference=place, idl=two)
        self.assertIn("no interface in", wrong)
        self.assertIn("has an operation or attribute 'titel'; did you mean 'title'?", wrong)
        dead = self.refused("title", reference="corbaloc::127.0.0.1:1/x", idl=two, options=["--timeout", "5"])
        self.assertIn("cannot be asked (_is_a): TRANSIENT", dead)

    def test_elements_without_octets(self):
        """A reply whose any is an array of 2^32-1 empty structs."""
        def string(text):
            return struct.pack("<I", len(text) + 1) + text + b"\0"

        def encapsulation(data):
            return struct.pack("<I", len(data) + 1) + b"\1" + data
        empty = struct.pack("<3xI", 15) + encapsulation(b"\0\0\0" + string(b"") + b"\0\0\0" + string(b"") + b"\0\0\0" + struct.pack("<I", 0))
        array = struct.pack("<I", 20) + encapsulation(empty + b"\0" * (-(1 + len(empty)) % 4) + struct.pack("<I", 0xFFFFFFFF))
        with socket.create_server(("127.0.0.1", 0)) as listener:
            def answer():
                peer, _ = listener.accept()
                with peer:
                    request = peer.recv(65536)
                    body = request[12:16] + struct.pack("<II", 0, 0) + array
                    peer.sendall(b"GIOP\1\2\1\1" + struct.pack("<I", len(body)) + body)
                    peer.recv(1)
            thread = threading.Thread(target=answer)
            thread.start()
            got = self.call("make_any", "true", reference=f"corbaloc::1.2@127.0.0.1:{listener.getsockname()[1]}/x", status=2)
            thread.join()
        self.assertEqual(got["exception"]["id"], "IDL:omg.org/CORBA/MARSHAL:1.0")


if __name__ == "__main__":
    main()
