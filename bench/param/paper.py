# SPDX-License-Identifier: Apache-2.0
"""Figures of "Developing a Minimum-Footprint, Embedded IIOP Engine and IDL Compiler", to be set beside ours: TAO in 1999 on an
UltraSPARC-II of 300 MHz. Octets of code, calls, milliseconds for 2,000 calls."""

TYPES = ("short", "ubstring", "fixed_struct", "strseq", "var_struct", "nested_struct", "struct_seq")

# Table XIII: (type, role, direction) -> interpreted, compiled.
XIII = {
    ("fixed_struct", "server", "marshal"): (84.21, 13.76),
    ("fixed_struct", "server", "demarshal"): (57.29, 9.93),
    ("fixed_struct", "client", "marshal"): (56.17, 9.17),
    ("fixed_struct", "client", "demarshal"): (85.89, 14.90),
    ("strseq", "server", "marshal"): (335.46, 279.00),
    ("strseq", "server", "demarshal"): (98.52, 219.00),
    ("strseq", "client", "marshal"): (95.43, 68.76),
    ("strseq", "client", "demarshal"): (256.24, 665.71),
}

# Table XIV: operators that marshal and demarshal one value, compiled: type -> operator<<, operator>>.
XIV = {"ubstring": (192, 240), "fixed_struct": (280, 256), "strseq": (312, 264), "var_struct": (176, 192),
       "nested_struct": (88, 88), "struct_seq": (208, 208)}

# Table XV, stubs: interpreted stub, table; compiled stub, helper.
XV = {"short": (320, 88, 1112, 0), "ubstring": (352, 88, 1000, 432), "fixed_struct": (344, 88, 1112, 536),
      "strseq": (496, 88, 1120, 576), "var_struct": (496, 88, 1120, 368), "nested_struct": (496, 88, 1120, 176),
      "struct_seq": (496, 88, 1120, 416)}

# Table XVI, skeletons: interpreted skeleton, table; compiled skeleton, helper.
XVI = {"short": (440, 88, 544, 0), "ubstring": (552, 88, 688, 432), "fixed_struct": (480, 88, 584, 536),
       "strseq": (848, 88, 952, 576), "var_struct": (680, 88, 784, 368), "nested_struct": (680, 88, 784, 176),
       "struct_seq": (848, 88, 952, 416)}

# Table XVII: interpreted in per cent of compiled: speed, stub size, skeleton size.
XVII = {"short": (85.48, 36.69, 97.06), "ubstring": (85.12, 30.73, 57.14), "fixed_struct": (74.96, 26.21, 50.17),
        "strseq": (106.66, 34.43, 61.26), "var_struct": (99.20, 39.25, 66.66), "nested_struct": (95.77, 45.06, 80.00),
        "struct_seq": (107.69, 38.02, 68.42)}

# Table XVIII: structures, sequences, operations and attributes of OMG services.
XVIII = {"Trading": (11, 7, 63), "A/V Streams": (2, 3, 50), "Property": (3, 5, 33), "Events": (0, 0, 18), "Naming": (2, 2, 13),
         "Scheduling": (4, 4, 10), "Logging": (1, 0, 6), "LifeCycle": (0, 1, 6)}
