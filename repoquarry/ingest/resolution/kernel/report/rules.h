// The rules by which call edges are found, with the measured confidence of each: `resolution/rules.py` hands them over.
#pragma once

#include "../base/names.h"
#include "../interface.h"

namespace repoquarry {

class Rules {
 public:
  void read(Names &names, const RqInput &input);

  /// Position of the confidence of a rule at a call site with so many targets.
  int32_t position(int32_t rule, int32_t targets) const {
    return rules_.value_or(rule, 0) * kColumns + (targets <= 1 ? 0 : targets == 2 ? 1 : targets <= 4 ? 2 : 3);
  }
  double confidence(int32_t position) const { return confidence_[position]; }
  /// The rule as edges name it.
  int32_t shown(int32_t rule) const { return shown_[rules_.value_or(rule, 0)]; }

 private:
  static constexpr int32_t kColumns = 4;

  IntMap rules_;
  Ints shown_;
  const double *confidence_ = nullptr;
};

}  // namespace repoquarry
