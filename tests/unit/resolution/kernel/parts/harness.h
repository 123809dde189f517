// Minimal test harness: `program --list` prints the names of all tests, `program NAME` runs one and prints the checks that failed.
#pragma once

#include <stdio.h>

namespace parts {

struct Test {
  const char *name;
  void (*run)();
  Test *next;
};

inline Test *tests = nullptr;
inline int failures = 0;

struct Registration {
  Registration(const char *name, void (*run)()) : test{name, run, tests} { tests = &test; }
  Test test;
};

inline void check(bool holds, const char *condition, const char *file, int line) {
  if (holds) return;
  ++failures;
  printf("%s:%d: %s\n", file, line, condition);
}

}  // namespace parts

#define TEST(name)                                                      \
  static void name();                                                   \
  static const parts::Registration registration_of_##name(#name, name); \
  static void name()

#define CHECK(...) parts::check(static_cast<bool>(__VA_ARGS__), #__VA_ARGS__, __FILE__, __LINE__)
