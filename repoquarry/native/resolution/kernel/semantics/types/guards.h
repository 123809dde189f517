// Type guards: functions whose declared result tells of an argument, or of what they are called on, whether it is of a type
// (`isCircle(v): v is Circle`). Where such a call held, or did not, what it was asked about is narrowed.
#pragma once

#include "../../propagation/objects.h"

namespace repoquarry {

class Kernel;
struct Operation;

class Guards {
 public:
  explicit Guards(Kernel &kernel) : kernel_(kernel) {}

  void read(const Operation &operation, int32_t target);
  /// Of what `source` holds, `target` receives what `function` lets through when it is asked about each; all where it is no guard.
  void keep_by(int32_t function, int32_t source, int32_t target);
  /// Guards of which nothing is known by now let everything through, and those that nothing known passes give their type; whether there
  /// were any.
  bool settle();
  /// A variable of the types that a function declares to tell under a name, -1 where it is no guard.
  int32_t types(int32_t function, int32_t name);

  void on_function(int32_t held, int32_t number);
  void on_type(int32_t type, int32_t number);
  void on_types(int32_t number, int32_t types);
  void on_kept(int32_t held, int32_t type, int32_t target);
  void on_left(int32_t held, int32_t target, int32_t types);

 private:
  struct Guard {
    int32_t source, target;
    int32_t place;  // of the call, -1 where another function makes it
    int32_t name;   // under which functions declare the type
    int32_t types;  // variable of the types that it is known to tell, -1 for none
    bool keeps;     // the call held
    bool is_open;   // everything is let through
  };

  void begin(int32_t callee, const Guard &guard);
  void open(int32_t number);
  bool holds_instance(int32_t variable) const;
  bool is_of(int32_t held, const Object &type);
  bool is_of_class(int32_t held, int32_t cls);
  bool has_members_of(int32_t cls, int32_t interface);
  Object without_brackets(int32_t type) const;

  Kernel &kernel_;
  Vector<Guard> guards_;
  int32_t settled_ = 0;  // so many of them have been settled
};

}  // namespace repoquarry
