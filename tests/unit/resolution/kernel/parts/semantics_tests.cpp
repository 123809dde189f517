// Validation, argument binding, calls, class hierarchy and phases of an analysis.
#include "harness.h"
#include "program_builder.h"

using namespace parts;

namespace {

Failure read(ProgramBuilder &program) {
  return analyze(program, [](Analysis &) {});
}

/// Solve the whole program, then check.
template <typename Work>
Failure solve(ProgramBuilder &program, Work work) {
  return analyze(program, [&](Analysis &analysis) {
    AnalysisDriver(analysis).solve();
    work(analysis);
  });
}

int32_t demanded(Analysis &analysis, int32_t variable) {
  analysis.solver.demand(Variable{variable});
  analysis.solver.run();
  return analysis.solver.points_to(Variable{variable}).size;
}

}  // namespace

TEST(operations_that_end_behind_the_file_are_refused) {
  ProgramBuilder program;
  program.constant("int", "1");
  program.code.pop_back();
  CHECK(read(program) == Failure::input);
}

TEST(operands_outside_the_file_are_refused) {
  ProgramBuilder program;
  program.operation(program.variable(), op::COPY, {17});
  CHECK(read(program) == Failure::input);
}

TEST(chains_of_operations_lead_backwards) {
  ProgramBuilder program;
  int32_t one = program.constant("int", "1");
  CHECK(read(program) == Failure::none);
  program.code[static_cast<size_t>(program.first[static_cast<size_t>(one)]) + op::NEXT] = 4;
  CHECK(read(program) == Failure::input);
}

TEST(tables_of_another_shape_are_refused) {
  ProgramBuilder program;
  program.abi();
  CHECK(run_in_arena(0, [&] {
          RqInput input = program.input;
          input.table_sizes.size -= 1;
          Analysis &analysis = *new (arena->allocate(sizeof(Analysis))) Analysis();
          analysis.read(input);
        }) == Failure::input);
}

TEST(arguments_bind_by_position_and_keyword) {
  ProgramBuilder program;
  auto f = program.function("f", {{"a", op::PLAIN}, {"b", op::PLAIN}, {"c", op::KEYWORD_ONLY}});
  int32_t one = program.constant("int", "1"), two = program.constant("int", "2"), three = program.constant("int", "3");
  program.call(f.value, {op::POSITIONAL, one, program.symbol("b"), two, program.symbol("c"), three});
  CHECK(solve(program, [&](Analysis &analysis) {
          const int32_t given[] = {one, two, three};
          for (size_t at = 0; at < 3; ++at) {
            CHECK(demanded(analysis, f.parameters[at]) == 1 && demanded(analysis, given[at]) == 1);
            CHECK(analysis.solver.points_to(Variable{f.parameters[at]}) == analysis.solver.points_to(Variable{given[at]}));
          }
        }) == Failure::none);
}

TEST(further_arguments_are_elements_of_rest_parameters) {
  ProgramBuilder program;
  auto f = program.function("f", {{"a", op::PLAIN}, {"args", op::REST}, {"kwargs", op::KEYWORD_REST}});
  int32_t one = program.constant("int", "1"), two = program.constant("int", "2"), three = program.constant("int", "3");
  program.call(f.value, {op::POSITIONAL, one, op::POSITIONAL, two, program.symbol("key"), three});
  CHECK(solve(program, [&](Analysis &analysis) {
          const Definition &function = analysis.program.definitions[DefinitionId{0}];
          ObjectId args = analysis.arguments.rest_object(function, Variable{f.parameters[1]});
          ObjectId kwargs = analysis.arguments.rest_object(function, Variable{f.parameters[2]});
          Variable first = analysis.containers.known_element(args, analysis.names.intern(literal("0")));
          Variable key = analysis.containers.known_element(kwargs, analysis.names.intern(literal("'key'")));
          CHECK(first != none && key != none && analysis.containers.known_elements(args).size == 1);
          CHECK(demanded(analysis, raw(first)) == 1 && demanded(analysis, raw(key)) == 1);
        }) == Failure::none);
}

TEST(unpacked_elements_wait_until_a_parameter_is_demanded) {
  ProgramBuilder program;
  program.table(TableId::mappings, {"dict"});
  auto f = program.function("f", {{"a", op::PLAIN}, {"b", op::PLAIN}});
  int32_t one = program.constant("int", "1"), two = program.constant("int", "2");
  int32_t pair = program.container("tuple", {program.symbol("0"), one, program.symbol("1"), two});
  program.call(f.value, {op::SPLAT, pair});
  CHECK(solve(program, [&](Analysis &analysis) {
          CHECK(analysis.solver.points_to(Variable{f.parameters[1]}).empty());
          CHECK(demanded(analysis, f.parameters[1]) == 1);
          CHECK(analysis.solver.points_to(Variable{f.parameters[1]}) == analysis.solver.points_to(Variable{two}));
        }) == Failure::none);
}

