// SPDX-License-Identifier: Apache-2.0
//
// CORBA::ORB and ORB_init (CORBA 3.4 part 1 §8.2, §8.5; IDL to C++11 1.6 §6.22), thin over orb::Orb. Safe from any thread.
#pragma once

#include <initializer_list>
#include <string>
#include <vector>

#include "mapping/cpp11/types/any_fwd.hpp"
#include "orb/orb.hpp"
#include "tenon/configuration.hpp"
#include "tenon/corba/exception.hpp"
#include "tenon/corba/object.hpp"
#include "tenon/corba/service_information.hpp"

namespace tenon::gen {
struct Orbs;
}

namespace CORBA {
inline namespace cpp11 {

class ValueFactoryBase;

class ORB final : public LocalObject {
 public:
  static constexpr std::string_view _static_id = "IDL:omg.org/CORBA/ORB:1.0";

  /// No such initial reference, or a name that is taken (CORBA 3.4 part 1 §8.5.2).
  class InvalidName final : public UserException {
   public:
    InvalidName() = default;
    /// `why`: which name, and what is wrong with it; what() shows it after the repository id.
    explicit InvalidName(const std::string& why);
    static constexpr std::string_view _static_id = "IDL:omg.org/CORBA/ORB/InvalidName:1.0";
    std::string_view _rep_id() const noexcept override { return _static_id; }
    std::string_view _name() const noexcept override { return "InvalidName"; }
    [[noreturn]] void _raise() const override { throw *this; }
    void _put(tenon::cdr::Writer&) const override {}
    const char* what() const noexcept override;
    const std::string& _why() const noexcept { return why_; }

   private:
    std::string why_;
    std::string text_;
  };

  using ObjectId = std::string;
  using ObjectIdList = std::vector<ObjectId>;

  explicit ORB(tenon::Ref<tenon::orb::Orb> core) : core_(std::move(core)) {}
  ~ORB() override;

  std::string id() const { return core_->options().id; }

  /// "IOR:...". Nil gives the nil reference's text; a local object raises MARSHAL (minor OMG 4).
  std::string object_to_string(const object_reference<Object>& object) const;
  /// IOR:, corbaloc: (corbaloc:rir: too), corbaname: and file: are accepted, those but IOR: as far as the ORB has the part
  /// (tenon/parts.hpp). BAD_PARAM with the standard's minor codes 7 to 10; what() says why.
  object_reference<Object> string_to_object(const std::string& text);

  ObjectIdList list_initial_services() const;
  /// The reference that -ORBInitRef, register_initial_reference() or this ORB gives the name, else -ORBDefaultInitRef/name, or InvalidName.
  object_reference<Object> resolve_initial_references(const ObjectId& name);
  /// InvalidName for an empty or taken name; BAD_PARAM (minor OMG 27) for nil.
  void register_initial_reference(const ObjectId& name, const object_reference<Object>& object);

  // Factories of value types (CORBA 3.4 part 1 §8.2.6; value_factory.hpp). BAD_PARAM (minor OMG 1) for nil, and where there is none.
  /// The factory that was there before; nil: none.
  object_reference<ValueFactoryBase> register_value_factory(
      const std::string& id, const object_reference<ValueFactoryBase>& factory);
  void unregister_value_factory(const std::string& id);
  object_reference<ValueFactoryBase> lookup_value_factory(const std::string& id) const;

  /// Serves until shutdown(). Any number of threads; the ORB's own threads do the work, but that of MAIN_THREAD_MODEL POAs is done
  /// by the first thread that calls run() or perform_work().
  void run();
  /// CORBA 3.4 part 1 §8.2.3. With wait_for_completion inside an upcall of this ORB: BAD_INV_ORDER (minor OMG 3).
  void shutdown(bool wait_for_completion = true);
  /// shutdown(true), and for good: from then on calls raise OBJECT_NOT_EXIST. All descriptors of the ORB are closed, even while references
  /// to it remain. If another thread is the single one that serves, it closes them when it leaves run() or perform_work().
  void destroy();
  /// Whether there is work for the main thread (MAIN_THREAD_MODEL POAs); everything else the ORB's own threads do, unless the ORB
  /// serves with a single thread. tenon/event_loop.hpp has a descriptor to wait for it.
  bool work_pending() const;
  /// Does one piece of this work if there is any; does not wait. Does nothing on threads other than the main one.
  void perform_work();

  // TypeCodes made at run time (CORBA 3.4 part 1 §8.11.3). A program that calls these includes tenon/gen/any.hpp and links
  // tenon::any. Each raises BAD_PARAM (minors OMG 13, 15 to 20) or BAD_TYPECODE (minor OMG 2) for what makes no type.
  TypeCodeRef create_struct_tc(const std::string& id, const std::string& name,
                               const StructMemberSeq& members);
  TypeCodeRef create_union_tc(const std::string& id, const std::string& name,
                              const TypeCodeRef& discriminator_type, const UnionMemberSeq& members);
  TypeCodeRef create_enum_tc(const std::string& id, const std::string& name, const EnumMemberSeq& members);
  TypeCodeRef create_alias_tc(const std::string& id, const std::string& name,
                              const TypeCodeRef& original_type);
  TypeCodeRef create_exception_tc(const std::string& id, const std::string& name,
                                  const StructMemberSeq& members);
  TypeCodeRef create_interface_tc(const std::string& id, const std::string& name);
  TypeCodeRef create_abstract_interface_tc(const std::string& id, const std::string& name);
  TypeCodeRef create_local_interface_tc(const std::string& id, const std::string& name);
  TypeCodeRef create_native_tc(const std::string& id, const std::string& name);
  TypeCodeRef create_component_tc(const std::string& id, const std::string& name);
  TypeCodeRef create_home_tc(const std::string& id, const std::string& name);
  TypeCodeRef create_string_tc(std::uint32_t bound);
  TypeCodeRef create_wstring_tc(std::uint32_t bound);
  TypeCodeRef create_fixed_tc(std::uint16_t digits, std::int16_t scale);
  TypeCodeRef create_sequence_tc(std::uint32_t bound, const TypeCodeRef& element_type);
  TypeCodeRef create_array_tc(std::uint32_t length, const TypeCodeRef& element_type);
  TypeCodeRef create_value_tc(const std::string& id, const std::string& name, std::int16_t type_modifier,
                              const TypeCodeRef& concrete_base, const ValueMemberSeq& members);
  TypeCodeRef create_event_tc(const std::string& id, const std::string& name, std::int16_t type_modifier,
                              const TypeCodeRef& concrete_base, const ValueMemberSeq& members);
  TypeCodeRef create_value_box_tc(const std::string& id, const std::string& name,
                                  const TypeCodeRef& boxed_type);
  /// Stands for the type of that id inside itself, until a struct, union, exception or value type of that id is made around it.
  TypeCodeRef create_recursive_tc(const std::string& id);

  /// A policy of calls, of POAs, or of a type that an ORB initializer has registered a factory for. Raises PolicyError. A program that
  /// calls this links tenon::any.
  object_reference<Policy> create_policy(PolicyType type, const Any& value);

  // --- requests that are put together at run time; see tenon/dynamic/request.hpp, and link tenon::any ---
  using RequestSeq = std::vector<object_reference<Request>>;
  /// The number of items to come is a hint.
  void create_list(std::int32_t count, object_reference<NVList>& new_list);
  void create_named_value(object_reference<NamedValue>& value);
  void create_exception_list(object_reference<ExceptionList>& list);
  /// One after the other; the first failure is raised at once.
  void send_multiple_requests_oneway(const std::vector<object_reference<Request>>& requests);
  void send_multiple_requests_deferred(const std::vector<object_reference<Request>>& requests);
  /// Whether get_next_response() would not wait. BAD_INV_ORDER (minor OMG 11) when none is outstanding.
  bool poll_next_response();
  /// Waits for any request of send_multiple_requests_deferred() and hands it out with its results; its get_response() raises what
  /// the call raised.
  void get_next_response(object_reference<Request>& request);

  /// The parameters of an operation that an interface repository describes (CORBA 3.4 part 1 §8.2.3.2): one item with name, type and
  /// direction for each. `oper`: its OperationDef. BAD_PARAM for nil; raises what asking it raises.
  void create_operation_list(const object_reference<Object>& oper, object_reference<NVList>& new_list);

  /// Which services of a kind the ORB has (CORBA 3.4 part 1 §8.2.2). False: none, and `service_information` is empty. The standard
  /// has one kind, Security, and this ORB has no security service.
  bool get_service_information(ServiceType service_type, ServiceInformation& service_information) const;

  /// The endpoints at which this process listens, with real ports: "iiop://127.0.0.1:40123". Opens them if they are not open yet.
  std::vector<std::string> _endpoints();
  tenon::orb::Orb& _core() const noexcept { return *core_; }

 private:
  struct Initial {
    std::string name;
    object_reference<Object> object;
  };
  const Initial* find(const std::string& name) const;
  std::string no_such_name(const ObjectId& name) const;

  friend struct tenon::gen::Orbs;

  const tenon::Ref<tenon::orb::Orb> core_;
  mutable std::mutex mutex_;  // guards initial_
  std::vector<Initial> initial_;
  object_reference<ORB> next_;  // the next of the process; guarded by its list, and so is known_
  bool known_ = false;
  tenon::gen::OwnId<ORB> own_id_{*this};
};

/// Initialises an ORB and takes its options out of argv (-ORB...; see docs/options.md, also for files and variables that have options).
/// The same id gives the same ORB until it is destroyed, and the log says which options of a later call have no effect. BAD_PARAM for a wrong option: what() names it and says what would be right.
object_reference<ORB> ORB_init(int& argc, char* argv[], const std::string& orb_identifier = "");
object_reference<ORB> ORB_init(const std::vector<std::string>& arguments = {},
                               const std::string& orb_identifier = "");

}  // namespace cpp11
}  // namespace CORBA

