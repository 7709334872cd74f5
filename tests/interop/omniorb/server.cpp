// SPDX-License-Identifier: Apache-2.0
//
// omniORB's server of echo.idl and dynamic.idl: the peer that our client is tested against. It follows the
// contracts that the IDL files state and nothing else. Written for omniORB's classic C++ mapping.
//
// Threads: omniORB's, several at a time; counters are atomic, attributes are under a lock.

#include "dynamic_servant.hpp"
#include "echo.hh"
#include "peer_main.hpp"

#include <cfloat>
#include <climits>
#include <mutex>
#include <stdexcept>

namespace {

using namespace Interop;

class CallbackServant : public POA_Interop::Callback {
 public:
  explicit CallbackServant(std::string name) : name_(std::move(name)) {}
  char* said(const char* text) override {
    if (std::strcmp(text, "refuse") == 0) throw Plain();
    return CORBA::string_dup((name_ + " heard " + text).c_str());
  }
  void noted(CORBA::Long) override { ++notes_; }
  CORBA::ULong notes() override { return notes_; }

 private:
  std::string name_;
  std::atomic<CORBA::ULong> notes_{0};
};

class DiamondServant : public POA_Interop::Diamond {
 public:
  char* who() override { return CORBA::string_dup("diamond"); }
  CORBA::Long leftward(CORBA::Long value) override { return value * 2; }
  CORBA::Long right_value() override { return right_; }
  void right_value(CORBA::Long value) override { right_ = value; }
  char* all(CORBA::Long value, CORBA::Long& left_result, CORBA::Long& right_result) override {
    left_result = value * 2;
    right_result = right_;
    return CORBA::string_dup("all");
  }

 private:
  std::atomic<CORBA::Long> right_{0};
};

class PassOn : public POA_Interop::Base {
 public:
  PassOn(CORBA::Object_ptr to, bool permanent) : to_(CORBA::Object::_duplicate(to)), permanent_(permanent) {}
  char* who() override { throw omniORB::LOCATION_FORWARD(CORBA::Object::_duplicate(to_), permanent_); }

 private:
  CORBA::Object_var to_;
  const bool permanent_;
};

// The three shapes of an echo in the classic mapping; the contract is the same in each.
#define ECHO_VALUE(T, name) \
  T name(T a, T& b, T& c) override { return swap_values(a, b, c); }
#define ECHO_FIXED(T, name) \
  T name(const T& a, T& b, T& c) override { return swap_values(a, b, c); }
#define ECHO_VARIABLE(T, name)                    \
  T* name(const T& a, T& b, T##_out c) override { \
    c = new T(b);                                 \
    b = a;                                        \
    return new T(a);                              \
  }
#define ECHO_STRING(T_out, name)                          \
  char* name(const char* a, char*& b, T_out c) override { \
    c = b;                                                \
    b = CORBA::string_dup(a);                             \
    return CORBA::string_dup(a);                          \
  }
#define ECHO_WSTRING(T_out, name)                                                 \
  CORBA::WChar* name(const CORBA::WChar* a, CORBA::WChar*& b, T_out c) override { \
    c = b;                                                                        \
    b = CORBA::wstring_dup(a);                                                    \
    return CORBA::wstring_dup(a);                                                 \
  }
#define ECHO_ARRAY(T, name)                       \
  T##_slice* name(const T a, T b, T c) override { \
    T##_copy(c, b);                               \
    T##_copy(b, a);                               \
    return T##_dup(a);                            \
  }

template <class T>
T swap_values(const T& a, T& b, T& c) {
  c = b;
  b = a;
  return a;
}

class EchoServant : public POA_Interop::Echo {
 public:
  EchoServant(PortableServer::POA_ptr poa, bool dynamic, bool permanent)
      : poa_(PortableServer::POA::_duplicate(poa)) {
    diamond_ = reference<Diamond>(new DiamondServant);
    Base_var passing = reference<Base>(new PassOn(diamond_, permanent));
    passing_ = passing._retn();
    if (dynamic) dynamic_ = reference<InteropDynamic::Dynamic>(peer::new_dynamic_servant());
    Base_var gone = reference<Base>(new DiamondServant);
    PortableServer::ObjectId_var id = poa_->reference_to_id(gone);
    poa_->deactivate_object(id);
    gone_ = gone._retn();
    title_ = "untitled";
    std::memset(static_cast<void*>(&bin_), 0, sizeof bin_);
  }

  void noop() override {}

