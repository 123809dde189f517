#include "box.hpp"
namespace store::inner {
namespace {
int helper() { return 1; }
}
template <typename T>
T *Box<T>::get() const { helper(); return nullptr; }
// ^ calls: box.cpp.store.inner.helper
template <typename T>
void Box<T>::put(T *one, int count) {}
void Thing::use() {}
}
