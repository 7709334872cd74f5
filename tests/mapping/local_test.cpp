// SPDX-License-Identifier: Apache-2.0
//
// Objects of local interfaces, as an application writes them: what they say they are.
#include <gtest/gtest.h>

#include <tenon/tenon.hpp>

#include "features.hpp"

namespace {

namespace f = Features;

/// Two interfaces that know nothing of each other.
class Both final : public virtual f::Watcher, public virtual f::Nothing {
 public:
  void watched(CORBA::object_reference<f::Later>, const f::Holder&) override {}
};

class Inheriting : public virtual f::LocalLater {
 public:
  f::Base::Mode the_mode() override { return f::Base::Mode::slow; }
  void the_mode(f::Base::Mode) override {}
  f::Base::State current() override { return {}; }
  f::Base::State change(f::Base::Mode, f::Base::Choice&) override { return {}; }
  void hint(const std::string&) override {}
  std::int32_t get_mode() override { return 0; }
  std::int32_t leftward(std::int32_t value) override { return value; }
  CORBA::object_reference<f::Watcher> make(CORBA::object_reference<f::Watcher> like) override { return like; }
};

class Answering final : public Inheriting {
 public:
  bool _is_a(const std::string& id) override { return id == "IDL:Own:1.0" || Inheriting::_is_a(id); }
};

class Painter final : public virtual f::Painter {
 public:
  f::Pen paint(f::Pen with, f::Paper& on) override {
    *on = with.width;
    return {with.width + 1};
  }
};

TEST(Local, NativeTypesAreWhatTheIdlFileSaysTheyAreInCpp) {
  const CORBA::object_reference<f::Painter> painter = CORBA::make_reference<Painter>();
  f::Paper paper = std::make_unique<int>();
  EXPECT_EQ(painter->paint({7}, paper).width, 8);
  EXPECT_EQ(*paper, 7);
}

TEST(Local, ObjectsAreOfAllTheirInterfaces) {
  const CORBA::object_reference<CORBA::Object> both = CORBA::make_reference<Both>();
  EXPECT_TRUE(both->_is_a("IDL:Features/Watcher:1.0"));
  EXPECT_TRUE(both->_is_a("IDL:Features/Nothing:1.0"));
  EXPECT_TRUE(both->_is_a("IDL:omg.org/CORBA/Object:1.0"));
  EXPECT_FALSE(both->_is_a("IDL:Features/LocalLater:1.0"));
  EXPECT_FALSE(both->_is_a("IDL:Features/Watcher:1.1"));
  EXPECT_FALSE(both->_is_a(""));
}

TEST(Local, ObjectsAreOfInheritedInterfaces) {
  const CORBA::object_reference<f::LocalLater> local = CORBA::make_reference<Inheriting>();
  EXPECT_TRUE(local->_is_a("IDL:Features/LocalLater:1.0"));
  EXPECT_TRUE(local->_is_a("IDL:Features/Left:1.0"));
  EXPECT_TRUE(local->_is_a("IDL:Features/Base:1.0"));
  EXPECT_FALSE(local->_is_a("IDL:Features/Right:1.0"));
}

TEST(Local, ObjectsMayAnswerForThemselves) {
  const CORBA::object_reference<f::LocalLater> local = CORBA::make_reference<Answering>();
  EXPECT_TRUE(local->_is_a("IDL:Own:1.0"));
  EXPECT_TRUE(local->_is_a("IDL:Features/Left:1.0"));
}

}  // namespace