  ECHO_VALUE(CORBA::Boolean, echo_boolean)
  ECHO_VALUE(CORBA::Octet, echo_octet)
  ECHO_VALUE(CORBA::Char, echo_char)
  ECHO_VALUE(CORBA::WChar, echo_wchar)
  ECHO_VALUE(CORBA::Short, echo_short)
  ECHO_VALUE(CORBA::UShort, echo_ushort)
  ECHO_VALUE(CORBA::Long, echo_long)
  ECHO_VALUE(CORBA::ULong, echo_ulong)
  ECHO_VALUE(CORBA::LongLong, echo_longlong)
  ECHO_VALUE(CORBA::ULongLong, echo_ulonglong)
  ECHO_VALUE(CORBA::Float, echo_float)
  ECHO_VALUE(CORBA::Double, echo_double)
  ECHO_VALUE(CORBA::LongDouble, echo_longdouble)
  ECHO_STRING(CORBA::String_out, echo_string)
  ECHO_STRING(ShortText_out, echo_short_text)
  ECHO_WSTRING(CORBA::WString_out, echo_wstring)
  ECHO_WSTRING(ShortWideText_out, echo_short_wide_text)
  ECHO_FIXED(Money, echo_money)
  ECHO_FIXED(Huge, echo_huge)
  ECHO_FIXED(Fraction, echo_fraction)
  ECHO_VALUE(Colour, echo_colour)
  ECHO_VALUE(Single, echo_single)
  ECHO_FIXED(BinStruct, echo_bin)
  ECHO_FIXED(Primitives, echo_primitives)
  ECHO_VARIABLE(Mixed, echo_mixed)
  ECHO_VARIABLE(Outer, echo_outer)
  ECHO_VARIABLE(Tree, echo_tree)
  ECHO_VARIABLE(ByLong, echo_by_long)
  ECHO_VARIABLE(ByColour, echo_by_colour)
  ECHO_FIXED(ByBoolean, echo_by_boolean)
  ECHO_FIXED(ByChar, echo_by_char)
  ECHO_FIXED(ByULongLong, echo_by_ulonglong)
  ECHO_VARIABLE(ByShort, echo_by_short)
  ECHO_ARRAY(Row, echo_row)
  ECHO_ARRAY(Matrix, echo_matrix)
  ECHO_ARRAY(BinPair, echo_bin_pair)
  Names_slice* echo_names(const Names a, Names b, Names_out c) override {
    c = Names_dup(b);
    Names_copy(b, a);
    return Names_dup(a);
  }
  ECHO_VARIABLE(ShortSeq, echo_short_seq)
  ECHO_VARIABLE(UShortSeq, echo_ushort_seq)
  ECHO_VARIABLE(LongSeq, echo_long_seq)
  ECHO_VARIABLE(ULongSeq, echo_ulong_seq)
  ECHO_VARIABLE(LongLongSeq, echo_longlong_seq)
  ECHO_VARIABLE(ULongLongSeq, echo_ulonglong_seq)
  ECHO_VARIABLE(FloatSeq, echo_float_seq)
  ECHO_VARIABLE(DoubleSeq, echo_double_seq)
  ECHO_VARIABLE(CharSeq, echo_char_seq)
  ECHO_VARIABLE(WCharSeq, echo_wchar_seq)
  ECHO_VARIABLE(OctetSeq, echo_octet_seq)
  ECHO_VARIABLE(BooleanSeq, echo_boolean_seq)
  ECHO_VARIABLE(ColourSeq, echo_colour_seq)
  ECHO_VARIABLE(StringSeq, echo_string_seq)
  ECHO_VARIABLE(WStringSeq, echo_wstring_seq)
  ECHO_VARIABLE(ShortTextSeq, echo_short_text_seq)
  ECHO_VARIABLE(MoneySeq, echo_money_seq)
  ECHO_VARIABLE(BinStructSeq, echo_bin_seq)
  ECHO_VARIABLE(MixedSeq, echo_mixed_seq)
  ECHO_VARIABLE(ByLongSeq, echo_by_long_seq)
  ECHO_VARIABLE(RowSeq, echo_row_seq)
  ECHO_VARIABLE(LongSeqSeq, echo_long_seq_seq)
  ECHO_VARIABLE(Blobs, echo_blobs)
  ECHO_VARIABLE(UpToFourLongs, echo_four_longs)
  ECHO_VARIABLE(UpToTwoStrings, echo_two_strings)
  ECHO_VARIABLE(UpToThreeStructs, echo_three_structs)
  ECHO_VARIABLE(CallbackSeq, echo_callback_seq)
  ECHO_VARIABLE(Subscriber, echo_subscriber)

