#include "rules.h"

#include "../program/checks.h"
#include "../program/texts.h"

namespace repoquarry {

void Rules::read(Names &names, const RqInput &input) {
  Texts texts(input.rules);
  require(texts.left() > 0 && texts.left() % 2 == 0 && input.rule_confidence != nullptr);
  while (texts.left() > 0) {
    rules_.put(names.number(texts.next()), shown_.size);
    shown_.push(names.number(texts.next()));
  }
  require(input.rule_confidences == shown_.size * int64_t{kColumns} * kGrounds);
  confidence_ = input.rule_confidence;
}

}  // namespace repoquarry