TEST(partial_application_shifts_arguments) {
  CHECK(run_in_arena(0, [] {
          const Variable before[] = {Variable{1}, Variable{2}}, after[] = {Variable{3}};
          const Splat splat = {1, Variable{9}};
          const NamedVariable old = {Name{5}, Variable{6}}, young = {Name{5}, Variable{7}};
          CallArguments given, more;
          given.positional = {before, 2};
          given.keywords = {&old, 1};
          more.positional = {after, 1};
          more.splats = {&splat, 1};
          more.keywords = {&young, 1};
          CallArguments both = given.shifted(more);
          CHECK(numbers(both.positional) == std::vector<int32_t>{1, 2, 3} && both.splats[0].position == 3);
          CHECK(both.keywords.size == 1 && both.keyword(Name{5}) == Variable{7} && both.keyword(Name{6}) == none);
          CallArguments rest = both.rest();
          CHECK(numbers(rest.positional) == std::vector<int32_t>{2, 3} && rest.splats[0].position == 2);
        }) == Failure::none);
}

TEST(returned_parameters_do_not_mix_callers) {
  ProgramBuilder program;
  auto identity = program.function("identity", {{"x", op::PLAIN}});
  program.operation(identity.result, op::COPY, {identity.parameters[0]});
  int32_t one = program.constant("int", "1"), two = program.constant("int", "2");
  int32_t first = program.call(identity.value, {op::POSITIONAL, one}), second = program.call(identity.value, {op::POSITIONAL, two});
  CHECK(solve(program, [&](Analysis &analysis) {
          CHECK(demanded(analysis, first) == 1 && demanded(analysis, second) == 1);
          CHECK(!(analysis.solver.points_to(Variable{first}) == analysis.solver.points_to(Variable{second})));
        }) == Failure::none);
}

TEST(calls_of_classes_make_instances_and_call_the_constructor) {
  ProgramBuilder program;
  int32_t cls = program.cls("Thing", {}), value = program.value_of_class(cls);
  auto init = program.function("__init__", {{"self", op::PLAIN}, {"x", op::PLAIN}}, op::METHOD);
  program.bind(cls, "__init__", init.value);
  int32_t made = program.call(value, {op::POSITIONAL, program.constant("int", "1")});
  CHECK(solve(program, [&](Analysis &analysis) {
          CHECK(demanded(analysis, made) == 1);
          const Object &object = analysis.objects[analysis.solver.points_to(Variable{made})[0]];
          CHECK(object.kind == Kind::instance && object.definition() == DefinitionId{cls});
          CHECK(demanded(analysis, init.parameters[0]) == 1 && demanded(analysis, init.parameters[1]) == 1);
          CHECK(analysis.construction.constructed.has(DefinitionId{cls}));
        }) == Failure::none);
}

TEST(ancestors_are_linearized_by_c3) {
  for (bool is_superclass_first : {false, true}) {
    ProgramBuilder program;
    if (is_superclass_first) program.feature(LanguageFeature::superclass_first);
    int32_t a = program.cls("A", {}), value_of_a = program.value_of_class(a);
    int32_t b = program.cls("B", {value_of_a}), c = program.cls("C", {value_of_a});
    int32_t d = program.cls("D", {program.value_of_class(b), program.value_of_class(c)});
    CHECK(solve(program, [&](Analysis &analysis) {
            std::vector<int32_t> expected = is_superclass_first ? std::vector<int32_t>{d, b, a, c} : std::vector<int32_t>{d, b, c, a};
            CHECK(numbers(analysis.classes.ancestors(DefinitionId{d})) == expected);
            CHECK(numbers(analysis.classes.subclasses(DefinitionId{a})) == std::vector<int32_t>{b, c, d});
            CHECK(analysis.classes.is_below(DefinitionId{d}, DefinitionId{a}));
          }) == Failure::none);
  }
}

TEST(elements_of_containers_are_read_by_key) {
  ProgramBuilder program;
  int32_t one = program.constant("int", "1"), two = program.constant("str", "'x'");
  int32_t list = program.container("list", {program.symbol("0"), one, op::ANY, two});
  int32_t item = program.assigned(op::ITEM, {list, program.symbol("0"), -1, 1, -1});
  int32_t each = program.assigned(op::EACH, {list, 1, -1});
  CHECK(solve(program, [&](Analysis &analysis) {
          CHECK(demanded(analysis, item) == 2);  // its own element, and those of unknown keys
          CHECK(demanded(analysis, each) == 2);
        }) == Failure::none);
}

TEST(stored_attributes_reach_reads_of_instances) {
  ProgramBuilder program;
  int32_t cls = program.cls("Thing", {}), made = program.call(program.value_of_class(cls), {});
  int32_t one = program.constant("int", "1"), name = program.symbol("name");
  program.roots.push_back(program.operation(-1, op::SETATTR, {made, name, one, 1, -1}));
  int32_t read = program.assigned(op::ATTR, {made, name, 1, -1});
  CHECK(solve(program, [&](Analysis &analysis) {
          CHECK(demanded(analysis, read) == 1);
          CHECK(analysis.solver.points_to(Variable{read}) == analysis.solver.points_to(Variable{one}));
        }) == Failure::none);
}
