// The rules by which call edges are found, with the measured confidence of each: `resolution/rules.py` hands them over.
#pragma once

#include "../base/names.h"
#include "../interface.h"

namespace repoquarry {

/// What stands for a target: that it was seen, or for one that dispatch adds where instances of the classes that have it are made.
enum class Grounds : int32_t { seen, made_in_code, made_in_tests, made_nowhere };

class Rules {
 public:
  void read(Names &names, const RqInput &input);

  /// Position of the confidence of a rule at a call site with so many targets, on such grounds.
  int32_t position(int32_t rule, int32_t targets, Grounds grounds = Grounds::seen) const {
    int32_t column = targets <= 1 ? 0 : targets == 2 ? 1 : targets <= 4 ? 2 : 3;
    return (rules_.value_or(rule, 0) * kColumns + column) * kGrounds + static_cast<int32_t>(grounds);
  }
  double confidence(int32_t position) const { return confidence_[position]; }
  /// The rule as edges name it.
  int32_t shown(int32_t rule) const { return shown_[rules_.value_or(rule, 0)]; }

 private:
  static constexpr int32_t kColumns = 4, kGrounds = 4;

  IntMap rules_;
  Ints shown_;
  const double *confidence_ = nullptr;
};

}  // namespace repoquarry
