// Vector, Slice, Map and Set in the arena. A Map iterates in insertion order, so that no result depends on hashing.
#pragma once

#include <stdint.h>
#include <string.h>
#include <initializer_list>

#include "arena.h"
#include "ids.h"

namespace repoquarry {

/// Immutable array; many variables may share one. Packed, because hundreds of thousands are stored.
template <typename T>
struct __attribute__((packed, aligned(4))) Slice {
  const T *data = nullptr;
  int32_t size = 0;

  const T &operator[](int32_t at) const { return data[at]; }
  const T *begin() const { return data; }
  const T *end() const { return data + size; }
  bool empty() const { return size == 0; }
  Slice from(int32_t start) const { return start < size ? Slice{data + start, size - start} : Slice{}; }
  Slice first(int32_t count) const { return count < size ? Slice{data, count} : *this; }
  bool has(T wanted) const {
    for (T one : *this)
      if (one == wanted) return true;
    return false;
  }
};

template <typename T>
bool operator==(Slice<T> left, Slice<T> right) {
  return left.size == right.size && (left.size == 0 || memcmp(left.data, right.data, sizeof(T) * static_cast<size_t>(left.size)) == 0);
}

template <typename T>
struct Vector {
  T *data = nullptr;
  int32_t size = 0, capacity = 0;

  T &operator[](int32_t at) { return data[at]; }
  const T &operator[](int32_t at) const { return data[at]; }
  T *begin() { return data; }
  T *end() { return data + size; }
  const T *begin() const { return data; }
  const T *end() const { return data + size; }
  bool empty() const { return size == 0; }
  T &last() { return data[size - 1]; }

  /// Append by value: a reference into this vector would dangle when it grows.
  int32_t push(T value) {
    if (size == capacity) reserve(size + 1);
    data[size] = value;
    return size++;
  }
  void append(const T *more, int32_t count) {
    if (count == 0) return;
    if (count > kMaxSize - size) arena->fail(Failure::memory);
    reserve(size + count);
    memcpy(static_cast<void *>(data + size), static_cast<const void *>(more), sizeof(T) * static_cast<size_t>(count));
    size += count;
  }
  T pop() { return data[--size]; }
  void clear() { size = 0; }

  void reserve(int32_t wanted) {
    if (wanted <= capacity) return;
    if (wanted > kMaxSize) arena->fail(Failure::memory);
    int64_t grown = static_cast<int64_t>(capacity) + (capacity >> 1) + 4;
    if (grown < wanted) grown = wanted;
    if (grown > kMaxSize) grown = kMaxSize;
    data = static_cast<T *>(arena->grow(data, sizeof(T) * static_cast<size_t>(capacity), sizeof(T) * static_cast<size_t>(grown)));
    capacity = static_cast<int32_t>(grown);
  }
  /// New entries are zero.
  void resize(int32_t wanted) {
    reserve(wanted);
    if (wanted > size) memset(static_cast<void *>(data + size), 0, sizeof(T) * static_cast<size_t>(wanted - size));
    size = wanted;
  }
  void fill(int32_t wanted, T value) {
    reserve(wanted);
    while (size < wanted) data[size++] = value;
  }
  void release() {
    arena->release(data, sizeof(T) * static_cast<size_t>(capacity));
    *this = Vector();
  }
  bool has(T wanted) const {
    for (int32_t at = 0; at < size; ++at)
      if (data[at] == wanted) return true;
    return false;
  }
  void push_new(T value) {
    if (!has(value)) push(value);
  }

