#include "command_lines.h"

#include "../handlers.h"
#include "../kernel.h"

namespace repoquarry {

void CommandLines::begin() {
  auto add = [this](Text name, Method method) { methods_.put(kernel_.names.number(name), method); };
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
  Behaviour behaviour = kernel_.outside.behaviour(Table::parser_methods, name);
  const Method *found = methods_.get(behaviour.verb);
  if (found != nullptr) (this->**found)(receiver, {call.place, call.arguments, call.target, behaviour.with});
  return found != nullptr;
}

// ---- parsers

void CommandLines::new_parser(int32_t, const Call &call) {
  int32_t parser = kernel_.container_calls.made(call.place, call.with, call.target);
  inherit(parser, call.arguments);
}

/// `parents=`: parsers whose arguments a parser has as well.
void CommandLines::inherit(int32_t parser, const Arguments &arguments) {
  int32_t parents = arguments.keyword(kernel_.tables.name(Protocol::parents));
  if (parents < 0) return;
  int32_t parent = kernel_.propagation.variable();
  kernel_.container_calls.listen_each(parents, parent);
  kernel_.propagation.listen(parent, Handler::parent, parser);
}

void CommandLines::on_parent(int32_t held, int32_t parser) {
  int32_t from = name_space_of(held);
  int32_t to = name_space_of(parser);
  kernel_.containers.spread(from, to);
}

/// The parser that a group, or the list of subcommands, belongs to.
int32_t CommandLines::parser_of(int32_t held) const {
  const Object &object = kernel_.objects[held];
  return object.kind == Kind::container && object.b >= 0 ? object.b : held;
}

/// The container of what parsing gives, by name.
int32_t CommandLines::name_space_of(int32_t held) { return kernel_.objects.get(Kind::container, -1, parser_of(held), word::name_space); }

void CommandLines::add_part(int32_t receiver, const Call &call) {
  kernel_.propagation.put(call.target, kernel_.objects.get(Kind::container, -1, parser_of(receiver), call.with));
}

void CommandLines::add_parser(int32_t receiver, const Call &call) {
  int32_t parser = parser_of(receiver);
  inherit(parser, call.arguments);
  bool is_result = kernel_.objects.kind(parser) == Kind::result;
  kernel_.propagation.put(call.target, is_result ? kernel_.objects.named(Kind::result, kernel_.tables.name(Protocol::parser)) : parser);
}

// ---- values by name

void CommandLines::set_defaults(int32_t receiver, const Call &call) {
  int32_t name_space = name_space_of(receiver);
  Slice keywords = call.arguments.keywords;
  for (int32_t at = 0; at < keywords.size; at += 2)
    kernel_.propagation.flow(keywords[at + 1], kernel_.containers.element(name_space, kernel_.names.quoted(keywords[at])));
  for (int32_t variable : call.arguments.mappings) kernel_.propagation.listen(variable, Handler::spread, name_space);
}

/// What stands for a missing or bare option is read under the option's name.
void CommandLines::add_argument(int32_t receiver, const Call &call) {
  int32_t named = call.arguments.keyword(kernel_.tables.name(Protocol::option_name));
  Slice names = named >= 0 ? kept(&named, 1) : call.arguments.positional;
  for (Protocol keyword : {Protocol::missing, Protocol::bare}) {
    int32_t value = call.arguments.keyword(kernel_.tables.name(keyword));
    if (value < 0) continue;
    for (int32_t name : names) {
      int32_t name_space = name_space_of(receiver);
      kernel_.propagation.listen(name, Handler::option, name_space, value);
    }
  }
}

void CommandLines::on_option(int32_t held, int32_t name_space, int32_t value) {
  if (!kernel_.containers.is_key(held)) return;
  Text text = kernel_.names.text(kernel_.names.unquoted(kernel_.objects[held].name));
  while (text.size > 0 && text.data[0] == '-') text = {text.data + 1, text.size - 1};
  Vector<char> buffer;
  for (int32_t at = 0; at < text.size; ++at) buffer.push(text.data[at] == '-' ? '_' : text.data[at]);
  int32_t name = kernel_.names.number_of_copy({buffer.data, buffer.size});
  buffer.release();
  kernel_.propagation.flow(value, kernel_.containers.element(name_space, kernel_.names.quoted(name)));
}

void CommandLines::parse(int32_t receiver, const Call &call) { kernel_.propagation.put(call.target, name_space_of(receiver)); }

/// The namespace, and what is left over.
void CommandLines::parse_pair(int32_t receiver, const Call &call) {
  int32_t pair = kernel_.container_calls.made(call.place, word::tuple, call.target);
  int32_t first = kernel_.containers.element(pair, word::zero);
  kernel_.propagation.put(first, name_space_of(receiver));
}

void CommandLines::names_of(int32_t, const Call &call) {
  for (int32_t variable : call.arguments.positional.first(1))
    kernel_.propagation.listen(variable, Handler::names_of, call.target, call.with);
}

/// The mapping of what a namespace has; of anything else nothing is known.
void CommandLines::on_names_of(int32_t held, int32_t target, int32_t function) {
  bool is_name_space = kernel_.objects.is_container(held, word::name_space);
  kernel_.propagation.put(target, is_name_space ? held : kernel_.objects.named(Kind::opaque, function));
}

}  // namespace repoquarry
