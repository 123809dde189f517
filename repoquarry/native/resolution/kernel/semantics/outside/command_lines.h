// Command lines: the values that a parser keeps by name, from where it is told of them to where they are read.
//
// A parser, its groups and the parsers of its subcommands fill one namespace: which subcommand was chosen is known at run time only.
#pragma once

#include "../../propagation/objects.h"
#include "../calls/arguments.h"

namespace repoquarry {

class Kernel;

class CommandLines {
 public:
  explicit CommandLines(Kernel &kernel) : kernel_(kernel) {}
  void begin();

  /// Does what a behaviour says; whether it is one of these.
  bool behave(int32_t verb, const Call &call);
  /// Does what a method of a parser does; whether the name is that of one.
  bool call_method(int32_t name, int32_t receiver, const Call &call);

  void on_parent(int32_t held, int32_t parser);
  void on_option(int32_t held, int32_t name_space, int32_t value);
  void on_names_of(int32_t held, int32_t target, int32_t function);

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
  void inherit(int32_t parser, const Arguments &arguments);
  int32_t parser_of(int32_t held) const;
  int32_t name_space_of(int32_t held);

  Kernel &kernel_;
  Map<int32_t, Method> methods_;
};

}  // namespace repoquarry
