// Lines collected by key, and written as rows.
#pragma once

#include "../base/output.h"

namespace repoquarry {

/// Rows sorted by `less`, each with its sorted lines.
template <typename K>
class LineIndex {
 public:
  void add(K key, int32_t line) { lines_.put_default(key, {}).push(line); }

  void add_new(K key, int32_t line) { lines_.put_default(key, {}).push_new(line); }

  template <typename Less>
  void sort_by(Less less) {
    order_.clear();
    for (int32_t at = 0; at < lines_.size(); ++at) order_.push(at);
    sort(order_.data, order_.size,
         [this, less](int32_t left, int32_t right) { return less(lines_.entries[left].key, lines_.entries[right].key); });
  }

  int32_t size() const { return order_.size; }
  K key(int32_t at) const { return lines_.entries[order_[at]].key; }

  void write(RqInts &lines, RqInts &from) { write_lines(lines, from, false); }
  /// As `write`, with each line of a row once.
  void write_distinct(RqInts &lines, RqInts &from) { write_lines(lines, from, true); }

 private:
  void write_lines(RqInts &lines, RqInts &from, bool is_distinct) {
    Ints all, starts;
    for (int32_t at : order_) {
      Ints &own = lines_.entries[at].value;
      sort(own);
      starts.push(all.size);
      for (int32_t line : own)
        if (!is_distinct || all.size == starts.last() || all.last() != line) all.push(line);
      own.release();
    }
    starts.push(all.size);
    lines_.release();
    order_.release();
    lines = output_of(all);
    from = output_of(starts);
  }

  Map<K, Ints> lines_;
  Ints order_;
};

}  // namespace repoquarry
