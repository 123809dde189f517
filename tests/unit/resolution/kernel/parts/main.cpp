#include <string.h>

#include "harness.h"

int main(int count, char **arguments) {
  const char *wanted = count > 1 ? arguments[1] : "--list";
  int ran = 0;
  for (parts::Test *test = parts::tests; test != nullptr; test = test->next) {
    if (strcmp(wanted, "--list") == 0) puts(test->name);
    if (strcmp(wanted, test->name) != 0) continue;
    test->run();
    ++ran;
  }
  return strcmp(wanted, "--list") == 0 || (ran == 1 && parts::failures == 0) ? 0 : 1;
}
