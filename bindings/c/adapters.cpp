// SPDX-License-Identifier: Apache-2.0
//
// POAs and the objects in them.
#include "base/minor_codes.hpp"
#include "bindings/c/handles.hpp"
#include "bindings/c/servants.hpp"
#include "mapping/cpp11/corba/new_reference.hpp"
#include "mapping/cpp11/portable_server/adapter.hpp"
#include "poa/root_adapter.hpp"
#include "poa/whole_poa.hpp"
#include "tenon/portable_server/publish.hpp"

using namespace tenon::c;

tenon_status tenon_root_adapter(tenon_orb* orb, tenon_adapter** adapter, tenon_error* error) {
  return guarded(error, [&]() -> tenon_status {
    given(adapter, "where the adapter is to be put") = nullptr;
    tenon::orb::Orb& core = given(orb, "the ORB").core();
    *adapter = new tenon_adapter(tenon::Ref(&core), tenon::gen::root_poa_of(core));
    return TENON_OK;
  });
}

tenon_status tenon_adapter_new(tenon_adapter* parent, const char* name, const tenon_policy* policies,
                               uint32_t policy_count, tenon_adapter** adapter, tenon_error* error) {
  return guarded(error, [&]() -> tenon_status {
    given(adapter, "where the adapter is to be put") = nullptr;
    const tenon_adapter& above = given(parent, "the parent");
    std::vector<tenon::poa::PolicyValue> values;
    for (std::uint32_t i = 0; i < policy_count; ++i) {
      const tenon_policy& each = (&given(policies, "the list of policies"))[i];
      values.push_back({each.type, each.value});
    }
    const tenon::poa::Policies read = value_of(tenon::poa::read_policies(values), *above.poa);
    tenon::poa::WholePoa& whole = tenon::gen::whole_or_raise(*above.poa, "tenon_adapter_new");
    const std::string_view called = &given(name, "the name");
    *adapter = new tenon_adapter(
        above.orb,
        value_of(whole.create_child(called, tenon::Ref(&above.poa->manager()), read), *above.poa, called));
    return TENON_OK;
  });
}

tenon_status tenon_adapter_destroy(tenon_adapter* adapter, int32_t wait, tenon_error* error) {
  return guarded(error, [&]() -> tenon_status {
    tenon::poa::Poa& poa = *given(adapter, "the adapter").poa;
    check(poa.destroy(true, wait != 0), poa);
    return TENON_OK;
  });
}

void tenon_adapter_free(tenon_adapter* adapter) {
  if (adapter != nullptr) adapter->remove_ref();
}

tenon_status tenon_adapter_set_state(tenon_adapter* adapter, int32_t state, tenon_error* error) {
  return guarded(error, [&]() -> tenon_status {
    tenon::poa::Poa& poa = *given(adapter, "the adapter").poa;
    tenon::poa::Manager& manager = poa.manager();
    if (poa.is_destroyed()) return fail(error, tenon::errors::no_such_adapter);
    switch (state) {
      case TENON_HOLDING: check(manager.hold_requests(false), poa); return TENON_OK;
      case TENON_ACTIVE: check(manager.activate(), poa); return TENON_OK;
      case TENON_DISCARDING: check(manager.discard_requests(false), poa); return TENON_OK;
      case TENON_INACTIVE: check(manager.deactivate(true, false), poa); return TENON_OK;
      default: break;
    }
    return fail(error, {tenon::SystemException::bad_param, tenon::Completion::no, 0},
                "the state is none of TENON_HOLDING, TENON_ACTIVE, TENON_DISCARDING, TENON_INACTIVE");
  });
}

tenon_status tenon_adapter_activate(tenon_adapter* adapter, tenon_servant* servant, const uint8_t* id,
                                    uint64_t id_size, tenon_reference** reference, tenon_error* error) {
  return guarded(error, [&]() -> tenon_status {
    given(reference, "where the reference is to be put") = nullptr;
    const tenon_adapter& in = given(adapter, "the adapter");
    tenon_servant& what = given(servant, "the servant");
    tenon::poa::Poa& poa = *in.poa;
    tenon::poa::ObjectId made;
    if (id != nullptr) {
      made.assign(id, id + id_size);
      check(poa.activate_with_id(made, what), poa, tenon::gen::text_of(made));
    } else {
      made = value_of(poa.activate(what), poa);
    }
    try {
      const tenon::poa::Octets key = value_of(poa.key_of_active(made), poa);
      *reference = new tenon_reference(tenon::gen::object_of(*in.orb, poa, what, key));
    } catch (...) {
      // An object that nobody can have a reference to, as where no endpoint can be opened, is none.
      static_cast<void>(poa.deactivate(made));
      throw;
    }
    return TENON_OK;
  });
}

tenon_status tenon_adapter_deactivate(tenon_adapter* adapter, const tenon_reference* reference,
                                      tenon_error* error) {
  return guarded(error, [&]() -> tenon_status {
    const tenon_adapter& in = given(adapter, "the adapter");
    tenon::poa::Poa& poa = *in.poa;
    const tenon::poa::Octets key = tenon::gen::local_key(*in.orb, given(reference, "the reference").object);
    check(poa.deactivate(value_of(poa.id_of(key), poa)), poa);
    return TENON_OK;
  });
}

tenon_status tenon_orb_publish(tenon_orb* orb, const char* name, const tenon_reference* reference,
                               tenon_error* error) {
  return guarded(error, [&]() -> tenon_status {
    tenon::orb::Orb& core = given(orb, "the ORB").core();
    if (tenon::gen::publish_key(core, reference != nullptr ? reference->object : nullptr,
                                &given(name, "the name")))
      return TENON_OK;
    return fail(error, tenon::errors::unusable_name);
  });
}
