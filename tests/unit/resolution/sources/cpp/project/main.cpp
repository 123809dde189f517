#include "box.hpp"
namespace si = store::inner;
using store::inner::Box;
static int helper() { return 2; }
int main() {
  Box<si::Thing> box;
  // ^ calls: box.hpp.store.inner.Box
  box.put(nullptr);
  // ^ calls: box.cpp.store.inner.Box.put
  box.get()->use();
  // ^ calls: box.cpp.store.inner.Box.get, box.cpp.store.inner.Thing.use
  return helper();
  // ^ calls: main.cpp.helper
}
