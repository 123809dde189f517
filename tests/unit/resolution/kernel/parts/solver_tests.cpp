// Points-to solver on hand-written operations: demand, propagation, listeners, widening and limits.
#include "harness.h"
#include "program_builder.h"

using namespace parts;

namespace {

/// The objects of a variable as kind and first id.
std::vector<Kind> kinds(Analysis &analysis, Variable variable) {
  std::vector<Kind> found;
  for (ObjectId object : analysis.solver.points_to(variable)) found.push_back(analysis.objects.kind(object));
  return found;
}

}  // namespace

TEST(equal_objects_have_one_id) {
  ProgramBuilder program;
  CHECK(analyze(program, [](Analysis &analysis) {
          Objects &objects = analysis.objects;
          ObjectId cls = objects.get(Kind::cls, DefinitionId{3});
          CHECK(cls == objects.get(Kind::cls, DefinitionId{3}) && cls != objects.get(Kind::cls, DefinitionId{4}));
          ObjectId with = objects.with(cls, ObjectId{0});
          CHECK(with != cls && objects.with(with, none) == cls && objects[with].definition() == DefinitionId{3});
          CHECK(objects.alone(cls).size == 1 && objects.alone(cls)[0] == cls);
        }) == Failure::none);
}

TEST(demanded_variables_receive_objects_through_copies) {
  ProgramBuilder program;
  int32_t one = program.constant("int", "1"), other = program.copy(one), last = program.copy(other);
  CHECK(analyze(program, [&](Analysis &analysis) {
          analysis.solver.demand(Variable{last});
          analysis.solver.run();
          CHECK(kinds(analysis, Variable{last}) == std::vector<Kind>{Kind::constant});
          CHECK(analysis.solver.points_to(Variable{last}) == analysis.solver.points_to(Variable{one}));
        }) == Failure::none);
}

TEST(variables_that_nothing_demands_stay_empty) {
  ProgramBuilder program;
  int32_t one = program.constant("int", "1"), other = program.copy(one);
  CHECK(analyze(program, [&](Analysis &analysis) {
          analysis.solver.run();
          CHECK(analysis.solver.points_to(Variable{other}).empty() && !analysis.solver.is_demanded(Variable{one}));
          Variable target = analysis.solver.variable();
          analysis.solver.flow(Variable{other}, target);  // pending until the target is demanded
          analysis.solver.run();
          CHECK(analysis.solver.points_to(target).empty());
          analysis.solver.demand(target);
          analysis.solver.run();
          CHECK(analysis.solver.points_to(target).size == 1);
        }) == Failure::none);
}

TEST(cycles_of_copies_reach_a_fixpoint) {
  ProgramBuilder program;
  int32_t a = program.variable(), b = program.variable();
  program.operation(a, op::COPY, {b});
  program.operation(b, op::COPY, {a});
  program.operation(a, op::CONST, {program.symbol("int"), program.symbol("1")});
  program.operation(b, op::CONST, {program.symbol("str"), program.symbol("'x'")});
  CHECK(analyze(program, [&](Analysis &analysis) {
          analysis.solver.demand(Variable{a});
          analysis.solver.run();
          CHECK(analysis.solver.points_to(Variable{a}).size == 2 && analysis.solver.points_to(Variable{b}).size == 2);
        }) == Failure::none);
}

TEST(deltas_propagate_in_worklist_order) {
  ProgramBuilder program;
  CHECK(analyze(program, [](Analysis &analysis) {
          PointsToSolver &solver = analysis.solver;
          Variable first = solver.variable(), second = solver.variable(), target = solver.variable();
          for (Variable source : {first, second}) solver.flow(source, target);
          solver.demand(target);
          ObjectId one = analysis.objects.get(Kind::cls, DefinitionId{1}), two = analysis.objects.get(Kind::cls, DefinitionId{2});
          solver.put(second, two);
          solver.put(first, one);
          solver.run();
          CHECK(numbers(solver.points_to(target)) == std::vector<int32_t>{raw(two), raw(one)});
          solver.put(first, two);  // known already: nothing is propagated again
          solver.run();
          CHECK(solver.points_to(target).size == 2);
        }) == Failure::none);
}

TEST(listeners_see_present_and_future_objects_once) {
  ProgramBuilder program;
  CHECK(analyze(program, [](Analysis &analysis) {
          PointsToSolver &solver = analysis.solver;
          Variable source = solver.variable(), target = solver.variable();
          ObjectId one = analysis.objects.get(Kind::cls, DefinitionId{1}), two = analysis.objects.get(Kind::cls, DefinitionId{2});
          solver.put(source, one);
          solver.listen<HandlerId::unbound>(source, target);  // wraps each object
          solver.run();
          CHECK(solver.points_to(target).size == 1 && analysis.objects[solver.points_to(target)[0]].inner() == one);
          int64_t steps = solver.steps_left;
          solver.put(source, two);
          solver.put(source, one);
          solver.run();
          CHECK(solver.points_to(target).size == 2 && analysis.objects[solver.points_to(target)[1]].inner() == two);
          CHECK(steps - solver.steps_left == 1);
        }) == Failure::none);
}