  static constexpr int32_t kMaxSize = 0x7fffff00;
};

using Ints = Vector<int32_t>;

template <typename T>
Slice<T> slice_of(const Vector<T> &vector) {
  return {vector.data, vector.size};
}

/// Copy with the lifetime of the resolution.
template <typename T>
Slice<T> packed_copy(const T *data, int32_t size) {
  if (size == 0) return {};
  T *result = static_cast<T *>(arena->allocate_packed(sizeof(T) * static_cast<size_t>(size)));
  memcpy(result, data, sizeof(T) * static_cast<size_t>(size));
  return {result, size};
}
template <typename T>
Slice<T> packed_copy(const Vector<T> &vector) {
  return packed_copy(vector.data, vector.size);
}
template <typename T>
Slice<T> packed_copy(Slice<T> left, Slice<T> right) {
  if (left.empty()) return right;
  T *result = static_cast<T *>(arena->allocate_packed(sizeof(T) * static_cast<size_t>(left.size + right.size)));
  memcpy(result, left.data, sizeof(T) * static_cast<size_t>(left.size));
  if (right.size > 0) memcpy(result + left.size, right.data, sizeof(T) * static_cast<size_t>(right.size));
  return {result, left.size + right.size};
}
/// Copy a vector and release it.
template <typename T>
Slice<T> packed_move(Vector<T> &vector) {
  Slice<T> result = packed_copy(vector);
  vector.release();
  return result;
}

/// Stable merge sort.
template <typename T, typename Less>
void sort(T *data, int32_t size, Less less) {
  if (size < 2) return;
  if (size <= 12) {
    for (int32_t at = 1; at < size; ++at) {
      T value = data[at];
      int32_t to = at;
      for (; to > 0 && less(value, data[to - 1]); --to) data[to] = data[to - 1];
      data[to] = value;
    }
    return;
  }
  int32_t half = size / 2;
  sort(data, half, less);
  sort(data + half, size - half, less);
  T *left = static_cast<T *>(arena->allocate(sizeof(T) * static_cast<size_t>(half)));
  memcpy(static_cast<void *>(left), static_cast<const void *>(data), sizeof(T) * static_cast<size_t>(half));
  int32_t a = 0, b = half, to = 0;
  while (a < half) data[to++] = b < size && less(data[b], left[a]) ? data[b++] : left[a++];
  arena->release(left, sizeof(T) * static_cast<size_t>(half));
}

template <typename T>
void sort(Vector<T> &vector) {
  sort(vector.data, vector.size, [](T left, T right) { return left < right; });
}

/// Return the entries of a slice in ascending order.
template <typename T>
Slice<T> sorted(Slice<T> slice) {
  if (slice.size < 2) return slice;
  Vector<T> copy;
  for (T one : slice) copy.push(one);
  sort(copy);
  return slice_of(copy);
}

// ---- hashing

inline uint64_t mixed(uint64_t value) {
  value *= 0x9e3779b97f4a7c15u;
  return value ^ (value >> 32);
}

template <typename A, typename B>
struct Pair {
  A a;
  B b;
};
template <typename A, typename B, typename C>
struct Triple {
  A a;
  B b;
  C c;
};
template <typename A, typename B, typename C, typename D>
struct Quad {
  A a;
  B b;
  C c;
  D d;
};
/// An array of ids that belongs to another id.
template <typename Id, typename T>
struct KeyedSlice {
  Id id;
  Slice<T> slice;
};

template <typename A, typename B>
bool operator==(Pair<A, B> left, Pair<A, B> right) {
  return left.a == right.a && left.b == right.b;
}
template <typename A, typename B, typename C>
bool operator==(Triple<A, B, C> left, Triple<A, B, C> right) {
  return left.a == right.a && left.b == right.b && left.c == right.c;
}
template <typename A, typename B, typename C, typename D>
bool operator==(Quad<A, B, C, D> left, Quad<A, B, C, D> right) {
  return left.a == right.a && left.b == right.b && left.c == right.c && left.d == right.d;
}
template <typename Id, typename T>
bool operator==(KeyedSlice<Id, T> left, KeyedSlice<Id, T> right) {
  return left.id == right.id && left.slice == right.slice;
}

inline uint64_t packed(int32_t a, int32_t b) { return static_cast<uint64_t>(static_cast<uint32_t>(a)) << 32 | static_cast<uint32_t>(b); }
inline uint64_t hash_of(int32_t key) { return mixed(static_cast<uint32_t>(key)); }
template <typename Id>
  requires(__is_enum(Id))
uint64_t hash_of(Id key) {
  return hash_of(raw(key));
}
template <typename A, typename B>
uint64_t hash_of(Pair<A, B> key) {
  return mixed(packed(raw(key.a), raw(key.b)));
}
template <typename A, typename B, typename C>
uint64_t hash_of(Triple<A, B, C> key) {
  return mixed(mixed(packed(raw(key.a), raw(key.b))) + static_cast<uint32_t>(key.c));
}
template <typename A, typename B, typename C, typename D>
uint64_t hash_of(Quad<A, B, C, D> key) {
  return mixed(mixed(packed(raw(key.a), raw(key.b))) + packed(raw(key.c), raw(key.d)));
}
template <typename Id, typename T>
uint64_t hash_of(KeyedSlice<Id, T> key) {
  uint64_t found = static_cast<uint32_t>(key.id);
  for (T one : key.slice) found = mixed(found + static_cast<uint32_t>(one));
  return mixed(found);
}

/// Consecutive ids.
template <typename Id>
struct IdRange {
  int32_t first, last;

