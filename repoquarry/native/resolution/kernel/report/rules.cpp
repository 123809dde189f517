#include "rules.h"

#include "../program/text_reader.h"
#include "../program/validation.h"

namespace repoquarry {

void Rules::read(StringInterner &names, const RqInput &input) {
  TextReader texts(input.rules);
  require(texts.left() > 0 && texts.left() % 2 == 0 && input.rule_confidence != nullptr);
  while (texts.left() > 0) {
    rules_.put(names.intern(texts.next()), shown_.size);
    shown_.push(names.intern(texts.next()));
  }
  require(input.rule_confidences == shown_.size * int64_t{kColumns} * kGrounds);
  confidence_ = input.rule_confidence;
}

}  // namespace repoquarry
