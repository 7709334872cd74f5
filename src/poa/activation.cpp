// SPDX-License-Identifier: Apache-2.0
//
// Adapter activators (CORBA 3.4 part 1 §15.3.3): POAs that are made when they are first asked for. One thread calls the activator;
// requests for the POA that is being made and for what is below it wait until the activator has returned.
#include "base/minor_codes.hpp"
#include "poa/whole_running.hpp"

namespace tenon::poa {

void WholeAdapter::join_activation(const Ref<WholePoa>& made) {
  for (Activation* each : activations_) {
    if (each->thread != std::this_thread::get_id() || !made->path_.starts_with(each->path)) continue;
    each->made.push_back(made);
    made->activated_by_ = each->thread;
  }
}

bool WholeAdapter::held_back(const WholePoa& poa) noexcept {
  return poa.activated_by_ != std::thread::id() && poa.activated_by_ != std::this_thread::get_id();
}

WholeAdapter::Asked WholeAdapter::activate_child(WholePoa& parent, const std::string& name,
                                                 Patience& patience, Error& why) {
  Activation mine{std::this_thread::get_id(), parent.path_ + name + '\0', {}};
  for (const Activation* each : activations_) {
    if (each->path != mine.path) continue;
    if (each->thread == mine.thread) return Asked::no;  // inside the activator
    why = patience.wait(*this);
    return why ? Asked::no : Asked::again;
  }
  const Ref<AdapterActivator> activator = parent.activator_;
  if (!activator) return Asked::no;
  const Ref<WholePoa> kept(&parent);
  activations_.push_back(&mine);
  mutex_.unlock();
  auto answer = AdapterActivator::Answer::no;
  const Error not_run = run_by_policy(parent, patience, [&] {
    const Asking asking(parent);
    {
      LockGuard again(mutex_);
      mine.thread = std::this_thread::get_id();  // by the thread policy this may not be the request's
    }
    answer = activator->unknown_adapter(parent, name);
  });
  mutex_.lock();
  std::erase(activations_, &mine);
  for (const Ref<WholePoa>& made : mine.made) {
    made->activated_by_ = {};
    for (const Activation* outer : activations_) {
      if (outer->thread == mine.thread && made->path_.starts_with(outer->path))
        made->activated_by_ = outer->thread;
    }
    made->refresh_gate();
  }
  changed_.notify_all();
  if (not_run) {
    why = not_run;
  } else if (answer == AdapterActivator::Answer::failed) {
    why = errors::adapter_activator_failed;
  } else if (answer == AdapterActivator::Answer::yes && parent.children_.contains(name)) {
    return Asked::again;
  }
  return Asked::no;
}

WholeAdapter::Asked WholeAdapter::activate_path(std::string_view path, Patience& patience, Error& why) {
  WholePoa* at = root_ != nullptr ? root_->whole() : nullptr;
  while (at != nullptr && !path.empty()) {
    const std::size_t end = path.find('\0');
    if (end == std::string_view::npos) return Asked::no;  // not a path of ours
    const std::string_view name = path.substr(0, end);
    const auto child = at->children_.find(name);
    if (child != at->children_.end()) {
      at = child->second;
      path.remove_prefix(end + 1);
      continue;
    }
    if (!at->activator_) return Asked::no;
    // This waits or is refused as a request to the parent would be (§15.3.2).
    if (held_back(*at)) {
      why = patience.wait(*this);
      return why ? Asked::no : Asked::again;
    }
    switch (pass(*at->manager_, patience, why)) {
      case Pass::open: return activate_child(*at, std::string(name), patience, why);
      case Pass::again: return Asked::again;
      case Pass::refused: return Asked::no;
    }
  }
  return Asked::no;
}

}  // namespace tenon::poa
