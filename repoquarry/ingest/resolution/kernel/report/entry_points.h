// Entry points: definitions that decorators or calls hand to frameworks, by the resolved name of the callee.
#pragma once

#include "line_index.h"
#include "symbols.h"

namespace repoquarry {

class EntryPointFinder {
 public:
  explicit EntryPointFinder(Analysis &analysis) : analysis_(analysis) {}

  /// Find decorations and registrations; may demand more variables.
  void find();
  /// Add decorations and registrations to the references.
  void add_references(Symbols &symbols, LineIndex<Triple> &references);
  void write(Symbols &symbols, RqOutput &output);

 private:
  /// Decorator applied to a definition; `callee` is the decorator or, called with arguments, its factory.
  struct Decoration {
    Operation call;
    int32_t callee, definition, depth;
  };
  /// Function or class that a call passes to a framework.
  struct Registration {
    Operation call;
    int32_t target, kind, name;
  };
  struct Applied {
    int32_t local, depth;
  };

  void find_decorations(const Unit &unit);
  void find_registered(const Unit &unit);
  void find_included(const Unit &unit, const Symbols &symbols, Ints &rows);
  void handed(const Unit &unit, int32_t variable, int32_t depth, Ints &into);
  void options(const Operation &call, Ints &into, int32_t &name);
  void view_class(const Operation &call, Ints &into);
  void by_dotted_name(const Unit &unit, int32_t dotted, Ints &into);
  Slice<int32_t> held(int32_t variable);
  int32_t label(const Operation &call);

  void names_of(const Unit &unit, int32_t variable, int32_t depth, Ints &into);
  void made_by(const Unit &unit, int32_t variable, int32_t depth, Ints &into);
  void names_of_object(int32_t object, Ints &into);
  int32_t entry_kind(const Unit &unit, int32_t variable);
  int32_t kind_of_name(int32_t name);
  int32_t kind_in_package(Text name, int32_t package);
  int32_t kind_of(Text package, Text part);
  static int32_t call_of(const Unit &unit, int32_t variable);
  int32_t text_of(const Unit &unit, int32_t variable);
  bool is_plain_text(const Unit &unit, const Operation &constant);

  Analysis &analysis_;
  Vector<Decoration> decorations_;
  Vector<Registration> registered_;
  IntMap kinds_;  // dotted name -> kind of entry point, -1 for none
};

}  // namespace repoquarry
