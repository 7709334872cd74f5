// SPDX-License-Identifier: Apache-2.0
#include "idl/model/json.hpp"

#include <cmath>
#include <cstdio>

#include "idl/model/json_writer.hpp"
#include "idl/model/query.hpp"
#include "idl/support/utf8.hpp"

namespace tenon::idl::model {

namespace {

class Dump {
 public:
  explicit Dump(const Model& program) : program_(program) {}

  std::string run() {
    out_.open('{');
    out_.key("files");
    out_.open('[');
    for (const File& file : program_.files) {
      out_.open('{');
      out_.field("path", file.path);
      if (!file.main) out_.field("include", file.include_name);
      out_.flag("main", file.main);
      out_.flag("direct", file.direct);
      out_.flag("system", file.system);
      out_.flag("provided_by_orb", file.orb_provided);
      out_.close('}');
    }
    out_.close(']');
    list("declarations", program_.roots);
    out_.close('}');
    return out_.take();
  }

 private:
  void list(const char* key, const std::vector<const Decl*>& decls) {
    out_.key(key);
    out_.open('[');
    for (const Decl* one : decls) decl(*one);
    out_.close(']');
  }

  template <class D>
  void names(const char* key, const std::vector<const D*>& decls, bool always = false) {
    if (decls.empty() && !always) return;
    out_.key(key);
    out_.open('[');
    for (const D* one : decls) out_.string(one->scoped_name);
    out_.close(']');
  }

  void location(const Location& where) {
    out_.field("at", program_.files.empty()
                         ? std::string()
                         : program_.files[where.file].path + ":" + std::to_string(where.line) + ":" +
                               std::to_string(where.column));
  }

  void annotations(const std::vector<Annotation>& all) {
    if (all.empty()) return;
    out_.key("annotations");
    out_.open('[');
    for (const Annotation& one : all) {
      out_.open('{');
      out_.field("name", one.name);
      if (one.decl != nullptr) out_.field("declaration", one.decl->scoped_name);
      out_.key("parameters");
      out_.open('{');
      for (const AnnotationParameter& parameter : one.parameters) {
        out_.key(parameter.name.c_str());
        value(parameter.value);
      }
      out_.close('}');
      out_.close('}');
    }
    out_.close(']');
  }

  void value(const Value& v) {
    switch (v.kind) {
      case ValueKind::None: return out_.raw("null");
      case ValueKind::Integer: return out_.raw(std::to_string(v.integer));
      case ValueKind::Unsigned: return out_.raw(std::to_string(v.unsigned_integer));
      case ValueKind::Boolean: return out_.raw(v.boolean ? "true" : "false");
      case ValueKind::Char:
      case ValueKind::WChar: return out_.raw(std::to_string(v.character));
      case ValueKind::Float:
      case ValueKind::Double:
      case ValueKind::LongDouble: {
        char text[64];
        const int digits = v.kind == ValueKind::Float ? 9 : v.kind == ValueKind::Double ? 17 : 21;
        std::snprintf(text, sizeof text, "%.*Lg", digits, v.floating);
        return out_.raw(text);
      }
      case ValueKind::String: return out_.string(v.text);
      case ValueKind::WString: return out_.string(to_utf8(v.wide));
      case ValueKind::Fixed: return out_.string(v.text);
      case ValueKind::Enumerator: return out_.string(v.enumerator->scoped_name);
    }
  }

  void type(const char* key, const Type* t) {
    out_.key(key);
    type(t);
  }

  void type(const Type* t) {
    if (t->kind == TypeKind::Named) return out_.string(t->decl->scoped_name);
    const bool plain = t->element == nullptr && t->bound == 0 && t->kind != TypeKind::Fixed;
    if (plain) return out_.string(to_string(t->kind));
    out_.open('{');
    out_.field("kind", to_string(t->kind));
    if (t->key != nullptr) type("key", t->key);
    if (t->element != nullptr) type("element", t->element);
    if (t->bound != 0) out_.number("bound", t->bound);
    if (t->kind == TypeKind::Fixed) {
      out_.number("digits", t->digits);
      out_.number("scale", t->scale);
    }
    if (!t->dimensions.empty()) {
      out_.key("dimensions");
      out_.open('[');
      for (const std::uint64_t one : t->dimensions) out_.raw(std::to_string(one));
      out_.close(']');
    }
    out_.close('}');
  }

