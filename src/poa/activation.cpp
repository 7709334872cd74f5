// SPDX-License-Identifier: Apache-2.0
//
// Adapter activators (CORBA 3.4 part 1 §15.3.3): POAs that are made when they are first asked for. One thread calls the activator;
// requests for the POA that is being made and for what is below it wait until the activator has returned.
#include <utility>

#include "base/memory.hpp"
#include "base/minor_codes.hpp"
#include "poa/whole_running.hpp"

namespace tenon::poa {

constinit const WholeAdapter::Activating WholeAdapter::activating{
    &WholeAdapter::activate_child, &WholeAdapter::activate_path, &WholeAdapter::join_activation};

bool WholeAdapter::is_activating(std::string_view path, std::thread::id thread) const noexcept {
  for (const Activation* each = activations_; each != nullptr; each = each->next) {
    if (each->thread == thread && path.starts_with(each->path->text())) return true;
  }
  return false;
}

void WholeAdapter::join_activation(WholePoa& made) noexcept {
  const std::thread::id thread = std::this_thread::get_id();
  if (!is_activating(made.path(), thread)) return;
  made.activated_by_ = thread;
  made.own_gate_ |= Poa::activating;
}

void WholeAdapter::end_activation(WholePoa& made, std::thread::id thread) noexcept {
  for (WholePoa* child = made.first_child_; child != nullptr; child = child->next_sibling_)
    end_activation(*child, thread);
  if (made.activated_by_ != thread || is_activating(made.path(), thread)) return;
  made.activated_by_ = {};
  made.own_gate_ &= ~Poa::activating;
  made.refresh_gate();
}

bool WholeAdapter::held_back(const WholePoa& poa) noexcept {
  return poa.activated_by_ != std::thread::id() && poa.activated_by_ != std::this_thread::get_id();
}

WholeAdapter::Asked WholeAdapter::activate_child(WholePoa& parent, std::string_view name, Patience& patience,
                                                 Error& why) {
  Activation mine{std::this_thread::get_id(), parent.path_of_child(name), nullptr};
  if (mine.path == nullptr) {
    why = memory::shortage();
    return Asked::no;
  }
  for (const Activation* each = activations_; each != nullptr; each = each->next) {
    if (each->path->text() != mine.path->text()) continue;
    if (each->thread == mine.thread) return Asked::no;  // inside the activator
    why = patience.wait(*this);
    return why ? Asked::no : Asked::again;
  }
  const Ref<AdapterActivator> activator = parent.activator_;
  if (!activator) return Asked::no;
  const Ref<WholePoa> kept(&parent);
  mine.next = std::exchange(activations_, &mine);
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
  Activation** place = &activations_;
  while (*place != &mine) place = &(*place)->next;
  *place = mine.next;
  WholePoa* const made = find_path(mine.path->text(), mine.path->hash);
  if (made != nullptr) end_activation(*made, mine.thread);
  changed_.notify_all();
  if (not_run) {
    why = not_run;
  } else if (answer == AdapterActivator::Answer::failed) {
    why = errors::adapter_activator_failed;
  } else if (answer == AdapterActivator::Answer::yes && made != nullptr) {
    return Asked::again;
  }
  return Asked::no;
}

WholeAdapter::Asked WholeAdapter::activate_path(std::string_view path, Patience& patience, Error& why) {
  WholePoa* at = root_ != nullptr ? root_->whole() : nullptr;
  for (std::size_t begin = 0; at != nullptr && begin < path.size();) {
    const std::size_t end = path.find('\0', begin);
    if (end == std::string_view::npos) return Asked::no;  // not a path of ours
    const std::string_view name = path.substr(begin, end - begin);
    const std::string_view path_there = path.substr(0, end + 1);
    if (WholePoa* const child = find_path(path_there, hash_text(path_there))) {
      at = child;
      begin = end + 1;
      continue;
    }
    if (!at->activator_) return Asked::no;
    // This waits or is refused as a request to the parent would be (§15.3.2).
    if (held_back(*at)) {
      why = patience.wait(*this);
      return why ? Asked::no : Asked::again;
    }
    switch (pass(*at->manager_, patience, why)) {
      case Pass::open: return activate_child(*at, name, patience, why);
      case Pass::again: return Asked::again;
      case Pass::refused: return Asked::no;
    }
  }
  return Asked::no;
}

}  // namespace tenon::poa
