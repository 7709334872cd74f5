// SPDX-License-Identifier: Apache-2.0
// idle THREADS: what memory so many threads of a program without an ORB hold while they wait. Ends when its input does.
#include <condition_variable>
#include <cstdio>
#include <cstdlib>
#include <mutex>
#include <string>
#include <thread>
#include <vector>

int main(int argc, char** argv) {
  std::mutex mutex;
  std::condition_variable changed;
  bool over = false;
  std::vector<std::thread> threads;
  for (int i = 1; i < (argc > 1 ? std::atoi(argv[1]) : 1); ++i) {
    threads.emplace_back([&] {
      std::unique_lock lock(mutex);
      changed.wait(lock, [&] { return over; });
    });
  }
  std::puts(std::string("ready").c_str());
  std::fflush(stdout);
  while (std::getchar() != EOF) continue;
  {
    const std::lock_guard lock(mutex);
    over = true;
  }
  changed.notify_all();
  for (auto& thread : threads) thread.join();
}
