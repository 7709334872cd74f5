#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""What bench/copy makes of its figures."""
import os
import sys
import unittest

HERE = os.path.dirname(os.path.abspath(__file__))
sys.path.insert(0, HERE)
from threshold import default_of, threshold  # noqa: E402


class Threshold(unittest.TestCase):
    def test_from_where_no_ratio_is_above_one(self):
        self.assertEqual(threshold({512: 1.1, 1024: 1.01, 2048: 1.0, 4096: 0.9}), 2048)

    def test_a_smaller_size_that_happens_to_be_faster_does_not_count(self):
        self.assertEqual(threshold({512: 0.99, 1024: 1.01, 2048: 0.98, 4096: 0.9}), 2048)

    def test_the_order_of_sizes_does_not_matter(self):
        self.assertEqual(threshold({4096: 0.9, 512: 1.1, 2048: 1.2}), 4096)

    def test_always_and_never(self):
        self.assertEqual(threshold({512: 0.9, 1024: 0.8}), 512)
        self.assertIsNone(threshold({512: 0.9, 1024: 1.2}))
        self.assertIsNone(threshold({}))

    def test_the_default_is_found(self):
        self.assertEqual(default_of("  static constexpr std::uint32_t borrow_from = 4'096;  // bytes\n"), 4096)
        with open(os.path.join(HERE, "..", "..", "src", "cdr", "writer.hpp"), encoding="utf-8") as header:
            self.assertGreater(default_of(header.read()), 0)


if __name__ == "__main__":
    unittest.main()
