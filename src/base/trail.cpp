// SPDX-License-Identifier: Apache-2.0
#include "base/trail.hpp"

#include <algorithm>
#include <utility>

#include "base/error_text.hpp"
#include "base/joined.hpp"
#include "base/memory.hpp"

namespace tenon {
namespace {

std::string_view name(Step step) noexcept {
  switch (step) {
    case Step::choose: return "not usable";
    case Step::look_up: return "host name";
    case Step::connect: return "connect";
    case Step::call: return "call";
    case Step::forward: return "the server sent the call elsewhere";
    case Step::answer: return "the server answered";
  }
  return "?";
}

void cut(std::string& text) {
  if (text.size() > Trail::longest)
    text.replace(beginning(text, Trail::longest - 3).size(), std::string::npos, "...");
}

}  // namespace

std::string duration_text(std::int64_t ns) {
  const bool seconds = ns >= 10'000'000'000;
  const std::int64_t tenths = ns / (seconds ? 100'000'000 : 100'000);
  return worded("%.% %", {decimal(tenths / 10), decimal(tenths % 10), seconds ? "s" : "ms"});
}

std::string text(const Try& each) {
  std::string out;
  if (each.profile != 0) out = worded("profile %, ", {decimal(each.profile)});
  out += each.place.empty() ? each.address : each.place;
  if (!each.address.empty() && !each.place.empty()) out += worded(" (%)", {each.address});
  out += ": ";
  out += name(each.step);
  if (each.step == Step::answer) {
    out += ' ';
    out += name(each.error.id);
  } else if (each.step != Step::forward) {
    out += ": ";
    const std::string_view meaning = describe(each.error);
    if (each.os_error != 0) {
      out += os_error_text(each.os_error);
    } else if (!each.said.empty()) {
      out += each.said;
    } else if (!meaning.empty()) {
      out += meaning;
    } else {
      out += text(each.error);
    }
  }
  if (each.took_ns >= 0) out += worded(", after %", {duration_text(each.took_ns)});
  if (!each.said.empty() && each.step == Step::answer) out += worded(", saying '%'", {each.said});
  return out;
}

std::string text(const Trail& trail) {
  if (trail.empty()) return "";
  std::string out = "tried: ";
  for (const Try& each : trail.tries()) {
    if (&each != trail.tries().data()) out += "; ";
    out += text(each);
  }
  const std::size_t more = trail.size() - trail.tries().size();
  if (more != 0) out += worded("; and % more", {decimal(more)});
  return out;
}

Trail& Trail::mine() noexcept {
  thread_local Trail own;
  return own;
}

void Trail::restart() noexcept {
  tries_.clear();
  uncounted_ = 0;
}

void Trail::add(Try each) noexcept {
  if (memory::is_known()) return;  // a trail is of the heap
  if (tries_.size() < most && !memory::is_exhausted()) {
    cut(each.place);
    cut(each.address);
    cut(each.said);
    tries_.push_back(std::move(each));
    return;
  }
  ++uncounted_;
}

void Trail::append(Trail&& later) noexcept {
  for (Try& each : later.tries_) add(std::move(each));
  uncounted_ += later.uncounted_;
  later.restart();
}

void Trail::place(std::size_t from, std::size_t profile, std::string_view where, Error error,
                  std::int64_t took_ns) noexcept {
  if (memory::is_known() || memory::is_exhausted()) return;  // the entries stay without a place
  if (size() <= from) add({.profile = profile, .error = error, .took_ns = took_ns});
  for (std::size_t i = from; i < tries_.size(); ++i) {
    Try& each = tries_[i];
    if (!each.place.empty()) continue;
    each.profile = profile;
    each.place = where.substr(0, longest);
    // An address that the place says already would only repeat it.
    if (!each.address.empty() && where.ends_with(each.address)) each.address.clear();
    if (!each.error) each.error = error;
  }
}

Trail Trail::take() noexcept {
  Trail taken = std::move(*this);
  restart();
  return taken;
}

}  // namespace tenon
