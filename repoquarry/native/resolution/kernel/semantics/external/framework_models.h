// Models of frameworks: what external code does at a call or an attribute read, as programs over access paths (table `models`).
//
// A program is the name of its model and steps on a stack of variables, as `languages/model_paths.py` writes them. Values that a model
// makes carry its name: instances of an external type by `Object::with`, the object that they hold; instances of classes of the program
// by a mark in `Object::name`.
#pragma once

#include "../calls/arguments.h"
#include "../part.h"

namespace repoquarry {

class FrameworkModels : public Part {
 public:
  using Part::Part;
  void begin();

  /// Run the model of a called external name; return whether there is one.
  bool call(Name name, ObjectId receiver, Place place, const CallArguments &arguments, Variable target);
  /// Run the model of a member of an external type, or make it a method of the object; return whether there is one.
  bool read(ObjectId pointee, Name name, Variable target);
  /// Run the model of a value that is read as an attribute of a class or its instance; return whether there is one.
  bool bind(ObjectId value, ObjectId receiver, Variable target);
  /// Run the model of an operation on an object of an external type (`@each`, `@await`, `@item`, `@enter`, `@call`).
  bool operate(ObjectId pointee, Text operation, Variable target);
  bool call_object(ObjectId pointee, Place place, const CallArguments &arguments, Variable target);
  /// Type a value by an external generic type that a model describes; return whether there is one.
  bool type_generic(Name type, Slice<Variable> arguments, Variable target);
  /// Return whether attributes that are stored in an external object or type are read from it again.
  bool is_shared(Name name) const;
  /// Return the rule of calls on an object that a model made, the other rule for other objects.
  Name rule_of(ObjectId receiver, Name other);
  /// Return whether the rule is that of calls that a model makes in addition to the call of the site.
  bool is_beside(Name rule) const { return beside_.has(rule); }
  /// Remove the mark of an instance that holds nothing: `self` in its methods is any instance.
  ObjectId without_mark(ObjectId pointee);

  void on_instance(ObjectId pointee, Variable target, Name model);
  void on_class(ObjectId pointee, Variable target, DefinitionId owner);
  void on_holder(ObjectId pointee, Variable target, Name type);
  void on_held(ObjectId pointee, Variable target);
  void on_resolved(ObjectId pointee, Variable target);
  void on_hold(ObjectId element, ObjectId pointee, Variable target, Name model);
  void on_added(ObjectId cls, Variable name, Variable value, Name by_default);
  void on_added_name(ObjectId name, ObjectId cls, Variable value);
  void on_merged(ObjectId pointee, ObjectId number);
  void on_this(ObjectId receiver, Variable functions);
  void on_keep_by(ObjectId key, Variable value, Name name);
  void on_kept_by(ObjectId key, Variable target, Name name);
  void on_apply(ObjectId pointee, Name name, Variable target);
  void on_members(ObjectId pointee, Variable target);

 private:
  struct Mark {
    Name model;
    ObjectId held;
  };
  struct Site {
    Place place;
    ObjectId receiver, value;
    DefinitionId owner;
    const CallArguments *arguments;
  };
  struct Step {
    Name operation;
    Text operand;
  };

  bool read_shared(Name type, Name name, Variable target);
  bool read_through(Name type, Name name, Variable target);
  Variable slot(Text name);
  Variable slot_of(ObjectId key, Name name);
  Slice<Name> bases(DefinitionId cls);
  Name find(ObjectId pointee, Text between, Text member);
  void run(Name program, const Site &site, Variable target);
  void run_step(Step step, const Site &site, Name model, Vector<Variable> &stack, Variable target);
  Variable only(ObjectId pointee);
  Variable held(ObjectId pointee);
  Variable argument(Text operand, const Site &site);
  void call_path(Step step, const Site &site, Name model, Vector<Variable> &stack);
  Variable merge(Vector<Variable> &stack, int32_t count);
  void add_member(Step step, const Site &site, Vector<Variable> &stack);
  ObjectId class_named(Name text, DefinitionId owner);
  Name mark(Name model, ObjectId held);

  bool is_empty_ = true;
  Map<DefinitionId, Slice<Name>> bases_;                // class -> external bases that models describe
  Map<Name, Mark> marks_;                               // mark of an instance -> its meaning
  Map<Name, Name> rules_;                               // model -> rule of calls on its objects
  Map<Name, Name> beside_rules_;                        // model -> rule of calls that it makes
  Set<Name> beside_;
  Map<Name, Vector<DefinitionId>> classes_by_name_;
};

}  // namespace repoquarry