TEST(batched_listeners_run_when_nothing_else_propagates) {
  ProgramBuilder program;
  int32_t base = program.cls("Base", {});
  program.bind(base, "name", program.constant("int", "1"));
  CHECK(analyze(program, [&](Analysis &analysis) {
          PointsToSolver &solver = analysis.solver;
          Variable receiver = solver.variable(), target = solver.variable();
          analysis.attributes.read(receiver, analysis.names.intern(literal("name")), target);
          solver.demand(target);
          solver.put(receiver, analysis.objects.get(Kind::instance, DefinitionId{base}));
          solver.run();
          CHECK(kinds(analysis, target) == std::vector<Kind>{Kind::constant});
        }) == Failure::none);
}

TEST(large_sets_are_widened_to_types) {
  ProgramBuilder program;
  int32_t target = program.variable();
  for (int32_t at = 0; at < 20; ++at) program.operation(target, op::COPY, {program.constant("int", std::to_string(at))});
  CHECK(analyze(program, [&](Analysis &analysis) {
          analysis.solver.demand(Variable{target});
          analysis.solver.run();
          Slice<ObjectId> held = analysis.solver.points_to(Variable{target});
          CHECK(held.size == 13);  // twelve constants, then their type
          CHECK(analysis.objects.kind(held[12]) == Kind::result);
        }) == Failure::none);
}

TEST(limited_sets_keep_the_common_ancestor) {
  ProgramBuilder program;
  int32_t base = program.cls("Base", {}), value = program.value_of_class(base);
  std::vector<int32_t> classes;
  for (int32_t at = 0; at < 16; ++at) classes.push_back(program.cls("C" + std::to_string(at), {value}));
  program.input.objects_per_variable = 4;
  CHECK(analyze(program, [&](Analysis &analysis) {
          analysis.solver.demand(Variable{value});
          analysis.solver.run();
          analysis.classes.find_subclasses();
          Variable target = analysis.solver.variable();
          for (int32_t cls : classes) analysis.solver.put(target, analysis.objects.get(Kind::instance, DefinitionId{cls}));
          Slice<ObjectId> held = analysis.solver.points_to(target);
          CHECK(analysis.solver.is_saturated(target) && held.size == 13);  // limits apply from twelve objects on
          CHECK(analysis.objects[held[12]].definition() == DefinitionId{base} && analysis.objects[held[12]].may_be_subclass());
          analysis.solver.put_unlimited(target, analysis.objects.get(Kind::cls, DefinitionId{base}));
          CHECK(analysis.solver.points_to(target).size == 14);
        }) == Failure::none);
}

TEST(variables_with_many_successors_add_each_edge_once) {
  ProgramBuilder program;
  CHECK(analyze(program, [](Analysis &analysis) {
          PointsToSolver &solver = analysis.solver;
          Variable source = solver.variable();
          std::vector<Variable> targets;
          for (int32_t at = 0; at < 200; ++at) targets.push_back(solver.variable());
          for (int round = 0; round < 2; ++round)
            for (Variable target : targets) solver.copy(source, target);
          CHECK(solver.successors(source).size == 200);
        }) == Failure::none);
}

TEST(a_spent_budget_stops_propagation) {
  ProgramBuilder program;
  int32_t last = program.constant("int", "1");
  for (int32_t at = 0; at < 50; ++at) last = program.copy(last);
  program.input.steps = 10;
  CHECK(analyze(program, [&](Analysis &analysis) {
          analysis.solver.demand(Variable{last});
          analysis.solver.run();
          CHECK(analysis.solver.budget_hit && analysis.solver.points_to(Variable{last}).empty());
        }) == Failure::none);
}

TEST(call_targets_keep_their_first_rule_unless_it_is_possible) {
  CHECK(run_in_arena(0, [] {
          CallTargets<DefinitionId> targets;
          targets.add(Place{1}, DefinitionId{7}, well_known::possible);
          targets.add(Place{1}, DefinitionId{8}, well_known::call);
          targets.add(Place{1}, DefinitionId{7}, well_known::callback);
          targets.add(Place{1}, DefinitionId{8}, well_known::callback);
          Vector<CallTargets<DefinitionId>::Target> found;
          targets.find(Place{1}, found);
          CHECK(found.size == 2 && found[0].callee == DefinitionId{8} && found[0].rule == well_known::call);
          CHECK(found[1].callee == DefinitionId{7} && found[1].rule == well_known::callback);
          CHECK(targets.has_targets(Place{1}) && !targets.has_targets(Place{2}));
        }) == Failure::none);
}

TEST(listener_lists_run_newest_first_without_later_additions) {
  CHECK(run_in_arena(0, [] {
          ListenerLists lists;
          lists.grow(1);
          for (int32_t at = 0; at < 3; ++at) lists.add(Variable{0}, {HandlerId::each, 1, {at}}, false);
          lists.add(Variable{0}, {HandlerId::attribute, 2, {8, 9}}, true);
          std::vector<int32_t> order;
          int32_t count = lists.each(Variable{0}, false, [&](const Listener &listener) {
            order.push_back(listener.operands[0]);
            lists.add(Variable{0}, {HandlerId::each, 1, {99}}, false);
          });
          CHECK(count == 3 && order == std::vector<int32_t>{2, 1, 0});
          lists.each(Variable{0}, true, [&](const Listener &listener) { CHECK(listener.count == 2 && listener.operands[1] == 9); });
        }) == Failure::none);
}
