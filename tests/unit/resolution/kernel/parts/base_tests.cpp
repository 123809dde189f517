// Arena, collections and interner.
#include "base/interner.h"
#include "harness.h"
#include "program_builder.h"

using namespace parts;

TEST(arena_allocates_zeroed_memory_and_reuses_released_blocks) {
  CHECK(run_in_arena(0, [] {
          char *block = static_cast<char *>(arena->allocate(40));
          for (int at = 0; at < 40; ++at) CHECK(block[at] == 0);
          memset(block, 7, 40);
          arena->release(block, 40);
          char *again = static_cast<char *>(arena->allocate(40));
          CHECK(again == block);
          for (int at = 0; at < 40; ++at) CHECK(again[at] == 0);
        }) == Failure::none);
}

TEST(arena_grows_blocks_of_every_size_with_their_content) {
  CHECK(run_in_arena(0, [] {
          for (size_t size : {size_t{16}, size_t{4096}, size_t{1} << 22}) {
            char *block = static_cast<char *>(arena->allocate(size));
            block[0] = 'a';
            block[size - 1] = 'z';
            block = static_cast<char *>(arena->grow(block, size, size * 2));
            CHECK(block[0] == 'a' && block[size - 1] == 'z');
          }
        }) == Failure::none);
}

TEST(arena_fails_at_its_limit) {
  CHECK(run_in_arena(1 << 21, [] {
          for (int at = 0; at < 100; ++at) arena->allocate(1 << 20);
        }) == Failure::memory);
}

TEST(arena_frees_all_blocks_but_those_that_are_needed) {
  CHECK(run_in_arena(0, [] {
          char *needed = static_cast<char *>(arena->allocate(1 << 21));
          arena->allocate(1 << 22);
          needed[5] = 'x';
          const void *addresses[] = {nullptr, needed + 5};
          arena->free_all_but(addresses, 2);
          CHECK(needed[5] == 'x');
          CHECK(arena->peak_bytes() >= (1 << 21) + (1 << 22));
        }) == Failure::none);
}

TEST(vector_fills_new_entries_with_zero) {
  CHECK(run_in_arena(0, [] {
          Ints numbers;
          for (int32_t at = 0; at < 1000; ++at) CHECK(numbers.push(at) == at);
          numbers.resize(1500);
          CHECK(numbers[999] == 999 && numbers[1499] == 0 && numbers.size == 1500);
          CHECK(numbers.pop() == 0);
          numbers.push_new(5);
          CHECK(numbers.size == 1499);
        }) == Failure::none);
}

TEST(map_iterates_in_insertion_order) {
  CHECK(run_in_arena(0, [] {
          Map<Pair<Variable, Name>, int32_t> map;
          for (int32_t at = 0; at < 500; ++at) map.put({Variable{7 * at % 501}, Name{at}}, at);
          map.put({Variable{0}, Name{0}}, -5);
          int32_t expected = 0;
          for (const auto &entry : map) CHECK(raw(entry.key.b) == expected++);
          CHECK(map.value_or({Variable{0}, Name{0}}, 0) == -5);
          CHECK(map.get({Variable{1}, Name{0}}) == nullptr);
          CHECK(map.size() == 500);
        }) == Failure::none);
}

TEST(set_reports_new_members) {
  CHECK(run_in_arena(0, [] {
          Set<KeyedSlice<Name, ObjectId>> set;
          const ObjectId one[] = {ObjectId{1}, ObjectId{2}}, same[] = {ObjectId{1}, ObjectId{2}};
          CHECK(set.add({Name{1}, {one, 2}}));
          CHECK(!set.add({Name{1}, {same, 2}}));
          CHECK(set.add({Name{1}, {one, 1}}));
          CHECK(set.add({Name{2}, {one, 2}}));
        }) == Failure::none);
}

TEST(sort_is_stable) {
  CHECK(run_in_arena(0, [] {
          Vector<Pair<int32_t, int32_t>> rows;
          for (int32_t at = 0; at < 100; ++at) rows.push({at * 37 % 10, at});
          sort(rows.data, rows.size, [](const auto &left, const auto &right) { return left.a < right.a; });
          for (int32_t at = 1; at < rows.size; ++at)
            CHECK(rows[at - 1].a < rows[at].a || (rows[at - 1].a == rows[at].a && rows[at - 1].b < rows[at].b));
        }) == Failure::none);
}

TEST(slices_share_their_array) {
  const int32_t numbers[] = {1, 2, 3};
  Slice<int32_t> slice = {numbers, 3};
  CHECK(slice.from(1)[0] == 2 && slice.from(1).size == 2);
  CHECK(slice.from(3).empty() && slice.first(1).size == 1 && slice.first(9).size == 3);
  CHECK(slice.has(3) && !slice.first(2).has(3));
}

TEST(interner_gives_equal_texts_one_id) {
  CHECK(run_in_arena(0, [] {
          StringInterner names;
          names.begin();
          CHECK(names.intern(literal("")) == well_known::empty && names.intern(literal("django.")) == well_known::django);
          char text[] = "value_of_a";
          Name copied = names.intern_copy({text, 10});
          text[0] = 'X';
          CHECK(names.intern(literal("value_of_a")) == copied);
          CHECK(names.intern(literal("Xalue_of_a")) != copied);
        }) == Failure::none);
}

TEST(interner_takes_dotted_names_apart) {
  CHECK(run_in_arena(0, [] {
          StringInterner names;
          names.begin();
          Name dotted = names.dotted(names.intern(literal("a.b")), names.intern(literal("C")));
          CHECK(dotted == names.intern(literal("a.b.C")) && names.count_dots(dotted) == 2);
          CHECK(names.last_part(dotted) == names.intern(literal("C")));
          CHECK(names.qualifier(dotted) == names.intern(literal("a.b")));
          CHECK(names.qualifier(names.intern(literal("C"))) == well_known::empty);
          CHECK(names.unquoted(names.quoted(dotted)) == dotted);
          CHECK(names.bracketed(dotted) == names.intern(literal("<a.b.C>")));
          CHECK(names.intern_number(1200) == names.intern(literal("1200")));
        }) == Failure::none);
}

TEST(interner_replaces_prefixes) {
  CHECK(run_in_arena(0, [] {
          StringInterner names;
          names.begin();
          Name add = names.intern(literal("__add__")), special = names.intern(literal("__")), reflected = names.intern(literal("__r"));
          CHECK(names.replace_prefix(add, special, reflected) == names.intern(literal("__radd__")));
          CHECK(names.replace_prefix(well_known::call, special, reflected) == well_known::call);
        }) == Failure::none);
}

TEST(interner_lookups_intern_nothing) {
  CHECK(run_in_arena(0, [] {
          StringInterner names;
          names.begin();
          int32_t count = names.count();
          CHECK(names.find(literal("a"), literal("/"), literal("b")) == none);
          CHECK(names.count() == count);
          Name known = names.intern(literal("a/b"));
          CHECK(names.find(literal("a"), literal("/"), literal("b")) == known);
          CHECK(is_before(literal("Z"), literal("a")) && is_before(literal("a"), literal("ab")) && !is_before(literal("a"), literal("a")));
        }) == Failure::none);
}

TEST(places_of_variables_lie_below_operations) {
  CHECK(!is_operation(place_of_variable(Variable{0})) && place_of_variable(Variable{0}) != none);
  CHECK(variable_of_place(place_of_variable(Variable{41})) == Variable{41});
  CHECK(Variable{-1} == none && Variable{0} != none);
}
