#include "command_lines.h"

#include "../handlers.h"

namespace repoquarry {

void CommandLines::begin() {
  auto add = [this](Text name, Method method) { methods_.put(names_.intern(name), method); };
  add(literal("new parser"), &CommandLines::new_parser);
  add(literal("names of"), &CommandLines::names_of);
  add(literal("add part"), &CommandLines::add_part);
  add(literal("add parser"), &CommandLines::add_parser);
  add(literal("add argument"), &CommandLines::add_argument);
  add(literal("set defaults"), &CommandLines::set_defaults);
  add(literal("parse"), &CommandLines::parse);
  add(literal("parse pair"), &CommandLines::parse_pair);
}

bool CommandLines::behave(Name verb, const Call &call) {
  const Method *found = methods_.get(verb);
  if (found != nullptr) (this->**found)(none, call);
  return found != nullptr;
}

bool CommandLines::call_method(Name name, ObjectId receiver, const Call &call) {
  Behaviour behaviour = analysis_.externals.behaviour(TableId::parser_methods, name);
  const Method *found = methods_.get(behaviour.verb);
  if (found != nullptr) (this->**found)(receiver, {call.place, call.arguments, call.target, behaviour.with});
  return found != nullptr;
}

// ---- parsers

void CommandLines::new_parser(ObjectId, const Call &call) {
  ObjectId parser = analysis_.container_calls.made(call.place, call.with, call.target);
  inherit(parser, call.arguments);
}

/// Inherit the arguments of other parsers (`parents=`).
void CommandLines::inherit(ObjectId parser, const CallArguments &arguments) {
  Variable parents = arguments.keyword(tables_.name(LanguageProtocol::parents));
  if (parents == none) return;
  Variable parent = solver_.variable();
  analysis_.container_calls.listen_each(parents, parent);
  solver_.listen<HandlerId::parent>(parent, parser);
}

void CommandLines::on_parent(ObjectId pointee, ObjectId parser) {
  ObjectId from = name_space_of(pointee);
  ObjectId to = name_space_of(parser);
  analysis_.containers.spread(from, to);
}

/// Return the parser of a group or of a list of subcommands.
ObjectId CommandLines::parser_of(ObjectId pointee) const {
  const Object &object = objects_[pointee];
  return object.kind == Kind::container && object.inner() != none ? object.inner() : pointee;
}

/// Return the container of parsed values by name.
ObjectId CommandLines::name_space_of(ObjectId pointee) {
  return objects_.get(Kind::container, none, parser_of(pointee), well_known::name_space);
}

void CommandLines::add_part(ObjectId receiver, const Call &call) {
  solver_.put(call.target, objects_.get(Kind::container, none, parser_of(receiver), call.with));
}

void CommandLines::add_parser(ObjectId receiver, const Call &call) {
  ObjectId parser = parser_of(receiver);
  inherit(parser, call.arguments);
  bool is_result = objects_.kind(parser) == Kind::result;
  solver_.put(call.target, is_result ? objects_.named(Kind::result, tables_.name(LanguageProtocol::parser)) : parser);
}

// ---- values by name

void CommandLines::set_defaults(ObjectId receiver, const Call &call) {
  ObjectId name_space = name_space_of(receiver);
  Slice<NamedVariable> keywords = call.arguments.keywords;
  for (NamedVariable keyword : keywords)
    solver_.flow(keyword.variable, analysis_.containers.element(name_space, names_.quoted(keyword.name)));
  for (Variable variable : call.arguments.mappings) solver_.listen<HandlerId::spread>(variable, name_space);
}

/// Store default values under the option's name.
void CommandLines::add_argument(ObjectId receiver, const Call &call) {
  Variable named = call.arguments.keyword(tables_.name(LanguageProtocol::option_name));
  Slice<Variable> names = named != none ? packed_copy(&named, 1) : call.arguments.positional;
  for (LanguageProtocol keyword : {LanguageProtocol::missing, LanguageProtocol::bare}) {
    Variable value = call.arguments.keyword(tables_.name(keyword));
    if (value == none) continue;
    for (Variable name : names) {
      ObjectId name_space = name_space_of(receiver);
      solver_.listen<HandlerId::option>(name, name_space, value);
    }
  }
}

void CommandLines::on_option(ObjectId pointee, ObjectId name_space, Variable value) {
  if (!analysis_.containers.is_key(pointee)) return;
  Text text = names_.text(names_.unquoted(objects_[pointee].name));
  while (text.size > 0 && text.data[0] == '-') text = {text.data + 1, text.size - 1};
  Vector<char> buffer;
  for (int32_t at = 0; at < text.size; ++at) buffer.push(text.data[at] == '-' ? '_' : text.data[at]);
  Name name = names_.intern_copy({buffer.data, buffer.size});
  buffer.release();
  solver_.flow(value, analysis_.containers.element(name_space, names_.quoted(name)));
}

void CommandLines::parse(ObjectId receiver, const Call &call) { solver_.put(call.target, name_space_of(receiver)); }

/// Return the namespace and the remaining arguments.
void CommandLines::parse_pair(ObjectId receiver, const Call &call) {
  ObjectId pair = analysis_.container_calls.made(call.place, well_known::tuple, call.target);
  Variable first = analysis_.containers.element(pair, well_known::zero);
  solver_.put(first, name_space_of(receiver));
}

void CommandLines::names_of(ObjectId, const Call &call) {
  for (Variable variable : call.arguments.positional.first(1)) solver_.listen<HandlerId::names_of>(variable, call.target, call.with);
}

/// Return the mapping of a namespace; an unknown result for other objects.
void CommandLines::on_names_of(ObjectId pointee, Variable target, Name function) {
  bool is_name_space = objects_.is_container(pointee, well_known::name_space);
  solver_.put(target, is_name_space ? pointee : objects_.named(Kind::opaque, function));
}

}  // namespace repoquarry