  void member_fields(const Member& m) {
    out_.field("name", m.name);
    type("type", m.type);
    location(m.location);
    if (!m.comment.empty()) out_.field("comment", m.comment);
    annotations(m.annotations);
  }

  void members(const std::vector<Member>& all) {
    out_.key("members");
    out_.open('[');
    for (const Member& m : all) {
      out_.open('{');
      member_fields(m);
      out_.close('}');
    }
    out_.close(']');
  }

  void parameters(const std::vector<Parameter>& all) {
    out_.key("parameters");
    out_.open('[');
    for (const Parameter& p : all) {
      out_.open('{');
      out_.field("direction", p.direction == Direction::In    ? "in"
                              : p.direction == Direction::Out ? "out"
                                                              : "inout");
      out_.field("name", p.name);
      type("type", p.type);
      annotations(p.annotations);
      out_.close('}');
    }
    out_.close(']');
  }

  void decl(const Decl& d) {
    out_.open('{');
    out_.field("kind", to_string(d.kind));
    out_.field("name", d.name);
    out_.field("scoped_name", d.scoped_name);
    out_.field("repository_id", d.repository_id);
    location(d.location);
    if (!d.in_main_file) out_.field("included", true);
    out_.flag("provided_by_orb", d.provided_by_orb);
    if (!d.comment.empty()) out_.field("comment", d.comment);
    annotations(d.annotations);
    body(d);
    out_.close('}');
  }

  void body(const Decl& d) {
    switch (d.kind) {
      case DeclKind::Module: return list("contents", static_cast<const Module&>(d).contents);
      case DeclKind::Interface: return interface(static_cast<const Interface&>(d));
      case DeclKind::ValueType: return value_type(static_cast<const ValueType&>(d));
      case DeclKind::ValueBox: return type("type", static_cast<const ValueBox&>(d).type);
      case DeclKind::Struct: {
        const auto& s = static_cast<const Struct&>(d);
        if (s.base != nullptr) out_.field("base", s.base->scoped_name);
        if (!s.contents.empty()) list("contents", s.contents);
        members(s.members);
        aggregate(d);
        return;
      }
      case DeclKind::Exception: {
        const auto& e = static_cast<const Exception&>(d);
        if (!e.contents.empty()) list("contents", e.contents);
        members(e.members);
        return;
      }
      case DeclKind::Union: return union_(static_cast<const Union&>(d));
      case DeclKind::Enum: return enumeration(static_cast<const Enum&>(d));
      case DeclKind::Bitmask: return bitmask(static_cast<const Bitmask&>(d));
      case DeclKind::Bitset: return bitset(static_cast<const Bitset&>(d));
      case DeclKind::Typedef: return type("type", static_cast<const Typedef&>(d).type);
      case DeclKind::Constant:
        type("type", static_cast<const Constant&>(d).type);
        out_.key("value");
        return value(static_cast<const Constant&>(d).value);
      case DeclKind::Operation: return operation(static_cast<const Operation&>(d));
      case DeclKind::Attribute: {
        const auto& a = static_cast<const Attribute&>(d);
        out_.flag("readonly", a.readonly);
        type("type", a.type);
        names("get_raises", a.get_raises);
        names("set_raises", a.set_raises);
        return;
      }
      case DeclKind::StateMember:
        out_.field("public", static_cast<const StateMember&>(d).is_public);
        return type("type", static_cast<const StateMember&>(d).type);
      case DeclKind::Initializer:
        parameters(static_cast<const Initializer&>(d).parameters);
        return names("raises", static_cast<const Initializer&>(d).raises);
      case DeclKind::Forward: return out_.field("of", to_string(static_cast<const Forward&>(d).target->kind));
      case DeclKind::Annotation: return annotation(static_cast<const AnnotationDecl&>(d));
      case DeclKind::Enumerator:
      case DeclKind::Native: return;
    }
  }

  void aggregate(const Decl& d) {
    out_.flag("recursive", is_recursive(&d));
    if (const auto layout = fixed_layout(&d)) {
      out_.key("cdr");
      out_.open('{');
      out_.number("size", layout->size_at[0]);
      out_.number("alignment", layout->alignment);
      out_.close('}');
    }
  }