  Callback_ptr echo_callback(Callback_ptr a, Callback_ptr& b, Callback_out c) override {
    c = b;
    b = Callback::_duplicate(a);
    return Callback::_duplicate(a);
  }
  CORBA::Object_ptr echo_object(CORBA::Object_ptr a, CORBA::Object_ptr& b, CORBA::Object_out c) override {
    c = b;
    b = CORBA::Object::_duplicate(a);
    return CORBA::Object::_duplicate(a);
  }

  Primitives limits(CORBA::Boolean high) override;
  char* describe(const Primitives& p) override;
  ULongSeq* code_points(const char* text) override;
  ULongSeq* code_points_wide(const CORBA::WChar* text) override;

  void fail_plain() override { throw Plain(); }
  CORBA::Long fail_detailed(const char* why, CORBA::Long code, CORBA::String_out) override {
    if (code == 0) throw Plain();
    StringSeq hints;
    hints.length(2);
    hints[0] = CORBA::string_dup("first hint");
    hints[1] = CORBA::string_dup(why);
    BinStruct bin;
    std::memset(static_cast<void*>(&bin), 0, sizeof bin);
    bin.s = -2;
    bin.d = 0.5;
    throw Detailed(why, code, bin, hints);
  }
  void fail_system(CORBA::ULong which) override {
    if (which == 0) throw CORBA::NO_PERMISSION(17, CORBA::COMPLETED_NO);
    if (which == 1) throw CORBA::BAD_PARAM(42, CORBA::COMPLETED_YES);
    if (which == 2) throw CORBA::NO_RESOURCES(99, CORBA::COMPLETED_MAYBE);
  }
  void fail_undeclared() override { throw Plain(); }

  void note(CORBA::Long value) override { note_sum_ += static_cast<CORBA::ULongLong>(value); }
  void note_text(const char* text, const LongSeq& values) override {
    CORBA::ULongLong sum = std::strlen(text);
    for (CORBA::ULong i = 0; i < values.length(); ++i) sum += static_cast<CORBA::ULongLong>(values[i]);
    note_sum_ += sum;
  }
  CORBA::ULongLong note_sum() override { return note_sum_; }
  void clear_notes() override { note_sum_ = 0; }

  char* title() override {
    const std::lock_guard<std::mutex> hold(lock_);
    return CORBA::string_dup(title_.c_str());
  }
  void title(const char* value) override {
    const std::lock_guard<std::mutex> hold(lock_);
    title_ = value;
  }
  BinStruct bin_attribute() override {
    const std::lock_guard<std::mutex> hold(lock_);
    return bin_;
  }
  void bin_attribute(const BinStruct& value) override {
    const std::lock_guard<std::mutex> hold(lock_);
    bin_ = value;
  }
  Callback_ptr listener() override {
    const std::lock_guard<std::mutex> hold(lock_);
    return Callback::_duplicate(listener_);
  }
  void listener(Callback_ptr value) override {
    const std::lock_guard<std::mutex> hold(lock_);
    listener_ = Callback::_duplicate(value);
  }
  CORBA::ULong calls() override { return peer::activity; }

  char* call_back(Callback_ptr target, const char* text) override { return target->said(text); }
  CORBA::ULong note_back(Callback_ptr target, CORBA::ULong count) override {
    for (CORBA::ULong i = 0; i < count; ++i) target->noted(static_cast<CORBA::Long>(i));
    return target->notes();
  }
  Callback_ptr make_callback(const char* name) override {
    return reference<Callback>(new CallbackServant(name));
  }
  Base_ptr diamond_as_base() override { return Base::_duplicate(diamond_); }
  Diamond_ptr make_diamond() override { return Diamond::_duplicate(diamond_); }
  Base_ptr gone() override { return Base::_duplicate(gone_); }
  Base_ptr forwarded() override { return Base::_duplicate(passing_); }
  CORBA::Object_ptr dynamic() override { return CORBA::Object::_duplicate(dynamic_); }

