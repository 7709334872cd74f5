// SPDX-License-Identifier: Apache-2.0
//
// References for which there is no memory, and what bounds the others.
#include <gtest/gtest.h>

#include <string>
#include <vector>

#include "base/minor_codes.hpp"
#include "base/no_memory_test_support.hpp"
#include "cdr/reader.hpp"
#include "cdr/value_memory.hpp"
#include "cdr/writer.hpp"
#include "ior/components.hpp"
#include "ior/listen_points.hpp"
#include "ior/object_url.hpp"
#include "ior/uiop_profile.hpp"

namespace tenon::ior {
namespace {

TEST(Bounds, AHostHasAtMost255Octets) {
  const IiopAddress longest{std::string(255, 'h'), 1};
  const IiopAddress longer{std::string(256, 'h'), 1};
  EXPECT_TRUE(parse_iiop_profile(make_iiop_profile({2, longest, {1}, {}}).data));
  EXPECT_EQ(parse_iiop_profile(make_iiop_profile({2, longer, {1}, {}}).data).error(), errors::bad_profile);
  EXPECT_EQ(alternate_addresses({alternate_address_component(longer), alternate_address_component(longest)}),
            std::vector{longest});
  EXPECT_TRUE(parse_listen_points(make_listen_points(std::vector{longest}), 4));
  EXPECT_FALSE(parse_listen_points(make_listen_points(std::vector{longest, longer}), 4));
  EXPECT_TRUE(parse_iiop_address(longest.host));
  const auto refused = parse_iiop_address(longer.host);
  ASSERT_FALSE(refused);
  EXPECT_STREQ(refused.error().text, "a host's name has at most 255 characters");
}

TEST(Bounds, APathHasAtMost1024Octets) {
  const std::string longest = "/" + std::string(1023, 'p');
  EXPECT_TRUE(parse_uiop_profile(make_uiop_profile({2, longest, {1}, {}}).data));
  EXPECT_FALSE(parse_uiop_profile(make_uiop_profile({2, longest + 'p', {1}, {}}).data));
  EXPECT_TRUE(parse_uiop_address(longest));
  const auto refused = parse_uiop_address(longest + 'p');
  ASSERT_FALSE(refused);
  EXPECT_STREQ(refused.error().text, "a path has at most 1024 characters");
}

TEST(Bounds, TheFirst64AlternateAddressesAreRead) {
  std::vector<TaggedComponent> components;
  for (std::uint16_t port = 1; port <= 100; ++port)
    components.push_back(alternate_address_component({"host", port}));
  const std::vector<IiopAddress> read = alternate_addresses(components);
  ASSERT_EQ(read.size(), most_alternate_addresses);
  EXPECT_EQ(read.back().port, 64);
}

#ifndef TENON_OWN_HEAP

/// More than glibc ever takes from its heap in one piece.
constexpr std::size_t much = std::size_t{33} << 20;

bool ran_out(const Error& error) { return error == errors::out_of_memory; }

template <typename T>
bool ran_out(const Parsed<T>& parsed) {
  return !parsed && parsed.error().no_memory && ran_out(parsed.error().as(errors::url_other));
}

int references() {
  Ior ior;
  ior.type_id = "IDL:T:1.0";
  ior.profiles.push_back({tag_tao_shmiop, std::vector<std::uint8_t>(much)});
  const std::vector<std::uint8_t> octets = encapsulate(ior);
  const IiopProfile profile{2, {"host", 1}, std::vector<std::uint8_t>(much), {}};
  const TaggedProfile made = make_iiop_profile(profile);
  const UiopProfile local{2, "/path", std::vector<std::uint8_t>(much), {}};
  const TaggedProfile made_local = make_uiop_profile(local);
  const TaggedProfile several = make_multiple_components({{1, std::vector<std::uint8_t>(much)}});
  // A text of the type, and more profiles than there is memory for.
  cdr::Writer id;
  id.put_raw_string(std::string(much, 'i'));
  cdr::Writer many;
  many.put_raw_string("");
  many.put(std::uint32_t{much / 16});
  many.put_octets(std::vector<std::uint8_t>(much / 2));
  test::end_memory();
  if (!encapsulate(ior).empty() || !to_ior_text(ior).empty()) return 1;
  if (!ran_out(from_encapsulation(octets).error())) return 2;
  if (!ran_out(parse_iiop_profile(made.data).error())) return 3;
  if (!make_iiop_profile(profile).data.empty()) return 4;
  if (!ran_out(parse_uiop_profile(made_local.data).error())) return 5;
  if (!make_uiop_profile(local).data.empty()) return 6;
  if (!ran_out(parse_multiple_components(several.data).error())) return 7;
  for (const cdr::Writer* each : {&id, &many}) {
    cdr::Reader in(each->bytes(), {});
    Ior read;
    read_ior(in, read);
    if (!ran_out(in.error()) || !read.nil() || !read.type_id.empty()) return 8;
  }
  return equivalent(ior, ior) ? 0 : 9;  // needs none
}

int texts() {
  const std::vector<std::uint8_t> key(much, 'k');
  const std::string digits = "IOR:" + std::string(much, '0');
  const std::string plain(much, 'k');
  std::string slashes(much + 1, 'a');
  std::string commas = "corbaloc:" + std::string(much, ':') + ":h/k";
  for (std::size_t i = 1; i < much; i += 2) slashes[i] = '/';
  for (std::size_t i = 10; i < much; i += 2) commas[i] = ',';
  const std::string with_key = "corbaloc::host/" + plain;
  const std::string with_address = "corbaloc:other:" + plain;
  const std::string with_name = "corbaname::host#" + plain;
  ObjectUrl url;
  url.addresses.push_back({"iiop", "host"});
  url.key = key;
  const std::vector<NameComponent> name{{plain, ""}};
  test::end_memory();
  if (!escape_key(key).empty() || !to_text(url).empty() || !to_text(name).empty()) return 1;
  if (!ran_out(unescape_key(plain))) return 2;
  if (!ran_out(parse_ior(digits)) || !ran_out(parse_object_url(digits))) return 3;
  if (!ran_out(parse_name(plain))) return 4;
  if (!ran_out(parse_name(slashes))) return 5;
  if (!ran_out(parse_object_url(with_key))) return 6;
  if (!ran_out(parse_object_url(with_address))) return 7;
  if (!ran_out(parse_object_url(with_name))) return 8;
  if (!ran_out(parse_object_url(commas))) return 9;
  return 0;
}

TEST(NoMemory, ForAReference) { test::expect_0_of(references); }
TEST(NoMemory, ForAText) { test::expect_0_of(texts); }

#endif

}  // namespace
}  // namespace tenon::ior