  void interface(const Interface& i) {
    out_.flag("local", i.local);
    out_.flag("abstract", i.abstract);
    names("bases", i.bases);
    names("all_bases", i.all_bases);
    list("contents", i.contents);
    names("all_operations", i.all_operations);
    names("all_attributes", i.all_attributes);
    if (i.handler != nullptr) implied(i);
  }

  void implied(const Interface& i) {
    out_.field("handler", i.handler->scoped_name);
    out_.field("poller", i.poller);
    out_.key("async");
    out_.open('[');
    for (const AsyncForm& form : i.async) {
      out_.open('{');
      out_.field("of", form.of->name);
      out_.flag("setter", form.setter);
      out_.field("sendc", form.sendc);
      out_.field("sendp", form.sendp);
      out_.field("reply", form.reply->name);
      out_.field("excep", form.excep->name);
      out_.close('}');
    }
    out_.close(']');
  }

  void value_type(const ValueType& v) {
    out_.flag("custom", v.custom);
    out_.flag("abstract", v.abstract);
    out_.flag("truncatable", v.truncatable);
    names("bases", v.bases);
    names("supports", v.supports);
    list("contents", v.contents);
    names("all_state", v.all_state);
    names("all_operations", v.all_operations);
    names("all_attributes", v.all_attributes);
  }

  void union_(const Union& u) {
    type("discriminator", u.discriminator);
    if (!u.contents.empty()) list("contents", u.contents);
    out_.key("cases");
    out_.open('[');
    for (const UnionCase& one : u.cases) {
      out_.open('{');
      out_.key("labels");
      out_.open('[');
      for (const Value& label : one.labels) value(label);
      out_.close(']');
      out_.flag("default", one.is_default);
      member_fields(one.member);
      out_.close('}');
    }
    out_.close(']');
    out_.flag("implicit_default", u.implicit_default);
    if (u.default_discriminator.kind != ValueKind::None) {
      out_.key("default_discriminator");
      value(u.default_discriminator);
    }
    out_.flag("recursive", is_recursive(&u));
  }

  void enumeration(const Enum& e) {
    out_.key("enumerators");
    out_.open('[');
    for (const Enumerator* one : e.enumerators) {
      out_.open('{');
      out_.field("name", one->name);
      out_.number("ordinal", one->ordinal);
      if (one->explicit_value || one->value != one->ordinal) {
        out_.key("value");
        out_.raw(std::to_string(one->value));
      }
      out_.close('}');
    }
    out_.close(']');
  }

  void bitmask(const Bitmask& b) {
    out_.number("bit_bound", b.bit_bound);
    out_.field("carrier", to_string(b.carrier));
    out_.key("flags");
    out_.open('{');
    for (const BitFlag& flag : b.flags) out_.number(flag.name.c_str(), flag.position);
    out_.close('}');
  }

  void bitset(const Bitset& b) {
    if (b.base != nullptr) out_.field("base", b.base->scoped_name);
    out_.number("bits", b.bits);
    out_.field("carrier", to_string(b.carrier));
    out_.key("fields");
    out_.open('[');
    for (const BitField& field : b.fields) {
      out_.open('{');
      if (!field.name.empty()) out_.field("name", field.name);
      out_.number("position", field.position);
      out_.number("width", field.width);
      type("type", field.type);
      out_.close('}');
    }
    out_.close(']');
  }

  void operation(const Operation& o) {
    out_.flag("oneway", o.oneway);
    type("result", o.result);
    parameters(o.parameters);
    names("raises", o.raises);
    if (o.contexts.empty()) return;
    out_.key("contexts");
    out_.open('[');
    for (const std::string& one : o.contexts) out_.string(one);
    out_.close(']');
  }

  void annotation(const AnnotationDecl& a) {
    out_.key("fields");
    out_.open('[');
    for (const AnnotationField& field : a.fields) {
      out_.open('{');
      out_.field("name", field.name);
      if (field.type != nullptr) type("type", field.type);
      if (field.default_value.kind != ValueKind::None) {
        out_.key("default");
        value(field.default_value);
      }
      out_.close('}');
    }
    out_.close(']');
  }

  const Model& program_;
  JsonWriter out_;
};

}  // namespace

std::string to_json(const Model& program) { return Dump(program).run(); }

}  // namespace tenon::idl::model
