// SPDX-License-Identifier: Apache-2.0
//
// Names, repository ids and minor codes of system exceptions.
#include "base/error.hpp"

#include <gtest/gtest.h>

#include <memory>
#include <set>
#include <string>
#include <utility>

#include "base/error_text.hpp"
#include "base/minor_codes.hpp"

namespace tenon {
namespace {

constexpr auto last_exception = static_cast<unsigned>(SystemException::thread_cancelled);

TEST(Error, NamesAndRepositoryIdsGoBothWays) {
  std::set<std::string_view> seen;
  for (unsigned i = 1; i <= last_exception; ++i) {
    const auto id = static_cast<SystemException>(i);
    EXPECT_TRUE(seen.insert(name(id)).second) << name(id);
    EXPECT_EQ(repository_id(id), "IDL:omg.org/CORBA/" + std::string(name(id)) + ":1.0");
    EXPECT_EQ(system_exception(repository_id(id)), id);
  }
  EXPECT_EQ(name(SystemException::bad_inv_order), "BAD_INV_ORDER");
  EXPECT_EQ(name(SystemException::object_not_exist), "OBJECT_NOT_EXIST");
  EXPECT_EQ(name(SystemException::codeset_incompatible), "CODESET_INCOMPATIBLE");
  EXPECT_EQ(name(SystemException::activity_required), "ACTIVITY_REQUIRED");
}

TEST(Error, AnUnknownRepositoryIdIsUnknown) {
  EXPECT_EQ(system_exception("IDL:acme.com/CORBA/MARSHAL:1.0"), SystemException::unknown);
  EXPECT_EQ(system_exception(""), SystemException::unknown);
  EXPECT_TRUE(repository_id(SystemException::none).empty());
}

TEST(Error, EveryMinorCodeIsOfItsOwnVendorAndUnique) {
  std::set<std::pair<SystemException, std::uint32_t>> codes;
  std::set<std::uint32_t> vendor_codes;
  std::set<std::string_view> names;
  for (const MinorCode* row = begin_minor_codes(); row != end_minor_codes(); ++row) {
    EXPECT_TRUE(codes.insert({row->id, row->code}).second) << row->name;
    EXPECT_TRUE(names.insert(row->name).second) << row->name;
    const std::uint32_t vendor = row->code & 0xFFFFF000;
    EXPECT_TRUE(vendor == omg_vmcid || vendor == tenon_vmcid) << row->name;
    // A person who sees only our number must find exactly one row.
    if (vendor == tenon_vmcid) {
      EXPECT_TRUE(vendor_codes.insert(row->code).second) << row->name;
    }
    EXPECT_FALSE(row->text.empty());
    EXPECT_FALSE(row->clause.empty());
    EXPECT_EQ(describe({row->id, Completion::maybe, row->code}), row->text);
  }
}

TEST(Error, StandardNumbers) {
  EXPECT_EQ(errors::wchar_not_supported, (Error{SystemException::inv_objref, Completion::no, 0x4f4d0001}));
  EXPECT_EQ(errors::unknown_operation, (Error{SystemException::bad_operation, Completion::no, 0x4f4d0002}));
  EXPECT_EQ(errors::orb_has_shut_down, (Error{SystemException::bad_inv_order, Completion::no, 0x4f4d0004}));
  EXPECT_EQ(errors::out_of_data, (Error{SystemException::marshal, Completion::no, 0x544e0001}));
}

TEST(Error, Text) {
  EXPECT_EQ(text(errors::length_beyond_data),
            "MARSHAL (minor 0x544e0003, a sequence is longer than the bytes that are left; completed NO)");
  EXPECT_EQ(text({SystemException::transient, Completion::maybe, 0x41540001}),
            "TRANSIENT (minor 0x41540001; completed MAYBE)");
  EXPECT_EQ(text({}), "NO_EXCEPTION");
}

TEST(Result, HoldsAValueOrAnError) {
  Result<std::unique_ptr<int>> good(std::make_unique<int>(5));
  ASSERT_TRUE(good);
  EXPECT_EQ(**good, 5);
  EXPECT_FALSE(good.error());
  const std::unique_ptr<int> taken = *std::move(good);
  EXPECT_EQ(*taken, 5);

  const Result<std::unique_ptr<int>> bad(errors::out_of_memory);
  EXPECT_FALSE(bad);
  EXPECT_EQ(bad.error(), errors::out_of_memory);

  EXPECT_TRUE(Status());
  EXPECT_FALSE(Status(errors::out_of_data));
}

}  // namespace
}  // namespace tenon
