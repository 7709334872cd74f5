// SPDX-License-Identifier: Apache-2.0
#include "orb/threads/main_work.hpp"

#include <sys/eventfd.h>
#include <unistd.h>

#include <memory>
#include <new>
#include <utility>

namespace tenon::orb {

void MainWork::append(Piece& piece) noexcept {
  (last_ != nullptr ? last_->next : first_) = &piece;
  last_ = &piece;
  show(true);
  changed_.notify_all();
}

MainWork::Piece* MainWork::take() noexcept {
  Piece* piece = first_;
  if (piece == nullptr) return nullptr;
  first_ = piece->next;
  if (first_ == nullptr) {
    last_ = nullptr;
    if (!finished_) show(false);
  }
  return piece;
}

int MainWork::descriptor() noexcept {
  const LockGuard lock(mutex_);
  if (!event_ && !closed_) {
    event_.reset(::eventfd(0, EFD_NONBLOCK | EFD_CLOEXEC));
    if (first_ != nullptr || finished_) show(true);
  }
  return event_.get();
}

void MainWork::close_descriptor() noexcept {
  const LockGuard lock(mutex_);
  closed_ = true;
  event_.reset();
}

void MainWork::show(bool work) noexcept {
  if (!event_ || work == shown_) return;
  shown_ = work;
  std::uint64_t count = 1;
  if (work) {
    (void)!::write(event_.get(), &count, sizeof count);
  } else {
    // NOLINTNEXTLINE(clang-analyzer-unix.BlockInCriticalSection): EFD_NONBLOCK
    (void)!::read(event_.get(), &count, sizeof count);
  }
}

/// Only for a piece that has not begun.
void MainWork::take_back(Piece& piece) noexcept {
  Piece* before = nullptr;
  for (Piece* each = first_; each != &piece; each = each->next) before = each;
  (before != nullptr ? before->next : first_) = piece.next;
  if (last_ == &piece) last_ = before;
  if (first_ == nullptr && !finished_) show(false);
}

MainWork::Ran MainWork::run(FunctionRef<void()> work, Deadline begin_by) {
  if (is_main()) {
    work();
    return Ran::done;
  }
  Piece mine;
  mine.work = &work;
  LockGuard lock(mutex_);
  if (stopped_) return Ran::refused;
  append(mine);
  while (mine.state == Piece::State::waiting || mine.state == Piece::State::running) {
    const Deadline until = mine.state == Piece::State::waiting ? begin_by : Deadline::never();
    if (changed_.wait_until(mutex_, until) || mine.state != Piece::State::waiting) continue;
    take_back(mine);
    return Ran::late;
  }
  return mine.state == Piece::State::done ? Ran::done : Ran::refused;
}

void MainWork::post(Posted* work) noexcept {
  auto* piece = is_main() ? nullptr : new (std::nothrow) Piece;
  if (piece != nullptr) {
    piece->posted = work;
    LockGuard lock(mutex_);
    if (!stopped_ || serving_) return append(*piece);
  }
  delete piece;
  const std::unique_ptr<Posted> owned(work);
  work->run();
}

bool MainWork::pending() const noexcept {
  LockGuard lock(mutex_);
  return first_ != nullptr;
}

bool MainWork::claim() noexcept {
  const LockGuard lock(mutex_);
  // The thread that has borrowed the place of the main thread gives it back soon, or is this one.
  while (for_now_ && !is_main()) changed_.wait(mutex_);
  for_now_ = false;
  std::thread::id nobody{};
  return main_.compare_exchange_strong(nobody, std::this_thread::get_id()) ||
         nobody == std::this_thread::get_id();
}

bool MainWork::claim_for_now() noexcept {
  if (has_main()) return false;
  const LockGuard lock(mutex_);
  if (has_main()) return false;
  main_.store(std::this_thread::get_id(), std::memory_order_release);
  for_now_ = true;
  return true;
}

void MainWork::give_up() noexcept {
  const LockGuard lock(mutex_);
  if (!for_now_) return;  // it has been claimed for good meanwhile
  for_now_ = false;
  main_.store({}, std::memory_order_release);
  changed_.notify_all();
}

void MainWork::run_piece(Piece& piece) {
  piece.state = Piece::State::running;
  mutex_.unlock();
  if (piece.posted != nullptr) {
    const std::unique_ptr<Posted> owned(piece.posted);
    delete &piece;
    owned->run();
    mutex_.lock();
    return;
  }
  (*piece.work)();
  mutex_.lock();
  piece.state = Piece::State::done;
  changed_.notify_all();
}

void MainWork::perform() {
  if (!claim()) return;
  LockGuard lock(mutex_);
  if (Piece* piece = take()) run_piece(*piece);
}

void MainWork::serve() { serve_with(nullptr); }

void MainWork::serve(FunctionRef<void()> wait) { serve_with(&wait); }

void MainWork::serve_with(const FunctionRef<void()>* wait) {
  if (!claim()) return;
  LockGuard lock(mutex_);
  const bool nested = std::exchange(serving_, true);
  for (;;) {
    if (Piece* piece = take()) {
      run_piece(*piece);
    } else if (finished_) {
      break;
    } else if (wait != nullptr) {
      lock.unlock();
      (*wait)();
      lock.lock();
    } else {
      changed_.wait(mutex_);
    }
  }
  serving_ = nested;
}

void MainWork::stop() noexcept {
  LockGuard lock(mutex_);
  stopped_ = true;
  Piece* all = std::exchange(first_, nullptr);
  last_ = nullptr;
  while (all != nullptr) {
    Piece& piece = *all;
    all = std::exchange(piece.next, nullptr);
    if (piece.posted != nullptr) {
      append(piece);
    } else {
      piece.state = Piece::State::refused;
    }
  }
  while (!serving_) {
    Piece* const piece = take();
    if (piece == nullptr) break;
    run_piece(*piece);
  }
  changed_.notify_all();
}

void MainWork::finish() noexcept {
  LockGuard lock(mutex_);
  finished_ = true;
  show(true);
  changed_.notify_all();
}

}  // namespace tenon::orb
