// Type guards: functions whose declared result narrows an argument or the receiver (`isCircle(v): v is Circle`).
#pragma once

#include "../part.h"

namespace repoquarry {

class Guards : public Part {
 public:
  using Part::Part;

  void read(const Operation &operation, Variable target);
  /// Propagate objects of `source` that pass the predicate `function`; all of them if it is not a guard.
  void keep_by(Variable function, Variable source, Variable target);
  /// Open unknown guards, and add the declared type where no known object passes; return whether there were any.
  bool open_undecided();
  /// Return the variable of the guarded types under a name, -1 if the function is not a guard.
  Variable types(ObjectId function, Name name);

  void on_function(ObjectId pointee, int32_t number);
  void on_type(ObjectId type, int32_t number);
  void on_types(Slice<ObjectId>, int32_t number, Variable types);
  void on_kept(ObjectId pointee, ObjectId type, Variable target);
  void on_left(ObjectId pointee, Variable target, Variable types);

 private:
  struct Guard {
    Variable source, target;
    Place place;  // of the call, -1 if another function calls it
    Name name;   // under which functions declare the type
    Variable types;  // variable of the guarded types, -1 if unknown
    bool keeps;     // the call returned true
    bool is_open;   // everything passes
  };

  void begin(Variable callee, const Guard &guard);
  void open(int32_t number);
  bool holds_instance(Variable variable) const;
  bool is_of(ObjectId pointee, const Object &type);
  bool is_of_class(ObjectId pointee, DefinitionId cls);
  bool has_members_of(DefinitionId cls, DefinitionId interface);
  Object without_brackets(ObjectId type) const;

  Vector<Guard> guards_;
  int32_t decided_count_ = 0;  // number of settled guards
};

}  // namespace repoquarry
