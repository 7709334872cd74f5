// SPDX-License-Identifier: Apache-2.0
//
// References that lead to others: corbaname:, corbaloc:rir:, file:, -ORBInitRef and -ORBDefaultInitRef.
#include <algorithm>
#include <cerrno>
#include <cstdio>
#include <initializer_list>
#include <string>

#include "base/error_text.hpp"
#include "base/function_ref.hpp"
#include "base/joined.hpp"
#include "base/log.hpp"
#include "base/minor_codes.hpp"
#include "ior/object_url.hpp"
#include "mapping/cpp11/corba/orb_options.hpp"
#include "mapping/cpp11/corba/orb_parts.hpp"
#include "mapping/cpp11/corba/resolve_name.hpp"
#include "tenon/corba/orb.hpp"

namespace tenon::gen {

std::string default_initial_url(std::string_view base, std::string_view name) {
  const bool has_hash = base.find('#') != std::string_view::npos;
  return joined({base, ior::has_scheme(base, "corbaname:") && !has_hash ? "#" : "/", name});
}

namespace {

using ObjectRef = CORBA::object_reference<CORBA::Object>;

[[noreturn]] void refuse_url(Error error, std::initializer_list<std::string_view> texts) {
  const std::string why = joined(texts);
  log(LogLevel::error, "orb", why);
  raise_with_reason(error, why);
}

/// Runs `make`; an exception says which option led there. Where several options lead to one another, it is the one whose URL is wrong.
ObjectRef naming_option(const std::string& option, FunctionRef<ObjectRef()> make) {
  try {
    return make();
  } catch (CORBA::SystemException& exception) {
    const std::string why(exception._reason());
    if (!why.starts_with("-ORB"))
      exception._reason(worded("%: %", {option, why.empty() ? text(exception._error()) : why}));
    throw;
  }
}

std::string read_file(const std::string& path) {
  std::FILE* file = std::fopen(path.c_str(), "re");
  if (file == nullptr)
    refuse_url(errors::url_bad_address, {"file:", path, ": cannot be read: ", os_error_text(errno)});
  std::string text(1 << 16, '\0');
  text.resize(std::fread(text.data(), 1, text.size(), file));
  const int failure = std::ferror(file) != 0 ? errno : 0;
  std::fclose(file);
  if (failure != 0)
    refuse_url(errors::url_bad_address, {"file:", path, ": cannot be read: ", os_error_text(failure)});
  while (!text.empty() && static_cast<unsigned char>(text.back()) <= ' ') text.pop_back();
  if (text.empty())
    refuse_url(errors::url_bad_address, {"file:", path, ": is empty; it should have a reference"});
  return text;
}

/// The initial reference that a URL names.
ObjectRef initial_reference(CORBA::ORB& orb, const std::string& name) {
  try {
    return orb.resolve_initial_references(name);
  } catch (const CORBA::ORB::InvalidName&) {
    refuse_url(errors::url_other, {"rir: there is no initial reference '", name, "'; -ORBInitRef ", name,
                                   "=URL or register_initial_reference() makes one"});
  }
}

ObjectRef from_name_url(CORBA::ORB& orb, const std::string& text) {
  auto url = ior::parse_object_url(text);
  if (!url) refuse_url(url.error().as(errors::url_other), {url.error().text});
  ObjectRef start;
  if (url->initial_reference()) {
    const std::string name(url->key.begin(), url->key.end());
    start = initial_reference(orb, name.empty() ? "NameService" : name);
  } else {
    ior::ObjectUrl context = *url;
    context.kind = ior::UrlKind::corbaloc;
    context.name.clear();
    const std::string address = ior::to_text(context);
    if (address.empty()) gen::raise(errors::out_of_memory);
    start = orb.string_to_object(address);
  }
  if (url->kind != ior::UrlKind::corbaname || url->name.empty() || !start) return start;
  auto name = ior::parse_name(url->name);
  if (!name) refuse_url(name.error().as(errors::url_bad_schema_specific), {name.error().text});
  return resolve_name(*start, *name);
}

/// Counts how many URLs this thread has followed from one to the next, by files and initial references. Too many are taken for a circle.
class UrlScope {
 public:
  UrlScope() noexcept { ++deep; }
  ~UrlScope() { --deep; }
  UrlScope(const UrlScope&) = delete;
  UrlScope& operator=(const UrlScope&) = delete;
  bool too_deep() const noexcept { return deep > 16; }

 private:
  static constinit thread_local unsigned deep;
};
constinit thread_local unsigned UrlScope::deep = 0;

bool read_naming_url(CORBA::ORB& orb, const std::string& text, ObjectRef& found) {
  const bool file = ior::has_scheme(text, "file:");
  if (!file && !ior::has_scheme(text, "corbaname:") && !ior::has_scheme(text, "corbaloc:rir:")) return false;
  const UrlScope scope;
  if (scope.too_deep()) refuse_url(errors::url_other, {text, ": leads back to itself"});
  if (file) {
    std::string path = text.substr(text.find(':') + 1);
    if (path.starts_with("//")) path.erase(0, 2);
    found = orb.string_to_object(read_file(path));
  } else {
    found = from_name_url(orb, text);
  }
  return true;
}

bool configured(CORBA::ORB& orb, const std::string& name, ObjectRef& found) {
  const auto& all = orb._core().options().initial_references;
  // The last one counts, so that a later option overrides an earlier one.
  const auto url =
      std::find_if(all.rbegin(), all.rend(), [&](const auto& each) { return each.first == name; });
  if (url == all.rend()) return false;
  found = naming_option(worded("-ORBInitRef %=%", {name, url->second}),
                        [&] { return orb.string_to_object(url->second); });
  return true;
}

bool by_default(CORBA::ORB& orb, const std::string& name, ObjectRef& found) {
  const std::string& base = orb._core().options().default_initial_reference;
  if (base.empty() || name.empty()) return false;
  const std::string made = default_initial_url(base, name);
  found = naming_option(worded("-ORBDefaultInitRef % gives %", {base, made}),
                        [&] { return orb.string_to_object(made); });
  return true;
}

}  // namespace

const NamingUrls naming_urls{&read_naming_url, &configured, &by_default};

}  // namespace tenon::gen
