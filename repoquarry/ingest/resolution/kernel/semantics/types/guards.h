// Type guards: functions whose declared result narrows an argument or the receiver (`isCircle(v): v is Circle`).
#pragma once

#include "../../propagation/objects.h"

namespace repoquarry {

class Analysis;
struct Operation;

class Guards {
 public:
  explicit Guards(Analysis &analysis) : analysis_(analysis) {}

  void read(const Operation &operation, int32_t target);
  /// Propagate objects of `source` that pass the predicate `function`; all of them if it is no guard.
  void keep_by(int32_t function, int32_t source, int32_t target);
  /// Open unknown guards, and add the declared type where no known object passes; return whether there were any.
  bool settle();
  /// Return the variable of the guarded types under a name, -1 if the function is no guard.
  int32_t types(int32_t function, int32_t name);

  void on_function(int32_t pointee, int32_t number);
  void on_type(int32_t type, int32_t number);
  void on_types(int32_t number, int32_t types);
  void on_kept(int32_t pointee, int32_t type, int32_t target);
  void on_left(int32_t pointee, int32_t target, int32_t types);

 private:
  struct Guard {
    int32_t source, target;
    int32_t place;  // of the call, -1 if another function calls it
    int32_t name;   // under which functions declare the type
    int32_t types;  // variable of the guarded types, -1 if unknown
    bool keeps;     // the call returned true
    bool is_open;   // everything passes
  };

  void begin(int32_t callee, const Guard &guard);
  void open(int32_t number);
  bool holds_instance(int32_t variable) const;
  bool is_of(int32_t pointee, const Object &type);
  bool is_of_class(int32_t pointee, int32_t cls);
  bool has_members_of(int32_t cls, int32_t interface);
  Object without_brackets(int32_t type) const;

  Analysis &analysis_;
  Vector<Guard> guards_;
  int32_t settled_ = 0;  // number of settled guards
};

}  // namespace repoquarry
