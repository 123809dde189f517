"""`link`: gives members that are written outside of their types to them, once all names are known."""

from __future__ import annotations

from repoquarry.languages.declared_types import lowered_tree as tree
from repoquarry.languages.declared_types.lowered_tree import Declaration, Node
from repoquarry.languages.declared_types.name_resolver import NameResolver
from repoquarry.languages.declared_types.program import OutsideMember, Program
from repoquarry.languages.declared_types.types import ClassType, Context, SpaceValue, Symbol, TypeValue


def link(program: Program, names: NameResolver) -> None:
    """Give all outside members to their types: classes first, because members belong to them, then stubs, whose bases come first."""
    files = program.files
    waiting = sorted(
        program.outside_members,
        key=lambda one: (one.declaration.kind != tree.CLASS, not files[one.unit].path.startswith("/")),
    )
    program.outside_members = []
    for member in waiting:
        _link(member, program, names)


def _link(member: OutsideMember, program: Program, names: NameResolver) -> None:
    written = member.declaration
    context = Context(
        member.unit, member.space, member.outer, {one.name: one.bounds for one in written.type_parameters}
    )
    if written.kind == tree.IMPLEMENTATION:
        link_block(written, Context(member.unit, member.space, member.outer), names)
        return
    if written.owner is None:
        return
    parts = written.owner[1] if written.owner[0] == tree.NAMED else []
    value = names.walk(parts, context)[0] if parts else None
    type_ = value.type if isinstance(value, TypeValue) else None
    cls = type_.symbol if isinstance(type_, ClassType) else None
    if cls is None and isinstance(value, SpaceValue):
        program.spaces[value.space].setdefault(written.name, []).append(
            program.create(written, member.unit, value.space, None)
        )
        return
    space = member.space if cls is None else cls.space
    symbol = program.create(written, member.unit, space, None)
    if cls is not None:
        _adopt(symbol, cls, written, program, replaces=program.dialect.replaces_prototypes)


def _adopt(symbol: Symbol, cls: Symbol, written: Declaration, program: Program, *, replaces: bool) -> None:
    symbol.owner = cls
    owner = written.owner
    rename_parameters(symbol, cls, owner[2] if owner is not None else [], is_stub=program.is_stub(cls))
    same = cls.members[symbol.name]
    if replaces:
        same[:] = [one for one in same if not one.has(tree.PROTOTYPE) or _differ(one, symbol)]
    same.append(symbol)


def _differ(one: Symbol, other: Symbol) -> bool:
    return [part.type for part in one.declaration.parameters] != [part.type for part in other.declaration.parameters]


def rename_parameters(symbol: Symbol, cls: Symbol, arguments: list[Node | None], *, is_stub: bool) -> None:
    """Let a member's names for the type parameters of its class mean those: `func (l *List[E])` of `List[T]`."""
    for own, argument in zip(list(cls.generic), arguments, strict=False):
        if argument is None or argument[0] != tree.NAMED or len(argument[1]) != 1:
            continue
        name = argument[1][0]
        if symbol.block is not None and name not in symbol.generic:
            continue
        bounds = symbol.generic.pop(name, [])
        if symbol.block is not None and bounds:
            symbol.generic[own] = bounds
        if not is_stub:
            cls.generic[own] = cls.generic[own] or bounds
        if name != own:
            symbol.renamed[name] = own


def link_block(written: Declaration, context: Context, names: NameResolver) -> list[Symbol]:
    """Give the members of an implementation block to its type, and the trait to its bases; return the members."""
    inside = Context(context.unit, context.space, context.cls, {**context.generic, **_generic(written)})
    inside.scopes = context.scopes
    inside.own_type = written.owner
    parts = written.owner[1] if written.owner is not None and written.owner[0] == tree.NAMED else []
    value = names.walk(parts, inside)[0] if parts else None
    type_ = value.type if isinstance(value, TypeValue) else None
    cls = type_.symbol if isinstance(type_, ClassType) else None
    if written.trait is not None and cls is not None:
        cls.extra_bases.append((written.trait, inside))
    found = []
    for one in written.members:
        symbol = names.program.create(one, context.unit, context.space, None)
        symbol.block = written, inside
        symbol.generic = {**symbol.generic, **{k: v for k, v in _generic(written).items() if k not in symbol.generic}}
        symbol.scopes = list(context.scopes) if any(context.scopes) else None
        if cls is not None:
            _adopt(symbol, cls, written, names.program, replaces=False)
        elif symbol.kind == tree.FUNCTION:
            names.program.extensions[symbol.name].append(symbol)
        found.append(symbol)
    return found


def _generic(written: Declaration) -> dict[str, list[Node]]:
    return {one.name: one.bounds for one in written.type_parameters}