  struct Iterator {
    int32_t at;
    Id operator*() const { return Id{at}; }
    Iterator &operator++() {
      ++at;
      return *this;
    }
    bool operator!=(Iterator other) const { return at != other.at; }
  };
  Iterator begin() const { return {first}; }
  Iterator end() const { return {last}; }
};

struct Nothing {};

template <typename K, typename V>
struct Map {
  struct Entry {
    K key;
    [[no_unique_address]] V value;
  };
  Vector<Entry> entries;
  Ints slots;  // 0: free, otherwise the entry's position + 1

  int32_t size() const { return entries.size; }
  Entry *begin() { return entries.begin(); }
  Entry *end() { return entries.end(); }

  int32_t position(K key) const {
    if (slots.size == 0) return -1;
    uint32_t mask = static_cast<uint32_t>(slots.size - 1), at = static_cast<uint32_t>(hash_of(key)) & mask;
    for (; slots.data[at] != 0; at = (at + 1) & mask)
      if (entries[slots.data[at] - 1].key == key) return slots.data[at] - 1;
    return -1;
  }
  bool has(K key) const { return position(key) >= 0; }
  /// Return a pointer that an insertion invalidates, null if the key is missing.
  V *get(K key) {
    int32_t at = position(key);
    return at < 0 ? nullptr : &entries[at].value;
  }
  V value_or(K key, V otherwise) const {
    int32_t at = position(key);
    return at < 0 ? otherwise : entries[at].value;
  }
  /// Return the position of the key's entry, inserted with `value` if it is missing.
  int32_t add(K key, V value) {
    uint32_t mask = static_cast<uint32_t>(slots.size - 1), at = static_cast<uint32_t>(hash_of(key)) & mask;
    if (slots.size > 0)
      for (; slots.data[at] != 0; at = (at + 1) & mask)
        if (entries[slots.data[at] - 1].key == key) return slots.data[at] - 1;
    int32_t made = entries.push({key, value});
    if (entries.size * 2 > slots.size)
      rehash();
    else
      slots.data[at] = made + 1;
    return made;
  }
  /// Return the value of the key, inserted if it is missing. An insertion invalidates the reference.
  V &put_default(K key, V value) { return entries[add(key, value)].value; }
  void put(K key, V value) { put_default(key, value) = value; }
  void release() {
    entries.release();
    slots.release();
  }
  void clear() {
    entries.clear();
    if (slots.size > 0) memset(slots.data, 0, sizeof(int32_t) * static_cast<size_t>(slots.size));
  }

 private:
  void place(int32_t entry) {
    uint32_t mask = static_cast<uint32_t>(slots.size - 1), at = static_cast<uint32_t>(hash_of(entries[entry].key)) & mask;
    while (slots[static_cast<int32_t>(at)] != 0) at = (at + 1) & mask;
    slots[static_cast<int32_t>(at)] = entry + 1;
  }
  void rehash() {
    int64_t wanted = slots.size == 0 ? 8 : static_cast<int64_t>(slots.size) * 2;
    if (wanted > (1 << 30)) arena->fail(Failure::memory);
    slots.release();
    slots.resize(static_cast<int32_t>(wanted));
    for (int32_t at = 0; at < entries.size; ++at) place(at);
  }
};

template <typename K>
struct Set {
  Map<K, Nothing> map;

  bool has(K key) const { return map.has(key); }
  int32_t size() const { return map.size(); }
  /// Return true if the key was missing.
  bool add(K key) {
    int32_t before = map.size();
    map.put_default(key, Nothing{});
    return map.size() > before;
  }
  void clear() { map.clear(); }
};

/// A vector that is indexed by ids.
template <typename Id, typename T>
struct IdVector : Vector<T> {
  T &operator[](Id id) { return Vector<T>::operator[](raw(id)); }
  const T &operator[](Id id) const { return Vector<T>::operator[](raw(id)); }
  IdRange<Id> ids() const { return {0, this->size}; }
};

using IntMap = Map<int32_t, int32_t>;
using IntSet = Set<int32_t>;

}  // namespace repoquarry
