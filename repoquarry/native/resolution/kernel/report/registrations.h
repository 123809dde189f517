// What is applied as a decorator and what is handed to a framework, by what its name resolves to.
#pragma once

#include "lines.h"
#include "symbols.h"

namespace repoquarry {

class Registrations {
 public:
  explicit Registrations(Kernel &kernel) : kernel_(kernel) {}

  /// Finds what is decorated and what is handed over; may ask for what no call site has asked for.
  void find();
  /// Adds what is applied as a decorator, and what is registered, to mentions.
  void add_references(Symbols &symbols, LinesBy<Triple> &references);
  void write(Symbols &symbols, RqOutput &output);

 private:
  /// One decorator that is applied to a definition; `callee` is the decorator, or what makes it when it is called with arguments.
  struct Decoration {
    Operation call;
    int32_t callee, definition, depth;
  };
  /// A function or class that a call hands to a framework.
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
  Slice held(int32_t variable);
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

  Kernel &kernel_;
  Vector<Decoration> decorations_;
  Vector<Registration> registered_;
  IntMap kinds_;  // dotted name -> what calling it makes of what it is given, -1 for nothing
};

}  // namespace repoquarry