namespace tenon {

/// An ORB of these settings that consists of these parts and no others; see <tenon/parts.hpp>. Where there is an ORB of that id
/// already, it keeps its parts and settings. BAD_PARAM for a protocol without a plug-in, and for a wrong Configuration: what() names the
/// member.
CORBA::object_reference<CORBA::ORB> init_orb(Configuration configuration,
                                             std::initializer_list<orb::Part> parts);
CORBA::object_reference<CORBA::ORB> init_orb(Configuration configuration, orb::Parts parts);

/// ORB_init of a program that names its protocols itself and so links no others; see <tenon/protocols.hpp>. Otherwise as ORB_init.
/// BAD_PARAM as ORB_init, and for a protocol without a plug-in.
CORBA::object_reference<CORBA::ORB> init_orb(int& argc, char* argv[], orb::Protocols protocols,
                                             const std::string& orb_identifier = "");
CORBA::object_reference<CORBA::ORB> init_orb(const std::vector<std::string>& arguments,
                                             orb::Protocols protocols,
                                             const std::string& orb_identifier = "");
}  // namespace tenon

template <>
struct IDL::traits<CORBA::ORB> {
  using ref_type = CORBA::object_reference<CORBA::ORB>;
  using weak_ref_type = CORBA::weak_object_reference<CORBA::ORB>;
  static ref_type narrow(const CORBA::object_reference<CORBA::Object>& object) {
    return CORBA::object_reference<CORBA::ORB>(dynamic_cast<CORBA::ORB*>(object.get()));
  }
};

