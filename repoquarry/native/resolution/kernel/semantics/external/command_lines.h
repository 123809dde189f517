// Command lines: flow of values by option name, from the parser's definition to the parsed namespace.
//
// A parser, its groups and subcommand parsers fill one namespace: the chosen subcommand is known only at run time.
#pragma once

#include "../calls/arguments.h"
#include "../part.h"

namespace repoquarry {

class CommandLines : public Part {
 public:
  using Part::Part;
  void begin();

  /// Apply the model of a function; return whether there is one.
  bool behave(Name verb, const Call &call);
  /// Apply the model of a parser's method; return whether there is one.
  bool call_method(Name name, ObjectId receiver, const Call &call);

  void on_parent(ObjectId pointee, ObjectId parser);
  void on_option(ObjectId pointee, ObjectId name_space, Variable value);
  void on_names_of(ObjectId pointee, Variable target, Name function);

 private:
  using Method = void (CommandLines::*)(ObjectId receiver, const Call &call);

  void new_parser(ObjectId receiver, const Call &call);
  void names_of(ObjectId receiver, const Call &call);
  void add_part(ObjectId receiver, const Call &call);
  void add_parser(ObjectId receiver, const Call &call);
  void add_argument(ObjectId receiver, const Call &call);
  void set_defaults(ObjectId receiver, const Call &call);
  void parse(ObjectId receiver, const Call &call);
  void parse_pair(ObjectId receiver, const Call &call);
  void inherit(ObjectId parser, const CallArguments &arguments);
  ObjectId parser_of(ObjectId pointee) const;
  ObjectId name_space_of(ObjectId pointee);

  Map<Name, Method> methods_;
};

}  // namespace repoquarry
