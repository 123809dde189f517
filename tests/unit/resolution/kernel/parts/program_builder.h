// Programs written as streams of operations, and analyses of them.
#pragma once

#include <map>
#include <string>
#include <vector>

#include "report/rules.h"
#include "semantics/analysis_driver.h"
#include "semantics/handlers.h"

namespace parts {

using namespace repoquarry;  // NOLINT: tests only

/// Texts in one block, as the ABI takes them.
struct TextBlock {
  std::string text;
  std::vector<int32_t> counts;

  void add(const std::string &one) {
    text += one;
    counts.push_back(static_cast<int32_t>(one.size()));  // ASCII
  }
  RqTexts abi() const { return {text.data(), static_cast<int64_t>(text.size()), counts.data(), static_cast<int64_t>(counts.size())}; }
};

inline RqInts ints(const std::vector<int32_t> &numbers) { return {numbers.data(), static_cast<int64_t>(numbers.size())}; }

/// One file, operation by operation; variables, symbols and definitions are its local numbers.
class ProgramBuilder {
 public:
  ProgramBuilder() {
    for (int32_t at = 0; at < raw(LanguageProtocol::count); ++at) protocols_.push_back("<" + std::to_string(at) + ">");
    protocol(LanguageProtocol::builtins, "builtins");
    protocol(LanguageProtocol::initialise, "__init__");
  }

  void protocol(LanguageProtocol protocol, const std::string &name) { protocols_[static_cast<size_t>(protocol)] = name; }
  void feature(LanguageFeature feature) { input.flags |= int64_t{1} << raw(feature); }
  void table(TableId table, std::vector<std::string> texts) { tables_[raw(table)] = std::move(texts); }

  int32_t variable() {
    first.push_back(-1);
    return static_cast<int32_t>(first.size()) - 1;
  }
  int32_t symbol(const std::string &text) {
    auto found = symbols_.find(text);
    if (found != symbols_.end()) return found->second;
    symbol_texts_.add(text);
    return symbols_[text] = static_cast<int32_t>(symbols_.size());
  }
  /// Append an operation that assigns to a variable, -1 for an effect alone; return its offset.
  int32_t operation(int32_t variable, int32_t opcode, std::vector<int32_t> operands) {
    int32_t offset = static_cast<int32_t>(code.size());
    code.push_back(opcode);
    code.push_back(variable >= 0 ? first[static_cast<size_t>(variable)] : -1);
    code.insert(code.end(), operands.begin(), operands.end());
    if (variable >= 0) first[static_cast<size_t>(variable)] = offset;
    return offset;
  }
  int32_t copy(int32_t from) { return assigned(op::COPY, {from}); }
  int32_t constant(const std::string &type, const std::string &value) { return assigned(op::CONST, {symbol(type), symbol(value)}); }
  int32_t container(const std::string &kind, std::vector<int32_t> keys_and_variables) {
    std::vector<int32_t> operands = {symbol(kind), static_cast<int32_t>(keys_and_variables.size() / 2)};
    operands.insert(operands.end(), keys_and_variables.begin(), keys_and_variables.end());
    return assigned(op::CONTAINER, operands);
  }
  int32_t assigned(int32_t opcode, const std::vector<int32_t> &operands) {
    int32_t made = variable();
    operation(made, opcode, operands);
    return made;
  }
  /// Call `callee` with (kind, variable) pairs; return the variable of the result.
  int32_t call(int32_t callee, std::vector<int32_t> arguments, int32_t flags = 0) {
    int32_t result = variable();
    std::vector<int32_t> operands = {result, callee, 1, -1, flags, -1, static_cast<int32_t>(arguments.size() / 2)};
    operands.insert(operands.end(), arguments.begin(), arguments.end());
    roots.push_back(operation(result, op::CALL, operands));
    return result;
  }
  struct Function {
    int32_t value, result;
    std::vector<int32_t> parameters;
  };
  /// Define a function whose parameters have names and kinds; return its value, result and parameters.
  Function function(const std::string &name, const std::vector<std::pair<std::string, int32_t>> &parameters, int32_t flags = 0) {
    Function made;
    made.result = variable();
    int32_t yielded = variable();
    std::vector<int32_t> record = {op::FUNC, flags, made.result, yielded, -1, static_cast<int32_t>(parameters.size())};
    for (const auto &[parameter, kind] : parameters) {
      int32_t one = kind == op::REST ? container("tuple", {}) : kind == op::KEYWORD_REST ? container("dict", {}) : variable();
      made.parameters.push_back(one);
      record.insert(record.end(), {symbol(parameter), one, kind});
    }
    made.value = assigned(op::FUNC, {define(name, -1, record)});
    return made;
  }
  /// Define a class with variables of its bases; return its local number.
  int32_t cls(const std::string &name, const std::vector<int32_t> &bases) {
    std::vector<int32_t> record = {op::CLASS, static_cast<int32_t>(bases.size())};
    record.insert(record.end(), bases.begin(), bases.end());
    record.insert(record.end(), {0, 0});
    return define(name, -1, record);
  }
  int32_t value_of_class(int32_t cls) { return assigned(op::CLASS, {cls}); }
  void bind(int32_t scope, const std::string &name, int32_t variable) { scopes.insert(scopes.end(), {scope, symbol(name), variable}); }
  int32_t define(const std::string &name, int32_t parent, const std::vector<int32_t> &record) {
    definition_rows_.insert(definition_rows_.end(), {parent, 0, 1});
    definition_names_.add(name);
    functions.push_back(static_cast<int32_t>(record.size()) + 1);
    functions.insert(functions.end(), record.begin(), record.end());
    return definition_count_++;
  }

