// SPDX-License-Identifier: Apache-2.0
//
// Weak references: what they count, and when the object is gone.
#include "tenon/corba/object_reference.hpp"

#include <gtest/gtest.h>

namespace CORBA {
namespace {

class Thing final : public Counted {
 public:
  explicit Thing(bool& destroyed) : destroyed_(destroyed) {}
  ~Thing() override { destroyed_ = true; }

 private:
  bool& destroyed_;
};

TEST(WeakReference, LocksWhileTheObjectLives) {
  bool destroyed = false;
  auto strong = make_reference<Thing>(destroyed);
  const weak_object_reference<Thing> weak(strong);
  EXPECT_EQ(strong->_refcount_value(), 1u);
  {
    const auto held = weak.lock();
    EXPECT_EQ(held, strong);
    EXPECT_EQ(strong->_refcount_value(), 2u);
  }
  EXPECT_EQ(strong->_refcount_value(), 1u);
  const auto last = weak.lock();
  strong.reset();
  EXPECT_FALSE(destroyed);
  EXPECT_FALSE(weak.expired());
}

TEST(WeakReference, IsNilOnceTheObjectIsGone) {
  bool destroyed = false;
  auto strong = make_reference<Thing>(destroyed);
  const weak_object_reference<Thing> weak(strong);
  auto copy = weak;
  copy = weak;
  strong.reset();
  EXPECT_TRUE(destroyed);
  EXPECT_TRUE(weak.expired());
  EXPECT_EQ(copy.lock(), nullptr);
  EXPECT_EQ(weak_object_reference<Thing>().lock(), nullptr);
}

}  // namespace
}  // namespace CORBA
