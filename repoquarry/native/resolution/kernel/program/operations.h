// Operations of the constraint graph: opcodes and operand positions, documented in `languages/constraints.py`.
#pragma once

#include <stdint.h>

namespace repoquarry {

namespace op {
// clang-format off
enum Opcode : int32_t {
  COPY, ATTR, CALL, ITEM, CONST, FUNC, CLASS, NAME, IMPORT, FROM, CONTAINER, EACH, AWAIT, ENTER, OPER, TYPED, TYPEARGS, NARROW, SLICE,
  UNPACK, SETATTR, SETITEM, STAR, MENTION, RAISE, DECLARED, SENT, PROPERTY, SUPER, INHERITS, PARAMETER, GUARD, BRACKETS, DELATTR,
  count
};
// clang-format on

enum Argument : int32_t { POSITIONAL = -1, SPLAT = -2, KEYWORDS = -3 };
enum Key : int32_t { ANY = -1, SPREAD = -2 };
enum CallFlag : int32_t { DECORATES = 1, CONSTRUCTS = 2, HANDLES = 4 };
enum FunctionFlag : int32_t {
  ASYNC = 1,
  GENERATOR = 2,
  LAMBDA = 4,
  METHOD = 8,
  STATIC = 16,
  OF_CLASS = 32,
  ABSTRACT = 64,
  RECEIVES = 128,
  ACCESSOR = 256,
  GENERIC = 512,
  GUARDS = 1024
};
enum ParameterKind : int32_t { PLAIN, POSITION_ONLY, KEYWORD_ONLY, REST, KEYWORD_REST };

// Positions of operands, relative to the opcode; every operation has NEXT.
enum : int32_t { NEXT = 1, LENGTH_OF_HEAD = 2 };
// clang-format off
namespace copy { enum : int32_t { SOURCE = 2 }; }
namespace attr { enum : int32_t { RECEIVER = 2, NAME = 3, LINE = 4, OWNER = 5 }; }
namespace call {
enum : int32_t { RESULT = 2, CALLEE = 3, LINE = 4, OWNER = 5, FLAGS = 6, NAME = 7, COUNT = 8, ARGUMENTS = 9, FIRST_VARIABLE = 10 };
}
namespace item { enum : int32_t { RECEIVER = 2, KEY = 3, KEY_VARIABLE = 4, LINE = 5 }; }
namespace constant { enum : int32_t { TYPE = 2, VALUE = 3 }; }
namespace definition { enum : int32_t { INDEX = 2 }; }
namespace name { enum : int32_t { SYMBOL = 2 }; }
namespace import { enum : int32_t { MODULE = 2, WHOLE = 3 }; }
namespace from { enum : int32_t { MODULE = 2, LEVEL = 3, NAME = 4 }; }
namespace container { enum : int32_t { KIND = 2, COUNT = 3, ELEMENTS = 4 }; }
namespace oper { enum : int32_t { NAME = 2, LEFT = 3, RIGHT = 4 }; }
namespace typed { enum : int32_t { TYPE = 2, OWNER = 3 }; }
namespace declared { enum : int32_t { TYPE = 2, OWNER = 3, SOURCE = 4 }; }
namespace typeargs { enum : int32_t { BASE = 2, COUNT = 3, ARGUMENTS = 4 }; }
namespace narrow { enum : int32_t { SOURCE = 2, CLASS = 3, KEEP = 4 }; }
namespace slice { enum : int32_t { RECEIVER = 2, START = 3 }; }
namespace unpack { enum : int32_t { RECEIVER = 2, KEY = 3 }; }
namespace setattr { enum : int32_t { RECEIVER = 2, NAME = 3, VALUE = 4 }; }
namespace delattr { enum : int32_t { RECEIVER = 2, NAME = 3 }; }
namespace setitem { enum : int32_t { RECEIVER = 2, KEY = 3, KEY_VARIABLE = 4, VALUE = 5 }; }
namespace star { enum : int32_t { MODULE = 2, LEVEL = 3 }; }
namespace mention { enum : int32_t { VARIABLE = 2, LINE = 3, OWNER = 4, HOW = 5 }; }
namespace raise { enum : int32_t { VARIABLE = 2, LINE = 3, OWNER = 4 }; }
namespace property { enum : int32_t { GETTER = 2, SETTER = 3 }; }
namespace super { enum : int32_t { CLASS = 2, RECEIVER = 3 }; }
namespace inherits { enum : int32_t { SUB = 2, BASE = 3 }; }
namespace parameter { enum : int32_t { OWNER = 2, POSITION = 3, BOUND = 4 }; }
namespace brackets { enum : int32_t { CALL = 2, TYPES = 3 }; }
namespace guard { enum : int32_t { SOURCE = 2, CALL = 3, NAME = 4, KEEP = 5 }; }
/// Variable of EACH, AWAIT, ENTER and SENT.
namespace single { enum : int32_t { VARIABLE = 2 }; }
// clang-format on
}  // namespace op

/// Return the operand kinds of an operation, for validation. V: variable, v: variable or -1, S: symbol, s: symbol or -1, F:
/// function, C: class, o: owner, i: any integer, A: arguments, E: elements, T: variables, the last three preceded by their count.
const char *operand_kinds(int32_t opcode);

/// Return the position of the line in operations that can run code implicitly, followed by the owner; -1 for others.
int32_t line_position(int32_t opcode);

}  // namespace repoquarry