  /// The input; it points into the builder.
  const RqInput &abi() {
    unit_ = {ints(code), ints(first), ints(roots), ints(scopes), ints(functions), {}, symbol_texts_.abi()};
    counts_ = {definition_count_};
    texts_ = {};
    sizes_.assign(static_cast<size_t>(TableId::count), 0);
    tables_[0] = protocols_;
    for (int32_t table = 0; table < raw(TableId::count); ++table)
      for (const std::string &text : tables_[table]) {
        texts_.add(text);
        ++sizes_[static_cast<size_t>(table)];
      }
    empty_ = {};
    empty_.add("");
    input.version = REPOQUARRY_KERNEL_VERSION;
    input.units = &unit_;
    input.unit_count = 1;
    input.definitions = ints(definition_rows_);
    input.definition_counts = ints(counts_);
    input.definition_names = input.definition_paths = definition_names_.abi();
    input.unit_flags = ints(zero_);
    input.unit_folders = input.unit_names = input.unit_roots = input.unit_stems = empty_.abi();
    input.last_roots_from = ints(zeros_);
    input.exports_from = ints(zero_);
    input.tables = texts_.abi();
    input.table_sizes = ints(sizes_);
    if (input.objects_per_variable == 0) input.objects_per_variable = 32;
    return input;
  }

  std::vector<int32_t> code, first, roots, scopes, functions;
  RqInput input = {};

 private:
  std::map<std::string, int32_t> symbols_;
  TextBlock symbol_texts_, definition_names_, texts_, empty_;
  std::vector<int32_t> definition_rows_, counts_, sizes_, zero_ = {0}, zeros_ = {0, 0, 0};
  int32_t definition_count_ = 0;
  std::vector<std::string> protocols_;
  std::map<int32_t, std::vector<std::string>> tables_;
  RqUnit unit_ = {};
};

/// Run work with an arena of its own; return how it failed.
template <typename Work>
Failure run_in_arena(int64_t limit, Work work) {
  static Arena memory(0);
  memory = Arena(limit);
  arena = &memory;
  int failure = setjmp(memory.on_failure);
  if (failure == 0) work();
  memory.free_all();
  arena = nullptr;
  return Failure{failure};
}

/// Read a program and hand the analysis over, unsolved.
template <typename Work>
Failure analyze(ProgramBuilder &program, Work work) {
  const RqInput &input = program.abi();
  return run_in_arena(0, [&] {
    Analysis &analysis = *new (arena->allocate(sizeof(Analysis))) Analysis();
    analysis.read(input);
    work(analysis);
  });
}

template <typename Id>
std::vector<int32_t> numbers(Slice<Id> slice) {
  std::vector<int32_t> found;
  for (Id one : slice) found.push_back(raw(one));
  return found;
}

}  // namespace parts
