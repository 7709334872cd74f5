// SPDX-License-Identifier: Apache-2.0
//
// CSIv2 by two independent readers and writers: the compiler's types of CSI.idl, GSSUP.idl and CSIIOP.idl, and the ORB's own code.
#include <tenon/standard/CSI.hpp>
#include <tenon/standard/CSIIOP.hpp>
#include <tenon/standard/GSSUP.hpp>

#include <gtest/gtest.h>

#include "cdr/reader.hpp"
#include "cdr/writer.hpp"
#include "csi/gss.hpp"
#include "ior/security_mechanisms.hpp"
#include "tests/wire/hex_sections.hpp"

namespace tenon::standard {
namespace {

using Octets = std::vector<std::uint8_t>;

const Octets& section(const std::string& name) {
  static const wire::HexSections all = wire::read_hex_sections("../wire/csi.hex");
  return all.at(name);
}

template <typename Value>
Value read(ByteView octets) {
  cdr::Reader in = cdr::Reader::encapsulation(octets);
  Value value{};
  gen::Codec<Value>::get(in, value);
  EXPECT_TRUE(in.good());
  EXPECT_EQ(in.remaining(), 0U);
  return value;
}

template <typename Value>
Octets write(const Value& value) {
  cdr::Encapsulation out;
  gen::Codec<Value>::put(out.content(), value);
  const ByteView octets = out.bytes();
  return {octets.begin(), octets.end()};
}

TEST(CsiByIdl, MessagesAreTheSame) {
  for (const char* const name :
       {"password", "assertion", "assertion_of_others", "complete", "error", "in_context"}) {
    for (const std::string order : {"", "_little"}) {
      if (order == "_little" && std::string_view(name) == "assertion_of_others") continue;
      const Octets& octets = section(name + order);
      const auto by_idl = read<CSI::SASContextBody>(octets);
      const auto own = csi::decode(octets);
      ASSERT_TRUE(own) << name;
      EXPECT_EQ(write(by_idl), csi::encode(*own)) << name;
      EXPECT_EQ(by_idl._d(), std::get_if<csi::EstablishContext>(&*own) ? CSI::MTEstablishContext
                             : std::get_if<csi::CompleteEstablishContext>(&*own)
                                 ? CSI::MTCompleteEstablishContext
                             : std::get_if<csi::ContextError>(&*own) ? CSI::MTContextError
                                                                     : CSI::MTMessageInContext);
    }
  }
}

TEST(CsiByIdl, TokensOfUsers) {
  csi::UserToken token;
  const auto body = read<CSI::SASContextBody>(section("password"));
  const auto& framed = body.establish_msg().client_authentication_token();
  ASSERT_EQ(csi::decode(framed, token), csi::TokenFault::none);
  constexpr std::size_t frame = 10;  // tag, length, object identifier
  const auto by_idl = read<GSSUP::InitialContextToken>(ByteView(framed).subspan(frame));
  EXPECT_EQ(std::string(by_idl.username().begin(), by_idl.username().end()), token.user);
  EXPECT_EQ(std::string(by_idl.password().begin(), by_idl.password().end()), token.password);
  EXPECT_EQ(by_idl.target_name(), token.target_name);
  const Octets made = csi::encode(token);
  EXPECT_EQ(write(by_idl), Octets(made.begin() + frame, made.end()));
  EXPECT_EQ(read<GSSUP::ErrorToken>(csi::encode_error(3)).error_code(), GSSUP::GSS_UP_S_G_BAD_PASSWORD);
}

TEST(CsiByIdl, MechanismsInReferences) {
  for (const char* const name : {"mechanisms", "mechanisms_little"}) {
    const auto by_idl = read<CSIIOP::CompoundSecMechList>(section(name));
    const auto own = ior::read_security_mechanisms(section(name));
    ASSERT_TRUE(own) << name;
    EXPECT_EQ(write(by_idl), ior::security_mechanisms_component(*own).data) << name;
    const auto& transport = by_idl.mechanism_list().at(0).transport_mech();
    EXPECT_EQ(transport.tag(), CSIIOP::TAG_TLS_SEC_TRANS);
    const auto tls = read<CSIIOP::TLS_SEC_TRANS>(transport.component_data());
    const auto own_tls = ior::read_tls_transport(own->list.at(0).transport.data);
    ASSERT_TRUE(own_tls);
    EXPECT_EQ(write(tls), ior::tls_transport_component(*own_tls).data);
    EXPECT_EQ(tls.addresses().at(1).host_name(), "b.org");
  }
}

}  // namespace
}  // namespace tenon::standard
