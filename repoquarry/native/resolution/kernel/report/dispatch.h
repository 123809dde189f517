// Virtual dispatch: which implementations a method call may reach, by the classes that can have instances (rapid type analysis).
//
// The fixpoint follows objects from where they are made. What a framework, a test runner or a caller outside the repository makes, it does
// not see; a method called on `self` or on a parameter of a declared class then reaches what any live subclass has under that name.
// A class is live when something makes an instance of it, hands it on as a value, or nothing stands below it that could be meant instead.
#pragma once

#include "../semantics/solver.h"
#include "rules.h"

namespace repoquarry {

class Dispatch {
 public:
  struct Implementation {
    int32_t method;
    bool is_live;  // whether a live class reaches it
  };
  using Implementations = Vector<Implementation>;

  Dispatch(Kernel &kernel, Solver &solver);

  /// Methods for `name` on an instance of `cls` or a subclass.
  ///
  /// With `caller` (empty: none), the name of a method of `cls` that calls it on `self`: only classes in which `caller` is that very method.
  const Implementations &implementations(int32_t cls, int32_t name, int32_t caller = word::empty);
  /// Whether classes conform to this one by what they have.
  bool is_protocol(int32_t cls);
  /// Whether the class can have instances of its own.
  bool is_live(int32_t cls);
  /// Whether a test runner makes instances of the class.
  bool is_test(int32_t cls);
  /// Where instances are made of the classes of which a method is the one that they have.
  Grounds grounds(int32_t method);
  static void add(Implementations &into, int32_t method, bool is_live);

 private:
  Grounds grounds_of_class(int32_t cls) const;
  bool is_in_tests(int32_t place) const;
  bool varies(int32_t cls, int32_t name);
  void conforming(int32_t cls, Ints &into);
  void having(int32_t name, IntSet &into);
  int32_t definer(int32_t cls, int32_t name);
  void methods(int32_t definer, int32_t name, Ints &into);
  void find(int32_t cls, int32_t name, int32_t caller, Implementations &into);
  void add_methods(int32_t cls, int32_t name, Implementations &into);
  void note_handed_on(const Operation &call);

  Kernel &kernel_;
  Solver &solver_;
  IntSet made_, made_in_code_;
  IntMap live_, protocols_, grounds_;
  Map<int32_t, Ints> definers_;      // name -> classes that define it
  Map<int32_t, IntSet> relatives_;   // class -> what stands above its subclasses and not above itself
  Map<Triple, Implementations *> found_;
};

}  // namespace repoquarry
