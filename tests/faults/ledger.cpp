// SPDX-License-Identifier: Apache-2.0
#include "tests/faults/ledger.hpp"

#include <fcntl.h>
#include <sys/mman.h>
#include <unistd.h>

#include <algorithm>
#include <cstdio>
#include <cstdlib>

namespace tenon::faults {

Ledger::Ledger() : owned_(true) {
  const char* const folder = std::getenv("TMPDIR");
  path_ = std::string(folder != nullptr ? folder : "/tmp") + "/tenon-ledger-XXXXXX";
  const int fd = ::mkstemp(path_.data());
  if (fd < 0 || ::ftruncate(fd, sizeof(Pages)) != 0) std::perror(path_.c_str());
  map(fd);
}

Ledger::Ledger(const std::string& path) : path_(path), owned_(false) {
  map(::open(path.c_str(), O_RDWR | O_CLOEXEC));
}

Ledger::~Ledger() {
  ::munmap(pages_, sizeof(Pages));
  if (owned_) ::unlink(path_.c_str());
}

void Ledger::map(int fd) {
  void* const memory = ::mmap(nullptr, sizeof(Pages), PROT_READ | PROT_WRITE, MAP_SHARED, fd, 0);
  if (memory == MAP_FAILED) {
    std::perror(path_.c_str());
    std::abort();
  }
  ::close(fd);
  pages_ = static_cast<Pages*>(memory);
}

std::uint32_t Ledger::count(Ending ending) const noexcept {
  const std::uint32_t all = std::min(drawn(), capacity);
  return static_cast<std::uint32_t>(std::count_if(pages_->endings, pages_->endings + all,
                                                  [&](const auto& each) { return each.load() == ending; }));
}

std::string Ledger::contradictions() const {
  std::string text;
  if (drawn() > capacity) return "more calls than the ledger holds";
  for (std::uint32_t ticket = 0; ticket < drawn() && text.size() < 1000; ++ticket) {
    const int uses = pages_->uses[ticket].load();
    const char* wrong = uses > 1 ? "was executed more than once" : nullptr;
    switch (pages_->endings[ticket].load()) {
      case Ending::returned:
        if (uses == 0) wrong = "returned and was not executed";
        break;
      case Ending::yes:
        if (uses == 0) wrong = "said COMPLETED_YES and was not executed";
        break;
      case Ending::no:
        if (uses != 0) wrong = "said COMPLETED_NO and was executed";
        break;
      case Ending::unknown:
      case Ending::sent:
      case Ending::maybe: break;
    }
    if (wrong != nullptr) text += "call " + std::to_string(ticket) + " " + wrong + "\n";
  }
  return text;
}

}  // namespace tenon::faults
