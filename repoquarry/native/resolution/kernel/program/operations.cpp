#include "operations.h"

namespace repoquarry {

const char *operand_kinds(int32_t opcode) {
  switch (opcode) {
    case op::COPY: return "V";
    case op::ATTR: return "VSio";
    case op::CALL: return "VVioisA";
    case op::ITEM: return "Vsvio";
    case op::CONST: return "Ss";
    case op::FUNC: return "F";
    case op::CLASS: return "C";
    case op::NAME: return "S";
    case op::IMPORT: return "Si";
    case op::FROM: return "SiSio";
    case op::CONTAINER: return "SE";
    case op::EACH: return "Vio";
    case op::AWAIT: return "Vio";
    case op::ENTER: return "Vio";
    case op::OPER: return "SVVio";
    case op::TYPED: return "Vo";
    case op::TYPEARGS: return "VT";
    case op::NARROW: return "VVi";
    case op::SLICE: return "Viio";
    case op::UNPACK: return "Vsio";
    case op::SETATTR: return "VSVio";
    case op::SETITEM: return "VsvVio";
    case op::STAR: return "Si";
    case op::MENTION: return "VioS";
    case op::RAISE: return "Vio";
    case op::DECLARED: return "VoV";
    case op::SENT: return "V";
    case op::PROPERTY: return "vv";
    case op::SUPER: return "CV";
    case op::INHERITS: return "VV";
    case op::PARAMETER: return "oiv";
    case op::GUARD: return "VVSi";
    case op::BRACKETS: return "VV";
    case op::DELATTR: return "VSio";
    default: return nullptr;
  }
}

int32_t line_position(int32_t opcode) {
  switch (opcode) {
    case op::ATTR: return 4;
    case op::CALL: return 4;
    case op::ITEM: return 5;
    case op::FROM: return 5;
    case op::EACH: return 3;
    case op::AWAIT: return 3;
    case op::ENTER: return 3;
    case op::OPER: return 5;
    case op::UNPACK: return 4;
    case op::SLICE: return 4;
    case op::SETATTR: return 5;
    case op::SETITEM: return 6;
    case op::RAISE: return 3;
    case op::DELATTR: return 4;
    default: return -1;
  }
}

}  // namespace repoquarry
