"""How calls in JavaScript, TypeScript and single-file components are resolved: one program, since their files import each other."""

from __future__ import annotations

from repoquarry.languages.family import RECEIVER_BY_CALL, SUPERCLASS_FIRST, Family, PointsTo
from repoquarry.languages.javascript.importing.modules import find_modules
from repoquarry.languages.javascript.outside.tables import PROTOCOLS, tables
from repoquarry.languages.javascript.rules import RULES, SHOWN

FAMILY = Family(
    name="javascript",
    modules=find_modules,
    method=PointsTo(protocols=PROTOCOLS, tables=tables, flags=SUPERCLASS_FIRST | RECEIVER_BY_CALL),
    rules=RULES,
    shown=SHOWN,
)
