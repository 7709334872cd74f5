// SPDX-License-Identifier: Apache-2.0
//
// For tests: servants of the part of an interface repository (CORBA 3.4 part 1 §14) that holds interfaces and their operations. What the
// tests do not call raises NO_IMPLEMENT. Servants are kept by the RootPOA in which they are activated; one thread at a time calls them.
#pragma once

#include <gtest/gtest.h>
#include <tenon/portable_server.hpp>
#include <tenon/standard/ir_any.hpp>
#include <tenon/standard/ir_skel.hpp>
#include <tenon/tenon.hpp>

#include <string>
#include <utility>
#include <vector>

#include "described_skel.hpp"

namespace tenon::described {

template <typename T>
using Ref = CORBA::object_reference<T>;
using Text = const std::string&;
using CORBA::DefinitionKind;
using CORBA::PrimitiveKind;

const std::string thing_id(::Described::Thing::_static_id);

/// What is described.
class Thing final : public CORBA::servant_traits<::Described::Thing>::base_type {
 public:
  void touch() override {}
  Ref<CORBA::Object> _get_component() override { return component; }
  Ref<CORBA::Object> component;
};

[[noreturn]] inline void not_written() { throw CORBA::NO_IMPLEMENT(); }

/// IRObject.
template <typename Interface, DefinitionKind kind>
class Object : public CORBA::servant_traits<Interface>::base_type {
 public:
  DefinitionKind def_kind() override { return kind; }
  void destroy() override { destroyed = true; }
  bool destroyed = false;
};

/// IDLType.
template <typename Base>
class Typed : public Base {
 public:
  CORBA::TypeCodeRef type() override { return type_; }
  void set_type(CORBA::TypeCodeRef type) { type_ = std::move(type); }

 private:
  CORBA::TypeCodeRef type_ = CORBA::_tc_void;
};

/// Contained.
template <typename Base>
class Named : public Base {
 public:
  void set_name(Text id, Text name, Text version, Ref<CORBA::Container> in,
                Ref<CORBA::Repository> repository) {
    id_ = id;
    repository_ = std::move(repository);
    move(std::move(in), name, version);
  }

  std::string id() override { return id_; }
  void id(Text value) override { id_ = value; }
  std::string name() override { return name_; }
  void name(Text value) override { name_ = value; }
  std::string version() override { return version_; }
  void version(Text value) override { version_ = value; }
  Ref<CORBA::Container> defined_in() override { return in_; }
  std::string absolute_name() override { return "::" + name_; }
  Ref<CORBA::Repository> containing_repository() override { return repository_; }
  CORBA::Contained::Description describe() override {
    return CORBA::Contained::Description(this->def_kind(), description());
  }
  void move(Ref<CORBA::Container> new_container, Text new_name, Text new_version) override {
    in_ = std::move(new_container);
    name_ = new_name;
    version_ = new_version;
  }

 protected:
  virtual CORBA::Any description() = 0;

 private:
  std::string id_, name_, version_;
  Ref<CORBA::Container> in_;
  Ref<CORBA::Repository> repository_;
};

/// Container.
template <typename Base>
class Holder : public Base {
 public:
  void add(const Ref<CORBA::Contained>& one) { contents_.push_back(one); }

  Ref<CORBA::Contained> lookup(Text search_name) override {
    for (const auto& one : contents_) {
      if (one->absolute_name() == search_name) return one;
    }
    return nullptr;
  }
  CORBA::ContainedSeq contents(DefinitionKind limit_type, bool) override {
    CORBA::ContainedSeq found;
    for (const auto& one : contents_) {
      if (limit_type == DefinitionKind::dk_all || one->def_kind() == limit_type) found.push_back(one);
    }
    return found;
  }
  CORBA::ContainedSeq lookup_name(Text search_name, std::int32_t, DefinitionKind limit_type,
                                  bool exclude_inherited) override {
    CORBA::ContainedSeq found = contents(limit_type, exclude_inherited);
    std::erase_if(found, [&](const Ref<CORBA::Contained>& one) { return one->name() != search_name; });
    return found;
  }
  CORBA::Container::DescriptionSeq describe_contents(DefinitionKind limit_type, bool exclude_inherited,
                                                     std::int32_t max_returned_objs) override {
    CORBA::Container::DescriptionSeq found;
    for (const auto& one : contents(limit_type, exclude_inherited)) {
      if (std::cmp_equal(found.size(), max_returned_objs)) break;
      const CORBA::Contained::Description said = one->describe();
      found.emplace_back(one, said.kind(), said.value());
    }
    return found;
  }

