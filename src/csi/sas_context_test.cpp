// SPDX-License-Identifier: Apache-2.0
// The four messages of CSIv2 and their tokens: octets by hand (tests/wire/csi.hex), and what peers get wrong.
#include "csi/sas_context.hpp"

#include <gtest/gtest.h>

#include "csi/gss.hpp"
#include "tests/wire/hex_sections.hpp"

namespace tenon::csi {
namespace {

const wire::HexSections& captures() {
  static const wire::HexSections all = wire::read_hex_sections("../../tests/wire/csi.hex");
  return all;
}
const Octets& octets_of(const std::string& section) { return captures().at(section); }

/// The body is read from both orders of octets, and written in this machine's.
void expect_octets(const std::string& section, const ContextBody& body) {
  const auto big = decode(octets_of(section));
  const auto little = decode(octets_of(section + "_little"));
  ASSERT_TRUE(big && little) << section;
  EXPECT_EQ(*big, body) << section;
  EXPECT_EQ(*little, body) << section;
  EXPECT_EQ(encode(body), octets_of(native_order == ByteOrder::little ? section + "_little" : section));
}

TEST(SasContext, UserAndPassword) {
  EstablishContext body;
  // The token has an order of octets of its own.
  UserToken read;
  const auto big = decode(octets_of("password"));
  ASSERT_TRUE(big);
  ASSERT_EQ(decode(std::get<EstablishContext>(*big).client_token, read), TokenFault::none);
  const UserToken token{"alice", "secret", export_name("bank")};
  EXPECT_EQ(read, token);
  EXPECT_EQ(imported_name(read.target_name), "bank");

  body.client_token = encode(token);
  const std::string own = native_order == ByteOrder::little ? "password_little" : "password";
  EXPECT_EQ(encode(body), octets_of(own));
  EXPECT_EQ(decode(octets_of(own)), ContextBody(body));
}

TEST(SasContext, AssertedName) {
  for (const char* const section : {"assertion", "assertion_little", "assertion_of_others"}) {
    const auto body = decode(octets_of(section));
    ASSERT_TRUE(body) << section;
    const auto& establish = std::get<EstablishContext>(*body);
    EXPECT_EQ(establish.identity.type, itt_principal_name);
    EXPECT_TRUE(establish.client_token.empty());
    const auto name = unwrapped(establish.identity.value, exported_name_begins);
    ASSERT_TRUE(name) << section;
    EXPECT_EQ(imported_name(*name), "bob") << section;
  }
  EstablishContext made;
  made.identity = {itt_principal_name, wrapped(export_name("bob"))};
  EXPECT_EQ(encode(made), octets_of(native_order == ByteOrder::little ? "assertion_little" : "assertion"));
}

TEST(SasContext, Replies) {
  expect_octets("complete", CompleteEstablishContext{.client_context_id = 7});
  expect_octets("in_context", MessageInContext{.client_context_id = 9, .discard = true});
  const auto error = decode(octets_of("error"));
  ASSERT_TRUE(error);
  EXPECT_EQ(std::get<ContextError>(*error).major_status, 1);
  EXPECT_EQ(std::get<ContextError>(*error).minor_status, 1);
  EXPECT_EQ(decode_error(std::get<ContextError>(*error).error_token), gssup_bad_password);
  const ContextError own{
      .major_status = 1, .minor_status = 1, .error_token = encode_error(gssup_bad_password)};
  EXPECT_EQ(encode(own), octets_of(native_order == ByteOrder::little ? "error_little" : "error"));
}

TEST(SasContext, WhatIsCutIsMalformed) {
  for (const auto& [name, octets] : captures()) {
    if (name.starts_with("mechanisms")) continue;
    for (std::size_t size = 0; size < octets.size(); ++size)
      EXPECT_FALSE(decode({octets.data(), size})) << name << ' ' << size;
  }
}

TEST(SasContext, NeitherOtherMessagesNorEndlessOnes) {
  Octets other = octets_of("complete");
  other[3] = 2;
  EXPECT_FALSE(decode(other));
  other[3] = 1;
  EXPECT_TRUE(decode(other));
  EstablishContext body;
  body.client_token.assign(longest_context, 0);
  EXPECT_FALSE(decode(encode(body)));
  body.client_token.clear();
  body.authorizations.resize(most_authorizations);
  EXPECT_EQ(decode(encode(body)), ContextBody(body));
  body.authorizations.resize(most_authorizations + 1);
  EXPECT_FALSE(decode(encode(body)));
}

TEST(UserToken, FramesOfAllLengths) {
  for (const std::size_t size : {0u, 1u, 70u, 90u, 120u, 200u, 300u, 4096u}) {
    UserToken token{"u", std::string(size, 'p'), {}};
    UserToken read;
    const Octets made = encode(token);
    ASSERT_EQ(decode(made, read), TokenFault::none) << size;
    EXPECT_EQ(read, token);
    for (const std::size_t cut :
         {std::size_t{0}, std::size_t{1}, std::size_t{2}, std::size_t{9}, made.size() - 1})
      EXPECT_EQ(decode(ByteView(made).first(cut), read), TokenFault::malformed) << size << ' ' << cut;
  }
}

TEST(UserToken, WhatIsRefused) {
  UserToken read{"kept", "", {}};
  EXPECT_EQ(decode(encode({std::string(longest_user + 1, 'u'), "", {}}), read), TokenFault::malformed);
  EXPECT_EQ(decode(encode({"u", std::string(longest_password + 1, 'p'), {}}), read), TokenFault::malformed);
  EXPECT_EQ(decode(encode({"u", std::string("a\0b", 3), {}}), read), TokenFault::malformed);
  EXPECT_EQ(decode(encode({"u", "p", Octets(longest_name + 1)}), read), TokenFault::malformed);
  Octets kerberos = encode({"u", "p", {}});
  kerberos[4] = 0x2a;
  EXPECT_EQ(decode(kerberos, read), TokenFault::mechanism);
  EXPECT_EQ(read.user, "kept");
  Octets endless = encode({"u", "p", {}});
  endless[1] = 0x85;
  EXPECT_EQ(decode(endless, read), TokenFault::malformed);
}

TEST(ExportedName, WhatIsNone) {
  EXPECT_TRUE(export_name("").empty());
  const Octets bank = export_name("bank");
  for (std::size_t size = 0; size < bank.size(); ++size)
    EXPECT_FALSE(imported_name(ByteView(bank).first(size))) << size;
  Octets longer = bank;
  longer.push_back('s');
  EXPECT_FALSE(imported_name(longer));
  EXPECT_FALSE(imported_name(export_name(std::string_view("a\0b", 3))));
  EXPECT_FALSE(imported_name(export_name(std::string(longest_name + 1, 'n'))));
  EXPECT_FALSE(unwrapped({}, exported_name_begins));
  EXPECT_FALSE(unwrapped(wrapped(wrapped(bank)), exported_name_begins));
  EXPECT_EQ(unwrapped(bank, exported_name_begins), bank);
  EXPECT_EQ(unwrapped(wrapped(bank), exported_name_begins), bank);
}

}  // namespace
}  // namespace tenon::csi
