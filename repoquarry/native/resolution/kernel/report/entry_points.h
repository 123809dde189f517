// Entry points: definitions that decorators or calls hand to frameworks, by the resolved name of the callee.
#pragma once

#include "../semantics/part.h"
#include "line_index.h"
#include "symbols.h"

namespace repoquarry {

class EntryPointFinder : public Part {
 public:
  using Part::Part;

  /// Find decorations and registrations; may demand more variables.
  void find();
  /// Add decorations and registrations to the references.
  void add_references(Symbols &symbols, LineIndex<Triple<int32_t, int32_t, Name>> &references);
  void write(Symbols &symbols, RqOutput &output);

 private:
  /// Decorator applied to a definition; `callee` is the decorator or, called with arguments, its factory.
  struct Decoration {
    Operation call;
    int32_t callee;
    DefinitionId definition;
    int32_t depth;
  };
  /// Function or class that a call passes to a framework.
  struct Registration {
    Operation call;
    DefinitionId target;
    Name kind, name;
  };
  struct Applied {
    int32_t local, depth;
  };

  void find_decorations(const Unit &unit);
  void find_registered(const Unit &unit);
  void find_included(const Unit &unit, const Symbols &symbols, Ints &rows);
  void handed(const Unit &unit, int32_t local, int32_t depth, Vector<DefinitionId> &into);
  void options(const Operation &call, Vector<DefinitionId> &into, Name &name);
  void view_class(const Operation &call, Vector<DefinitionId> &into);
  void by_dotted_name(const Unit &unit, Name dotted, Vector<DefinitionId> &into);
  Slice<ObjectId> held(Variable variable);
  Name label(const Operation &call);

  void names_of(const Unit &unit, int32_t local, int32_t depth, Vector<Name> &into);
  void made_by(const Unit &unit, int32_t local, int32_t depth, Vector<Name> &into);
  void names_of_object(ObjectId object, Vector<Name> &into);
  Name entry_kind(const Unit &unit, int32_t local);
  Name kind_of_name(Name name);
  Name kind_in_package(Text name, int32_t package);
  Name kind_of(Text package, Text part);
  static int32_t call_of(const Unit &unit, int32_t local);
  Name text_of(const Unit &unit, int32_t local);
  bool is_plain_text(const Unit &unit, const Operation &constant);

  Vector<Decoration> decorations_;
  Vector<Registration> registered_;
  Map<Name, Name> kinds_;  // dotted name -> kind of entry point, -1 for none
};

}  // namespace repoquarry