  Ref<CORBA::InterfaceDef> create_interface(Text, Text, Text, const CORBA::InterfaceDefSeq&) override {
    not_written();
  }
  Ref<CORBA::ModuleDef> create_module(Text, Text, Text) override { not_written(); }
  Ref<CORBA::ConstantDef> create_constant(Text, Text, Text, Ref<CORBA::IDLType>, const CORBA::Any&) override {
    not_written();
  }
  Ref<CORBA::StructDef> create_struct(Text, Text, Text, const CORBA::StructMemberSeq&) override {
    not_written();
  }
  Ref<CORBA::UnionDef> create_union(Text, Text, Text, Ref<CORBA::IDLType>,
                                    const CORBA::UnionMemberSeq&) override {
    not_written();
  }
  Ref<CORBA::EnumDef> create_enum(Text, Text, Text, const CORBA::EnumMemberSeq&) override { not_written(); }
  Ref<CORBA::AliasDef> create_alias(Text, Text, Text, Ref<CORBA::IDLType>) override { not_written(); }
  Ref<CORBA::ValueDef> create_value(Text, Text, Text, bool, bool, Ref<CORBA::ValueDef>, bool,
                                    const CORBA::ValueDefSeq&, const CORBA::InterfaceDefSeq&,
                                    const CORBA::InitializerSeq&) override {
    not_written();
  }
  Ref<CORBA::ValueBoxDef> create_value_box(Text, Text, Text, Ref<CORBA::IDLType>) override { not_written(); }
  Ref<CORBA::ExceptionDef> create_exception(Text, Text, Text, const CORBA::StructMemberSeq&) override {
    not_written();
  }
  Ref<CORBA::NativeDef> create_native(Text, Text, Text) override { not_written(); }
  Ref<CORBA::AbstractInterfaceDef> create_abstract_interface(Text, Text, Text,
                                                             const CORBA::AbstractInterfaceDefSeq&) override {
    not_written();
  }
  Ref<CORBA::LocalInterfaceDef> create_local_interface(Text, Text, Text,
                                                       const CORBA::InterfaceDefSeq&) override {
    not_written();
  }
  Ref<CORBA::ExtValueDef> create_ext_value(Text, Text, Text, bool, bool, Ref<CORBA::ValueDef>, bool,
                                           const CORBA::ValueDefSeq&, const CORBA::InterfaceDefSeq&,
                                           const CORBA::ExtInitializerSeq&) override {
    not_written();
  }

 private:
  CORBA::ContainedSeq contents_;
};

class Primitive final : public Typed<Object<CORBA::PrimitiveDef, DefinitionKind::dk_Primitive>> {
 public:
  explicit Primitive(PrimitiveKind kind) : kind_(kind) {}
  PrimitiveKind kind() override { return kind_; }

 private:
  PrimitiveKind kind_;
};

class String final : public Typed<Object<CORBA::StringDef, DefinitionKind::dk_String>> {
 public:
  explicit String(std::uint32_t bound) : bound_(bound) {}
  std::uint32_t bound() override { return bound_; }
  void bound(std::uint32_t value) override { bound_ = value; }

 private:
  std::uint32_t bound_;
};

class Operation final : public Named<Object<CORBA::OperationDef, DefinitionKind::dk_Operation>> {
 public:
  CORBA::TypeCodeRef result() override { return result_def_ ? result_def_->type() : CORBA::_tc_void; }
  Ref<CORBA::IDLType> result_def() override { return result_def_; }
  void result_def(Ref<CORBA::IDLType> value) override { result_def_ = std::move(value); }
  CORBA::ParDescriptionSeq params() override { return params_; }
  void params(const CORBA::ParDescriptionSeq& value) override { params_ = value; }
  CORBA::OperationMode mode() override { return mode_; }
  void mode(CORBA::OperationMode value) override { mode_ = value; }
  CORBA::ContextIdSeq contexts() override { return contexts_; }
  void contexts(const CORBA::ContextIdSeq& value) override { contexts_ = value; }
  CORBA::ExceptionDefSeq exceptions() override { return exceptions_; }
  void exceptions(const CORBA::ExceptionDefSeq& value) override { exceptions_ = value; }

