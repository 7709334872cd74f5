// SPDX-License-Identifier: Apache-2.0
//
// omniORB's client, sequences: of every element kind, empty, of one and of many.
//
// Threads: main only.

#include "exchange.hpp"

namespace peer {

namespace {

void sequences_of_primitives(Ref* echo) {
  VARIABLE(ShortSeq, echo_short_seq, (sequences<ShortSeq, CORBA::Short>({SHRT_MIN, -1, 258})));
  VARIABLE(UShortSeq, echo_ushort_seq, (sequences<UShortSeq, CORBA::UShort>({65535, 0, 258})));
  VARIABLE(LongSeq, echo_long_seq, (sequences<LongSeq, CORBA::Long>({INT_MIN, -1, 0x01020304})));
  VARIABLE(ULongSeq, echo_ulong_seq, (sequences<ULongSeq, CORBA::ULong>({UINT_MAX, 0, 0x01020304})));
  VARIABLE(LongLongSeq, echo_longlong_seq, (sequences<LongLongSeq, CORBA::LongLong>({LLONG_MIN, -1, 258})));
  VARIABLE(ULongLongSeq, echo_ulonglong_seq, (sequences<ULongLongSeq, CORBA::ULongLong>({ULLONG_MAX, 258})));
  VARIABLE(FloatSeq, echo_float_seq, (sequences<FloatSeq, CORBA::Float>({0.5f, -1e30f, 3.f})));
  VARIABLE(DoubleSeq, echo_double_seq, (sequences<DoubleSeq, CORBA::Double>({0.1, -1e300, 3.})));
  VARIABLE(CharSeq, echo_char_seq, (sequences<CharSeq, CORBA::Char>({'a', 'Z', '0', '~'})));
  VARIABLE(OctetSeq, echo_octet_seq, (sequences<OctetSeq, CORBA::Octet>({0, 255, 128, 7})));
  VARIABLE(BooleanSeq, echo_boolean_seq, (sequences<BooleanSeq, CORBA::Boolean>({true, false, false})));
}

void sequences_of_constructed(Ref* echo) {
  VARIABLE(ColourSeq, echo_colour_seq, (sequences<ColourSeq, Colour>({blue, red})));
  VARIABLE(StringSeq, echo_string_seq, (sequences<StringSeq, const char*>({"", "one", "three"})));
  VARIABLE(ShortTextSeq, echo_short_text_seq,
           (sequences<ShortTextSeq, const char*>({"", "sixteen chars ok"})));
  MoneySeq sums;
  sums.length(3);
  sums[0] = CORBA::Fixed("-0.01");
  sums[2] = CORBA::Fixed("9999999.99");
  check("echo_money_seq", [&] {
    MoneySeq b;
    MoneySeq_var c;
    MoneySeq_var r = echo->echo_money_seq(sums, b, c.out());
    return verdict(same(r.in(), sums), same(b, sums), c->length() == 0);
  });
  VARIABLE(BinStructSeq, echo_bin_seq, (sequences<BinStructSeq, BinStruct>({bin_low, bin_high})));
  VARIABLE(MixedSeq, echo_mixed_seq, (sequences<MixedSeq, Mixed>({mixed(0), mixed(2), mixed(5)})));
  RowSeq rows;
  rows.length(3);
  for (CORBA::ULong i = 0; i < 12; ++i) rows[i / 4][i % 4] = static_cast<CORBA::Long>(i) - 6;
  VARIABLE(RowSeq, echo_row_seq, (std::vector<RowSeq>{RowSeq(), rows}));
  LongSeqSeq nested;
  nested.length(3);
  nested[1] = sequence<LongSeq, CORBA::Long>({1, -1});
  nested[2] = sequence<LongSeq, CORBA::Long>({7});
  VARIABLE(LongSeqSeq, echo_long_seq_seq, (std::vector<LongSeqSeq>{LongSeqSeq(), nested}));
  Blobs blobs;
  blobs.length(4);
  for (CORBA::ULong i = 0; i < 4; ++i) {
    blobs[i].length(i);
    for (CORBA::ULong j = 0; j < i; ++j) blobs[i][j] = static_cast<CORBA::Octet>(j);
  }
  VARIABLE(Blobs, echo_blobs, (std::vector<Blobs>{Blobs(), blobs}));
  VARIABLE(UpToFourLongs, echo_four_longs,
           (std::vector<UpToFourLongs>{UpToFourLongs(), sequence<UpToFourLongs, CORBA::Long>({1, 2, 3, 4})}));
  VARIABLE(UpToTwoStrings, echo_two_strings,
           (std::vector<UpToTwoStrings>{UpToTwoStrings(), sequence<UpToTwoStrings, const char*>({"a", ""})}));
  VARIABLE(UpToThreeStructs, echo_three_structs,
           (std::vector<UpToThreeStructs>{
               UpToThreeStructs(), sequence<UpToThreeStructs, BinStruct>({bin_low, bin_high, bin_low})}));
}

}  // namespace

void sequence_checks(Echo_ptr echo) {
  sequences_of_primitives(echo);
  sequences_of_constructed(echo);
}

}  // namespace peer
