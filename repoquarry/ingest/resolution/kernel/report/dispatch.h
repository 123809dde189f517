// Virtual dispatch by rapid type analysis: methods that a call may reach, by classes that may have instances.
//
// The solver follows objects from their allocation. Objects made by frameworks, test runners or external callers are invisible to
// it; a call on `self` or on a parameter with a declared class then reaches the methods of all live subclasses. A class is live if
// it is instantiated, passed as a value, or has no subclass.
#pragma once

#include "../semantics/analysis_driver.h"
#include "rules.h"

namespace repoquarry {

class Dispatch {
 public:
  struct Implementation {
    int32_t method;
    bool is_live;  // reached by a live class
  };
  using Implementations = Vector<Implementation>;

  Dispatch(Analysis &analysis, AnalysisDriver &solver);

  /// Return the methods `name` of instances of a class and its subclasses.
  ///
  /// With `caller`, a method of the class that calls `name` on `self`: only classes that inherit `caller` from it.
  const Implementations &implementations(int32_t cls, int32_t name, int32_t caller = well_known::empty);
  /// Return whether other classes conform to this class by their members.
  bool is_protocol(int32_t cls);
  /// Return whether the class can have direct instances.
  bool is_live(int32_t cls);
  /// Return whether a test runner instantiates the class.
  bool is_test(int32_t cls);
  /// Return where the classes that have a method are instantiated.
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
  void note_passed_classes(const Operation &call);

  Analysis &analysis_;
  AnalysisDriver &solver_;
  IntSet made_, made_in_code_;
  IntMap live_, protocols_, grounds_;
  Map<int32_t, Ints> definers_;      // name -> classes that define it
  Map<int32_t, IntSet> relatives_;   // class -> ancestors of its subclasses that are not its own
  Map<Triple, Implementations *> found_;
};

}  // namespace repoquarry