  CORBA::OperationDescription described() {
    CORBA::OperationDescription all;
    all.name(name());
    all.id(id());
    all.defined_in(thing_id);
    all.version(version());
    all.result(result());
    all.mode(mode_);
    all.contexts(contexts_);
    all.parameters(params_);
    return all;
  }

 protected:
  CORBA::Any description() override {
    CORBA::Any any;
    any <<= described();
    return any;
  }

 private:
  Ref<CORBA::IDLType> result_def_;
  CORBA::ParDescriptionSeq params_;
  CORBA::OperationMode mode_ = CORBA::OperationMode::OP_NORMAL;
  CORBA::ContextIdSeq contexts_;
  CORBA::ExceptionDefSeq exceptions_;
};

class Interface final
    : public Typed<Named<Holder<Object<CORBA::InterfaceDef, DefinitionKind::dk_Interface>>>> {
 public:
  CORBA::InterfaceDefSeq base_interfaces() override { return bases_; }
  void base_interfaces(const CORBA::InterfaceDefSeq& value) override { bases_ = value; }
  bool is_a(Text interface_id) override { return interface_id == id(); }
  CORBA::InterfaceDef::FullInterfaceDescription describe_interface() override {
    CORBA::InterfaceDef::FullInterfaceDescription all;
    all.name(name());
    all.id(id());
    all.version(version());
    all.type(type());
    for (const auto& one : operations_) all.operations().push_back(one->described());
    return all;
  }
  Ref<CORBA::OperationDef> create_operation(Text id, Text name, Text version, Ref<CORBA::IDLType> result,
                                            CORBA::OperationMode mode, const CORBA::ParDescriptionSeq& params,
                                            const CORBA::ExceptionDefSeq& exceptions,
                                            const CORBA::ContextIdSeq& contexts) override {
    const auto made = CORBA::make_reference<Operation>();
    made->set_name(id, name, version, this->_this(), containing_repository());
    made->result_def(std::move(result));
    made->mode(mode);
    made->params(params);
    made->exceptions(exceptions);
    made->contexts(contexts);
    operations_.push_back(made);
    const auto object = made->_this();
    add(object);
    return object;
  }
  Ref<CORBA::AttributeDef> create_attribute(Text, Text, Text, Ref<CORBA::IDLType>,
                                            CORBA::AttributeMode) override {
    not_written();
  }

 protected:
  CORBA::Any description() override {
    CORBA::Any any;
    any <<= CORBA::InterfaceDescription(name(), id(), "", version(), {});
    return any;
  }

 private:
  CORBA::InterfaceDefSeq bases_;
  std::vector<CORBA::servant_reference<Operation>> operations_;
};

class Repository final : public Holder<Object<CORBA::Repository, DefinitionKind::dk_Repository>> {
 public:
  Ref<CORBA::Contained> lookup_id(Text search_id) override {
    if (fails) throw CORBA::NO_PERMISSION();
    for (const auto& one : contents(DefinitionKind::dk_all, false)) {
      if (one->id() == search_id) return one;
    }
    return nullptr;
  }
  CORBA::TypeCodeRef get_canonical_typecode(CORBA::TypeCodeRef tc) override { return tc; }
  Ref<CORBA::PrimitiveDef> get_primitive(PrimitiveKind kind) override {
    const auto made = CORBA::make_reference<Primitive>(kind);
    made->set_type(kind == PrimitiveKind::pk_long ? CORBA::_tc_long : CORBA::_tc_string);
    return made->_this();
  }
  Ref<CORBA::InterfaceDef> create_interface(Text id, Text name, Text version,
                                            const CORBA::InterfaceDefSeq& base_interfaces) override {
    const auto made = CORBA::make_reference<Interface>();
    made->set_name(id, name, version, this->_this(), this->_this());
    made->base_interfaces(base_interfaces);
    const auto object = made->_this();
    add(object);
    return object;
  }
  Ref<CORBA::StringDef> create_string(std::uint32_t bound) override {
    return CORBA::make_reference<String>(bound)->_this();
  }
  Ref<CORBA::WstringDef> create_wstring(std::uint32_t) override { not_written(); }
  Ref<CORBA::SequenceDef> create_sequence(std::uint32_t, Ref<CORBA::IDLType>) override { not_written(); }
  Ref<CORBA::ArrayDef> create_array(std::uint32_t, Ref<CORBA::IDLType>) override { not_written(); }
  Ref<CORBA::FixedDef> create_fixed(std::uint16_t, std::int16_t) override { not_written(); }

  bool fails = false;
};

}  // namespace tenon::described