  OctetSeq* make_blob(CORBA::ULong size) override {
    OctetSeq_var blob = new OctetSeq(size);
    blob->length(size);
    CORBA::Octet* bytes = blob->get_buffer();
    for (CORBA::ULong i = 0; i < size; ++i) bytes[i] = static_cast<CORBA::Octet>((i * 31u + 7u) % 251u);
    return blob._retn();
  }
  CORBA::ULongLong sum_blob(const OctetSeq& blob) override {
    CORBA::ULongLong sum = 0;
    const CORBA::Octet* bytes = blob.get_buffer();
    for (CORBA::ULong i = 0; i < blob.length(); ++i) sum += bytes[i];
    return sum;
  }
  CORBA::ULongLong sum_longs(const LongSeq& values) override {
    CORBA::ULongLong sum = 0;
    for (CORBA::ULong i = 0; i < values.length(); ++i) sum += static_cast<CORBA::ULongLong>(values[i]);
    return sum;
  }
  void quit() override { peer::stopped = 1; }

 private:
  template <class Interface, class Servant>
  typename Interface::_ptr_type reference(Servant* servant) {
    PortableServer::ObjectId_var id = poa_->activate_object(servant);
    CORBA::Object_var object = poa_->id_to_reference(id);
    servant->_remove_ref();
    return Interface::_narrow(object);
  }

  PortableServer::POA_var poa_;
  Diamond_var diamond_;
  Base_var passing_;
  Base_var gone_;
  InteropDynamic::Dynamic_var dynamic_;
  std::atomic<CORBA::ULongLong> note_sum_{0};
  std::mutex lock_;
  std::string title_;
  BinStruct bin_;
  Callback_var listener_;
};

Primitives EchoServant::limits(CORBA::Boolean high) {
  Primitives p;
  p.b = high;
  p.o = high ? 255 : 0;
  p.c = high ? 'z' : 'a';
  p.s = high ? SHRT_MAX : SHRT_MIN;
  p.us = high ? USHRT_MAX : 0;
  p.l = high ? INT_MAX : INT_MIN;
  p.ul = high ? UINT_MAX : 0;
  p.ll = high ? LLONG_MAX : LLONG_MIN;
  p.ull = high ? ULLONG_MAX : 0;
  p.f = high ? FLT_MAX : -FLT_MAX;
  p.d = high ? DBL_MAX : -DBL_MAX;
  return p;
}

char* EchoServant::describe(const Primitives& p) {
  char text[400];
  std::snprintf(text, sizeof text, "b=%d o=%d c=%c s=%d us=%d l=%d ul=%u ll=%lld ull=%llu f=%lld d=%lld",
                p.b ? 1 : 0, p.o, p.c, p.s, p.us, p.l, p.ul, static_cast<long long>(p.ll),
                static_cast<unsigned long long>(p.ull), static_cast<long long>(p.f * 4),
                static_cast<long long>(p.d * 4));
  return CORBA::string_dup(text);
}

void append(ULongSeq& points, CORBA::ULong point) {
  const CORBA::ULong at = points.length();
  points.length(at + 1);
  points[at] = point;
}

// The native set decides what the octets of a char* mean; omniORB's default is ISO 8859-1.
ULongSeq* EchoServant::code_points(const char* text) {
  ULongSeq_var points = new ULongSeq;
  for (const auto* at = reinterpret_cast<const unsigned char*>(text); *at != 0;) {
    CORBA::ULong point = *at++;
    if (peer::native_is_utf8 && point >= 0xc0) {
      int more = point >= 0xf0 ? 3 : point >= 0xe0 ? 2 : 1;
      point &= 0x3fu >> more;
      for (; more > 0 && (*at & 0xc0) == 0x80; --more) point = point << 6 | (*at++ & 0x3fu);
    }
    append(points.inout(), point);
  }
  return points._retn();
}

// omniORB keeps one UTF-16 unit in each wchar_t.
ULongSeq* EchoServant::code_points_wide(const CORBA::WChar* text) {
  ULongSeq_var points = new ULongSeq;
  while (*text != 0) {
    auto point = static_cast<CORBA::ULong>(*text++);
    if (point >= 0xd800 && point < 0xdc00 && *text != 0) {
      point = 0x10000 + ((point - 0xd800) << 10) + (static_cast<CORBA::ULong>(*text++) - 0xdc00);
    }
    append(points.inout(), point);
  }
  return points._retn();
}

}  // namespace

int main(int argc, char** argv) {
  return peer::server_main(argc, argv, [](const peer::Server& server) {
    peer::touch_at_requests();
    CORBA::Object_var echo =
        server.activate(new EchoServant(server.poa, server.options.dynamic, server.options.permanent));
    return server.text(echo);
  });
}
