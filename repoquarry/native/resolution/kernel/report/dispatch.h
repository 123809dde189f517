// Virtual dispatch by rapid type analysis: methods that a call may reach, by classes that may have instances.
//
// The solver follows objects from their allocation. Objects made by frameworks, test runners or external callers are invisible to
// it; a call on `self` or on a parameter with a declared class then reaches the methods of all live subclasses. A class is live if
// it is instantiated, passed as a value, or has no subclass.
#pragma once

#include "../semantics/analysis_driver.h"
#include "../semantics/part.h"
#include "rules.h"

namespace repoquarry {

class Dispatch : public Part {
 public:
  struct Implementation {
    DefinitionId method;
    bool is_live;  // reached by a live class
  };
  using Implementations = Vector<Implementation>;

  Dispatch(Analysis &analysis, AnalysisDriver &driver);

  /// Return the methods `name` of instances of a class and its subclasses.
  ///
  /// With `caller`, a method of the class that calls `name` on `self`: only classes that inherit `caller` from it.
  const Implementations &implementations(DefinitionId cls, Name name, Name caller = well_known::empty);
  /// Return whether other classes conform to this class by their members.
  bool is_protocol(DefinitionId cls);
  /// Return whether the class can have direct instances.
  bool is_live(DefinitionId cls);
  /// Return whether a test runner instantiates the class.
  bool is_test(DefinitionId cls);
  /// Return where the classes that have a method are instantiated.
  Grounds grounds(DefinitionId method);
  static void add(Implementations &into, DefinitionId method, bool is_live);

 private:
  Grounds grounds_of_class(DefinitionId cls) const;
  bool is_in_tests(Place place) const;
  bool varies(DefinitionId cls, Name name);
  void conforming(DefinitionId cls, Vector<DefinitionId> &into);
  void having(Name name, Set<DefinitionId> &into);
  DefinitionId definer(DefinitionId cls, Name name);
  void methods(DefinitionId definer, Name name, Vector<DefinitionId> &into);
  void find(DefinitionId cls, Name name, Name caller, Implementations &into);
  void add_methods(DefinitionId cls, Name name, Implementations &into);
  void note_passed_classes(const Operation &call);

  AnalysisDriver &driver_;
  Set<DefinitionId> made_, made_in_code_;
  Map<DefinitionId, int32_t> live_, protocols_, grounds_;
  Map<Name, Vector<DefinitionId>> definers_;      // name -> classes that define it
  Map<DefinitionId, Set<DefinitionId>> relatives_;   // class -> ancestors of its subclasses that are not its own
  Map<Triple<DefinitionId, Name, Name>, Implementations *> found_;
};

}  // namespace repoquarry
