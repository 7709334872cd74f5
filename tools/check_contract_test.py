#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
import unittest

from check_contract import checked, hash_of

TEXT = "inline constexpr std::uint32_t protocol_contract = 3;  // of headers {}\n"


class Contract(unittest.TestCase):
    def test_comments_and_blanks_do_not_count(self):
        self.assertEqual(hash_of(["int a;  // one\n"]), hash_of(["int  a;\n// two\n"]))
        self.assertNotEqual(hash_of(["int a;"]), hash_of(["int b;"]))

    def test_a_change_is_told(self):
        text = TEXT.format(hash_of(["int a;"]))
        self.assertEqual(checked(text, ["int a;"], False), (text, None))
        self.assertIn("since contract 3", checked(text, ["long a;"], False)[1])

    def test_update_raises_the_number(self):
        text, wrong = checked(TEXT.format("0"), ["long a;"], True)
        self.assertIsNone(wrong)
        self.assertIn("protocol_contract = 4;  // of headers " + hash_of(["long a;"]), text)

    def test_a_header_without_a_number(self):
        self.assertIn("has no", checked("", [], True)[1])


if __name__ == "__main__":
    unittest.main()
