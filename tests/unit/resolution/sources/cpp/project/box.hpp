#pragma once
namespace store::inner {
template <typename T>
class Box {
 public:
  T *get() const;
  void put(T *one, int count = 1);
};
struct Thing { void use(); };
}
