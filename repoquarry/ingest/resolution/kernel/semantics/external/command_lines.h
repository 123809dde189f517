// Command lines: flow of values by option name, from the parser's definition to the parsed namespace.
//
// A parser, its groups and subcommand parsers fill one namespace: the chosen subcommand is known only at run time.
#pragma once

#include "../../propagation/objects.h"
#include "../calls/arguments.h"

namespace repoquarry {

class Analysis;

class CommandLines {
 public:
  explicit CommandLines(Analysis &analysis) : analysis_(analysis) {}
  void begin();

  /// Apply the model of a function; return whether there is one.
  bool behave(int32_t verb, const Call &call);
  /// Apply the model of a parser's method; return whether there is one.
  bool call_method(int32_t name, int32_t receiver, const Call &call);

  void on_parent(int32_t pointee, int32_t parser);
  void on_option(int32_t pointee, int32_t name_space, int32_t value);
  void on_names_of(int32_t pointee, int32_t target, int32_t function);

 private:
  using Method = void (CommandLines::*)(int32_t receiver, const Call &call);

  void new_parser(int32_t receiver, const Call &call);
  void names_of(int32_t receiver, const Call &call);
  void add_part(int32_t receiver, const Call &call);
  void add_parser(int32_t receiver, const Call &call);
  void add_argument(int32_t receiver, const Call &call);
  void set_defaults(int32_t receiver, const Call &call);
  void parse(int32_t receiver, const Call &call);
  void parse_pair(int32_t receiver, const Call &call);
  void inherit(int32_t parser, const CallArguments &arguments);
  int32_t parser_of(int32_t pointee) const;
  int32_t name_space_of(int32_t pointee);

  Analysis &analysis_;
  Map<int32_t, Method> methods_;
};

}  // namespace repoquarry
