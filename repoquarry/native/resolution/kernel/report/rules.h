// Rules of call edges with their measured confidence, as passed by the Python side.
#pragma once

#include "../abi.h"
#include "../base/interner.h"

namespace repoquarry {

/// Evidence for a target: seen by the solver or, if dispatch added it, where its classes are instantiated.
enum class Grounds : int32_t { seen, made_in_code, made_in_tests, made_nowhere };

class Rules {
 public:
  void read(StringInterner &names, const RqInput &input);

  /// Return the position of the confidence of a rule, by number of targets and evidence.
  int32_t position(Name rule, int32_t targets, Grounds grounds = Grounds::seen) const {
    int32_t column = targets <= 1 ? 0 : targets == 2 ? 1 : targets <= 4 ? 2 : 3;
    return (rules_.value_or(rule, 0) * kColumns + column) * kGrounds + static_cast<int32_t>(grounds);
  }
  double confidence(int32_t position) const { return confidence_[position]; }
  /// Return the name under which edges show a rule.
  Name shown(Name rule) const { return shown_[rules_.value_or(rule, 0)]; }

 private:
  static constexpr int32_t kColumns = 4, kGrounds = 4;

  Map<Name, int32_t> rules_;
  Vector<Name> shown_;
  const double *confidence_ = nullptr;
};

}  // namespace repoquarry