namespace tenon::gen {
/// The object of the mapping that stands for it. OBJECT_NOT_EXIST: it has been destroyed.
CORBA::object_reference<CORBA::ORB> face_of(orb::Orb& orb);

/// What the interface repository of current_orb() has under that repository id. INTF_REPOS (OMG minor 1), what() says why; also for an ORB
/// without tenon::parts::interface_repository.
CORBA::object_reference<CORBA::Object> interface_def(std::string_view repository_id);

/// The ORB of the call that is being made or served, else the first one that was initialised. INITIALIZE when there is none.
orb::Orb& current_orb();

/// The object behind the initial reference "DynAnyFactory". This function is linked into programs that refer to class
/// DynamicAny::DynAnyFactory; its address is null in others.
[[gnu::weak]] CORBA::object_reference<CORBA::Object> dyn_any_factory();
/// The same for "CodecFactory" and class IOP::CodecFactory, and for "PICurrent" and class PortableInterceptor::Current.
[[gnu::weak]] CORBA::object_reference<CORBA::Object> codec_factory();
[[gnu::weak]] CORBA::object_reference<CORBA::Object> pi_current(orb::Orb& orb);

/// What ORB_init does with a new ORB before other code knows it, once there are ORB initializers: gives what add_initialised() gives.
using OrbInitialiser = CORBA::object_reference<CORBA::ORB>(const CORBA::object_reference<CORBA::ORB>& made);
inline constinit std::atomic<OrbInitialiser*> orb_initialiser{nullptr};
/// Calls `initialise`, during which only face_of() finds the ORB, and makes it known then. If another thread has made one of that id
/// meanwhile, that one counts and is the result.
CORBA::object_reference<CORBA::ORB> add_initialised(const CORBA::object_reference<CORBA::ORB>& made,
                                                    FunctionRef<void()> initialise);

/// What becomes of an ORB's value factories when it ends, once there are any.
inline constinit std::atomic<void (*)(const orb::Orb& orb) noexcept> forget_of_orb{nullptr};
}  // namespace tenon::gen
