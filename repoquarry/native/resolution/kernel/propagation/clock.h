// Wall clock for the time limit, the only clock of the kernel.
#pragma once

#include <stdint.h>
#include <time.h>

namespace repoquarry {

inline int64_t now_milliseconds() {
  timespec now;
  timespec_get(&now, TIME_UTC);
  return static_cast<int64_t>(now.tv_sec) * 1000 + now.tv_nsec / 1'000'000;
}

}  // namespace repoquarry
