#include "command_lines.h"

#include "../analysis.h"
#include "../handlers.h"

namespace repoquarry {

void CommandLines::begin() {
  auto add = [this](Text name, Method method) { methods_.put(analysis_.names.intern(name), method); };
  add(literal("new parser"), &CommandLines::new_parser);
  add(literal("names of"), &CommandLines::names_of);
  add(literal("add part"), &CommandLines::add_part);
  add(literal("add parser"), &CommandLines::add_parser);
  add(literal("add argument"), &CommandLines::add_argument);
  add(literal("set defaults"), &CommandLines::set_defaults);
  add(literal("parse"), &CommandLines::parse);
  add(literal("parse pair"), &CommandLines::parse_pair);
}

bool CommandLines::behave(int32_t verb, const Call &call) {
  const Method *found = methods_.get(verb);
  if (found != nullptr) (this->**found)(-1, call);
  return found != nullptr;
}

bool CommandLines::call_method(int32_t name, int32_t receiver, const Call &call) {
  Behaviour behaviour = analysis_.externals.behaviour(TableId::parser_methods, name);
  const Method *found = methods_.get(behaviour.verb);
  if (found != nullptr) (this->**found)(receiver, {call.place, call.arguments, call.target, behaviour.with});
  return found != nullptr;
}

// ---- parsers

void CommandLines::new_parser(int32_t, const Call &call) {
  int32_t parser = analysis_.container_calls.made(call.place, call.with, call.target);
  inherit(parser, call.arguments);
}

/// Inherit the arguments of other parsers (`parents=`).
void CommandLines::inherit(int32_t parser, const CallArguments &arguments) {
  int32_t parents = arguments.keyword(analysis_.tables.name(LanguageProtocol::parents));
  if (parents < 0) return;
  int32_t parent = analysis_.solver.variable();
  analysis_.container_calls.listen_each(parents, parent);
  analysis_.solver.listen(parent, HandlerId::parent, parser);
}

void CommandLines::on_parent(int32_t pointee, int32_t parser) {
  int32_t from = name_space_of(pointee);
  int32_t to = name_space_of(parser);
  analysis_.containers.spread(from, to);
}

/// Return the parser of a group or of a list of subcommands.
int32_t CommandLines::parser_of(int32_t pointee) const {
  const Object &object = analysis_.objects[pointee];
  return object.kind == Kind::container && object.b >= 0 ? object.b : pointee;
}

/// Return the container of parsed values by name.
int32_t CommandLines::name_space_of(int32_t pointee) {
  return analysis_.objects.get(Kind::container, -1, parser_of(pointee), well_known::name_space);
}

void CommandLines::add_part(int32_t receiver, const Call &call) {
  analysis_.solver.put(call.target, analysis_.objects.get(Kind::container, -1, parser_of(receiver), call.with));
}

void CommandLines::add_parser(int32_t receiver, const Call &call) {
  int32_t parser = parser_of(receiver);
  inherit(parser, call.arguments);
  bool is_result = analysis_.objects.kind(parser) == Kind::result;
  analysis_.solver.put(call.target,
                       is_result ? analysis_.objects.named(Kind::result, analysis_.tables.name(LanguageProtocol::parser)) : parser);
}

// ---- values by name

void CommandLines::set_defaults(int32_t receiver, const Call &call) {
  int32_t name_space = name_space_of(receiver);
  Slice<NamedVariable> keywords = call.arguments.keywords;
  for (NamedVariable keyword : keywords)
    analysis_.solver.flow(keyword.variable, analysis_.containers.element(name_space, analysis_.names.quoted(keyword.name)));
  for (int32_t variable : call.arguments.mappings) analysis_.solver.listen(variable, HandlerId::spread, name_space);
}

/// Store default values under the option's name.
void CommandLines::add_argument(int32_t receiver, const Call &call) {
  int32_t named = call.arguments.keyword(analysis_.tables.name(LanguageProtocol::option_name));
  Slice<int32_t> names = named >= 0 ? packed_copy(&named, 1) : call.arguments.positional;
  for (LanguageProtocol keyword : {LanguageProtocol::missing, LanguageProtocol::bare}) {
    int32_t value = call.arguments.keyword(analysis_.tables.name(keyword));
    if (value < 0) continue;
    for (int32_t name : names) {
      int32_t name_space = name_space_of(receiver);
      analysis_.solver.listen(name, HandlerId::option, name_space, value);
    }
  }
}

void CommandLines::on_option(int32_t pointee, int32_t name_space, int32_t value) {
  if (!analysis_.containers.is_key(pointee)) return;
  Text text = analysis_.names.text(analysis_.names.unquoted(analysis_.objects[pointee].name));
  while (text.size > 0 && text.data[0] == '-') text = {text.data + 1, text.size - 1};
  Vector<char> buffer;
  for (int32_t at = 0; at < text.size; ++at) buffer.push(text.data[at] == '-' ? '_' : text.data[at]);
  int32_t name = analysis_.names.intern_copy({buffer.data, buffer.size});
  buffer.release();
  analysis_.solver.flow(value, analysis_.containers.element(name_space, analysis_.names.quoted(name)));
}

void CommandLines::parse(int32_t receiver, const Call &call) { analysis_.solver.put(call.target, name_space_of(receiver)); }

/// Return the namespace and the remaining arguments.
void CommandLines::parse_pair(int32_t receiver, const Call &call) {
  int32_t pair = analysis_.container_calls.made(call.place, well_known::tuple, call.target);
  int32_t first = analysis_.containers.element(pair, well_known::zero);
  analysis_.solver.put(first, name_space_of(receiver));
}

void CommandLines::names_of(int32_t, const Call &call) {
  for (int32_t variable : call.arguments.positional.first(1))
    analysis_.solver.listen(variable, HandlerId::names_of, call.target, call.with);
}

/// Return the mapping of a namespace; an unknown result for other objects.
void CommandLines::on_names_of(int32_t pointee, int32_t target, int32_t function) {
  bool is_name_space = analysis_.objects.is_container(pointee, well_known::name_space);
  analysis_.solver.put(target, is_name_space ? pointee : analysis_.objects.named(Kind::opaque, function));
}

}  // namespace repoquarry
