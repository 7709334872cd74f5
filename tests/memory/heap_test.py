#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Whose an allocation is, as tests/memory/heap.py says."""
import unittest

import heap

NEW = "libstdc++.so.6!_Znwm"
READER = ("std::__cxx11::basic_string<char>::_M_mutate(unsigned long)", "tenon::cdr::Reader::get_string(std::string&, unsigned long)")


class Owners(unittest.TestCase):
    def test_the_engine_owns_what_it_asks_for(self):
        self.assertEqual(heap.owner_of((NEW, "std::vector<tenon::orb::Way>::push_back(tenon::orb::Way&&)",
                                        "tenon::orb::select_link(tenon::orb::Reference&)", "main")), "orb")

    def test_a_reader_works_for_whoever_calls_it(self):
        self.assertEqual(heap.owner_of((NEW, *READER, "tenon::ior::decode_profile(tenon::cdr::Reader&)")), "orb")
        self.assertEqual(heap.owner_of((NEW, *READER, "Param::ParamTest::test_ubstring(std::string const&)")), "program")
        self.assertEqual(heap.owner_of((NEW, *READER, "tenon::gen::Sequence<tenon::gen::String<0u>, 0u>::get_each(tenon::cdr::Reader&)")),
                         "program")

    def test_threads_belong_to_who_starts_them(self):
        self.assertEqual(heap.owner_of(("libc.so.6!calloc", "libc.so.6!pthread_create", "tenon::orb::Workers::add_thread()")), "orb")

    def test_exception_objects_are_the_languages(self):
        self.assertEqual(heap.owner_of((NEW, "libstdc++.so.6!__cxa_allocate_exception", "tenon::gen::raise(tenon::Error)")), "language")


class Reports(unittest.TestCase):
    class Names:
        @staticmethod
        def name(frame):
            return frame

    def test_stacks_are_read_with_their_phases(self):
        found = heap.read("client", "hello\nA 1 3 96 tenon::orb::one() main\nA 5 1 8 main\n", self.Names)
        self.assertEqual(found, [heap.Allocation("client", "calls", 3, 96, "orb", ("tenon::orb::one()", "main")),
                                 heap.Allocation("client", "reconnects", 1, 8, "program", ("main",))])
        self.assertEqual(heap.totals(found, "orb"), {"client": 3, "server": 0})

    def test_what_had_no_place_is_a_failure(self):
        with self.assertRaisesRegex(heap.Failed, "server had no place to count 7"):
            heap.read("server", "L 7\n", self.Names)


if __name__ == "__main__":
    unittest.main()
