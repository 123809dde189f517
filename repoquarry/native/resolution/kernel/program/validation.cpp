#include "validation.h"

namespace repoquarry {

namespace {

class InputValidator {
 public:
  InputValidator(const Program &program, const Unit &unit) : program_(program), unit_(unit) { starts_.resize(unit.code.size / 8 + 1); }

  void run() {
    int32_t offset = 0;
    while (offset < unit_.code.size) offset = operation(offset);
    for (int32_t first : unit_.first) require(first == -1 || is_start(first));
    for (int32_t root : unit_.roots) require(is_start(root));
    for (int32_t number = 0; number < unit_.definition_count; ++number) rests(program_.definitions[unit_.definition(number)]);
    starts_.release();
  }

 private:
  bool is_start(int32_t offset) const {
    return offset >= 0 && offset < unit_.code.size && ((starts_[offset >> 3] >> (offset & 7)) & 1) != 0;
  }
  void rests(const Definition &function) const {
    for (const Parameter &parameter : function.parameters) {
      if (parameter.kind != op::REST && parameter.kind != op::KEYWORD_REST) continue;
      int32_t first = unit_.first[unit_.local(parameter.variable)];
      require(first >= 0 && unit_.code[first] == op::CONTAINER);
    }
  }
  void definition(int32_t local, bool is_class) const {
    require(local >= 0 && local < unit_.definition_count);
    require(program_.definitions[unit_.definition(local)].is_class == is_class);
  }
  int32_t operand(int32_t at) const {
    require(at < unit_.code.size);
    return unit_.code[at];
  }
  void variable(int32_t at) const { require(static_cast<uint32_t>(operand(at)) < static_cast<uint32_t>(unit_.first.size)); }
  void symbol(int32_t at) const { require(static_cast<uint32_t>(operand(at)) < static_cast<uint32_t>(unit_.symbol_count)); }

  int32_t operation(int32_t offset) {
    const char *kinds = operand_kinds(operand(offset));
    require(kinds != nullptr);
    int32_t next = operand(offset + op::NEXT), at = offset + op::LENGTH_OF_HEAD;
    require(next == -1 || (next < offset && is_start(next)));
    for (; *kinds != 0; ++kinds) at = one(*kinds, at);
    require(at <= unit_.code.size);
    starts_[offset >> 3] = static_cast<uint8_t>(starts_[offset >> 3] | 1 << (offset & 7));
    return at;
  }

  int32_t one(char kind, int32_t at) const {
    int32_t value = operand(at);
    switch (kind) {
      case 'V': variable(at); break;
      case 'v':
        if (value != -1) variable(at);
        break;
      case 'S': symbol(at); break;
      case 's':
        if (value != -1) symbol(at);
        break;
      case 'F': definition(value, false); break;
      case 'C': definition(value, true); break;
      case 'o': require(value >= -1 && value < unit_.definition_count); break;
      case 'A': return many(at, true, op::KEYWORDS);
      case 'E': return many(at, true, op::SPREAD);
      case 'T': return many(at, false, 0);
      default: break;
    }
    return at + 1;
  }

  /// Check a count and as many variables; in pairs, each follows a symbol or an integer not below `least`.
  int32_t many(int32_t at, bool pairs, int32_t least) const {
    int32_t count = operand(at++);
    require(count >= 0 && count <= unit_.code.size);
    for (; count > 0; --count) {
      if (pairs) {
        if (operand(at) >= 0) symbol(at);
        require(operand(at++) >= least);
      }
      variable(at++);
    }
    return at;
  }

  const Program &program_;
  const Unit &unit_;
  Vector<uint8_t> starts_;
};

}  // namespace

Slice<int32_t> checked_ints(const RqInts &ints) {
  require(ints.size >= 0 && ints.size < Ints::kMaxSize && (ints.size == 0 || ints.data != nullptr));
  return {ints.data, static_cast<int32_t>(ints.size)};
}

void check_operations(const Program &program, const Unit &unit) { InputValidator(program, unit).run(); }

}  // namespace repoquarry
