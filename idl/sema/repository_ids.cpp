// SPDX-License-Identifier: Apache-2.0
#include "idl/sema/repository_ids.hpp"

#include <cctype>

namespace tenon::idl {

namespace {

std::string joined(const std::string& body, const std::string& name) {
  return body.empty() ? name : body + "/" + name;
}

// "::A::B" as "A/B"
std::string as_path(const std::string& scoped_name) {
  std::string out;
  for (std::size_t i = 0; i < scoped_name.size(); ++i) {
    if (scoped_name[i] != ':') {
      out.push_back(scoped_name[i]);
    } else if (!out.empty() && out.back() != '/') {
      out.push_back('/');
    }
  }
  return out;
}

bool is_version(const std::string& text) {
  const std::size_t dot = text.find('.');
  if (dot == 0 || dot == std::string::npos || dot + 1 == text.size()) return false;
  for (std::size_t i = 0; i < text.size(); ++i) {
    if (i != dot && std::isdigit(static_cast<unsigned char>(text[i])) == 0) return false;
  }
  return true;
}

}  // namespace

void RepositoryIds::enter_scope(const Scope& scope) {
  frames_.push_back({&scope, body_});
  body_ = scope.has_type_prefix ? joined(scope.type_prefix, as_path(scope.scoped_name))
                                : joined(body_, scope.name);
}

void RepositoryIds::leave_scope() {
  body_ = std::move(frames_.back().outer);
  frames_.pop_back();
}

void RepositoryIds::enter_file(const Scope& current) {
  files_.push_back(body_);
  body_ = as_path(current.scoped_name);
}

void RepositoryIds::leave_file() {
  if (files_.empty()) return;
  body_ = std::move(files_.back());
  files_.pop_back();
}

std::string RepositoryIds::default_id(const std::string& name) const {
  return "IDL:" + joined(body_, name) + ":1.0";
}

void RepositoryIds::assign(model::Decl& decl) {
  if (const auto it = given_.find(&decl); it != given_.end() && it->second.id) return;
  decl.repository_id = default_id(decl.name);
}

void RepositoryIds::assign_reopened(model::Decl& decl, const model::Decl& first, std::optional<Span> where) {
  decl.repository_id = first.repository_id;
  if (!where || given_.contains(&first) || first.repository_id == default_id(decl.name)) return;
  diagnostics_.warning(*where, "module '" + decl.name + "' is reopened under another prefix: its id is '" +
                                   first.repository_id + "' there and would be '" + default_id(decl.name) +
                                   "' here");
  diagnostics_.note(Span{first.location, 1}, "it was opened first here");
}

void RepositoryIds::check_definition(const model::Decl& decl, Span where) {
  if (given_.contains(&decl)) return;
  const std::string expected = default_id(decl.name);
  if (decl.repository_id == expected) return;
  diagnostics_.error(where, "'" + decl.name + "' was declared forward under another prefix: its id is '" +
                                decl.repository_id + "' there and '" + expected + "' here");
  diagnostics_.note(Span{decl.location, 1}, "the forward declaration is here");
}

void RepositoryIds::set_id(model::Decl& decl, const std::string& id, Span where) {
  Given& given = given_[&decl];
  if ((given.id || given.version) && decl.repository_id != id) {
    diagnostics_.error(where,
                       "'" + decl.name + "' already has the repository id '" + decl.repository_id + "'");
    diagnostics_.note(given.where, "it was given here");
    return;
  }
  // CORBA 3.4 part 1, "RepositoryIds": a format name, a colon, and a body.
  if (const std::size_t colon = id.find(':'); colon == 0 || colon == std::string::npos) {
    diagnostics_.error(where, "a repository id has the form 'format:body', as in 'IDL:Module/Name:1.0'");
    return;
  }
  given.id = true;
  given.where = where;
  decl.repository_id = id;
}

void RepositoryIds::set_version(model::Decl& decl, const std::string& version, Span where) {
  if (!is_version(version)) {
    diagnostics_.error(where, "a version has the form 'major.minor', as in 1.2");
    return;
  }
  const std::size_t colon = decl.repository_id.rfind(':');
  if (!decl.repository_id.starts_with("IDL:") || colon < 4) {
    diagnostics_.error(where, "only ids of the format 'IDL:' have a version");
    return;
  }
  const std::string changed = decl.repository_id.substr(0, colon + 1) + version;
  Given& given = given_[&decl];
  if ((given.id || given.version) && changed != decl.repository_id) {
    diagnostics_.error(where,
                       "'" + decl.name + "' already has the repository id '" + decl.repository_id + "'");
    diagnostics_.note(given.where, "it was given here");
    return;
  }
  given.version = true;
  given.where = where;
  decl.repository_id = changed;
}

void RepositoryIds::replace_body(model::Decl& decl, const std::string& body) {
  const std::size_t colon = decl.repository_id.rfind(':');
  const std::string version = colon == std::string::npos ? ":1.0" : decl.repository_id.substr(colon);
  decl.repository_id = "IDL:" + joined(body, decl.name) + version;
}

// Every declaration inside a scope, but not what has its own typeprefix or an explicit id.
void RepositoryIds::rename(Scope& scope, const std::string& body) {
  for (auto& [key, entry] : scope.entries) {
    if (entry.kind != Entry::Kind::Declaration || entry.decl == nullptr) continue;
    auto& decl = const_cast<model::Decl&>(*entry.decl);  // the analysis has made every node, non-const
    if (entry.inner != nullptr && entry.inner->has_type_prefix) continue;
    const auto it = given_.find(&decl);
    if (it == given_.end() || !it->second.id) replace_body(decl, body);
    if (entry.inner != nullptr && entry.inner->parent == &scope)
      rename(*entry.inner, joined(body, decl.name));
  }
}

void RepositoryIds::set_type_prefix(Scope& target, const std::string& prefix, Span where) {
  if (target.has_type_prefix && target.type_prefix != prefix) {
    diagnostics_.error(where,
                       "'" + target.name + "' already has the type prefix '" + target.type_prefix + "'");
    return;
  }
  target.has_type_prefix = true;
  target.type_prefix = prefix;
  const std::string path = as_path(target.scoped_name);
  const std::string body = joined(prefix, path);
  auto& decl = const_cast<model::Decl&>(*target.decl);
  const auto it = given_.find(&decl);
  if (it == given_.end() || !it->second.id) {
    const std::size_t slash = body.rfind('/');
    replace_body(decl, slash == std::string::npos ? std::string() : body.substr(0, slash));
  }
  rename(target, body);
  // Scopes below the target that are still open go on with the new prefix.
  bool inside = false;
  for (std::size_t i = 0; i < frames_.size(); ++i) {
    inside = inside || frames_[i].scope == &target;
    if (!inside) continue;
    std::string& inner = i + 1 < frames_.size() ? frames_[i + 1].outer : body_;
    inner = joined(prefix, as_path(frames_[i].scope->scoped_name));
  }
}

}  // namespace tenon::idl
