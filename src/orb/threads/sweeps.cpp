// SPDX-License-Identifier: Apache-2.0
#include "orb/threads/sweeps.hpp"

#include <atomic>

#include "orb/orb.hpp"
#include "orb/threads/idle_sweep.hpp"
#include "orb/threads/rest_sweep.hpp"

namespace tenon::orb {

namespace {

class BothSweeps final : public Sweeps {
 public:
  explicit BothSweeps(Orb& orb) : orb_(orb), rest_(make_ref<RestSweep>(orb)) {}

  void used() noexcept override { rest_->used(); }
  void in_time() noexcept override { rest_->in_time(); }
  void close_idle() override {
    if (closes_idle_.exchange(true)) return;
    Attendant* const attendant = orb_.attendant();
    if (attendant == nullptr) return;
    if (const auto sweep = make_ref<IdleSweep>(orb_, *attendant)) return sweep->start();
    closes_idle_.store(false);  // the next call tries again
  }
  void stop() noexcept override { rest_->stop(); }

 private:
  Orb& orb_;
  const Ref<RestSweep> rest_;
  std::atomic<bool> closes_idle_{false};  // an IdleSweep goes on
};

}  // namespace

std::unique_ptr<Sweeps> make_sweeps(Orb& orb) { return std::make_unique<BothSweeps>(orb); }

}  // namespace tenon::orb
