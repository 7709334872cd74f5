# SPDX-License-Identifier: Apache-2.0
"""A back end for omniidl that prints facts about a program, one JSON list per line.

Run as `omniidl -p tests/idl -b omniidl_facts file.idl`. The same facts are drawn from tenon-idl's model by
compare_models.py; two compilers that were written independently must agree on them.
"""
import json

from omniidl import idlast, idltype

BASE = {
    idltype.tk_void: "void",
    idltype.tk_short: "short",
    idltype.tk_long: "long",
    idltype.tk_ushort: "unsigned short",
    idltype.tk_ulong: "unsigned long",
    idltype.tk_float: "float",
    idltype.tk_double: "double",
    idltype.tk_boolean: "boolean",
    idltype.tk_char: "char",
    idltype.tk_octet: "octet",
    idltype.tk_any: "any",
    idltype.tk_TypeCode: "CORBA::TypeCode",
    idltype.tk_longlong: "long long",
    idltype.tk_ulonglong: "unsigned long long",
    idltype.tk_longdouble: "long double",
    idltype.tk_wchar: "wchar",
}


def scoped(name):
    return "::" + "::".join(name)


def type_text(node):
    kind = node.kind()
    if isinstance(node, idltype.Declared):
        # The implicit roots have names in module CORBA there, and are types of their own here.
        roots = {"::CORBA::Object": "Object", "::CORBA::ValueBase": "ValueBase"}
        return roots.get(scoped(node.scopedName()), scoped(node.scopedName()))
    if isinstance(node, (idltype.String, idltype.WString)):
        name = "string" if kind == idltype.tk_string else "wstring"
        return f"{name}<{node.bound()}>" if node.bound() else name
    if isinstance(node, idltype.Sequence):
        bound = f",{node.bound()}" if node.bound() else ""
        return f"sequence<{type_text(node.seqType())}{bound}>"
    if isinstance(node, idltype.Fixed):
        return f"fixed<{node.digits()},{node.scale()}>"
    return BASE[kind]


def declared(node, declarator):
    return type_text(node) + "".join(f"[{size}]" for size in declarator.sizes())


def value_text(value):
    if isinstance(value, idlast.Enumerator):
        return scoped(value.scopedName())
    if isinstance(value, list):  # a wide string
        return "".join(chr(one) for one in value)
    return value


def emit(*fact):
    print(json.dumps(fact))


def members(owner, nodes):
    for member in nodes:
        nested(member, member.memberType())
        for one in member.declarators():
            emit("member", owner, one.identifier(), declared(member.memberType(), one))


def nested(node, kind):
    """A type that is defined where it is used."""
    if getattr(node, "constrType", lambda: False)():
        visit(kind.decl())


def operation(node):
    emit("operation", scoped(node.scopedName()), node.repoId(), bool(node.oneway()), type_text(node.returnType()))
    for parameter in node.parameters():
        direction = ("in", "out", "inout")[parameter.direction()]
        emit("parameter", scoped(node.scopedName()), direction, parameter.identifier(), type_text(parameter.paramType()))
    for one in node.raises():
        emit("raises", scoped(node.scopedName()), scoped(one.scopedName()))
    for one in node.contexts():
        emit("context", scoped(node.scopedName()), one)


def union(node):
    name = scoped(node.scopedName())
    nested(node, node.switchType())
    emit("union", name, node.repoId(), type_text(node.switchType()))
    for case in node.cases():
        nested(case, case.caseType())
        one = case.declarator()
        emit("member", name, one.identifier(), declared(case.caseType(), one))
        for label in case.labels():
            if label.default():
                emit("default", name, one.identifier())
            else:
                emit("label", name, one.identifier(), value_text(label.value()))


def value(node, name):
    for base in node.inherits():
        emit("inherits", name, scoped(base.scopedName()))
    for one in node.supports():
        emit("supports", name, scoped(one.scopedName()))
    for one in node.contents():
        visit(one)


def visit(node):
    name = scoped(node.scopedName()) if isinstance(node, idlast.DeclRepoId) else ""
    if isinstance(node, idlast.Module):
        emit("module", name, node.repoId())
        for one in node.definitions():
            visit(one)
    elif isinstance(node, idlast.Interface):
        emit("interface", name, node.repoId(), bool(node.abstract()), bool(node.local()))
        for base in node.inherits():
            emit("inherits", name, scoped(base.scopedName()))
        for one in node.contents():
            visit(one)
    elif isinstance(node, idlast.Const):
        emit("constant", name, node.repoId(), type_text(node.constType()), value_text(node.value()))
    elif isinstance(node, idlast.Typedef):
        nested(node, node.aliasType())
        for one in node.declarators():
            emit("typedef", scoped(one.scopedName()), one.repoId(), declared(node.aliasType(), one))
    elif isinstance(node, idlast.Struct):
        emit("struct", name, node.repoId(), bool(node.recursive()))
        members(name, node.members())
    elif isinstance(node, idlast.Exception):
        emit("exception", name, node.repoId())
        members(name, node.members())
    elif isinstance(node, idlast.Union):
        union(node)
    elif isinstance(node, idlast.Enum):
        emit("enum", name, node.repoId())
        for one in node.enumerators():
            emit("enumerator", name, scoped(one.scopedName()), one.repoId())
    elif isinstance(node, idlast.Attribute):
        for one in node.declarators():
            emit("attribute", scoped(one.scopedName()), one.repoId(), bool(node.readonly()), type_text(node.attrType()))
    elif isinstance(node, idlast.Operation):
        operation(node)
    elif isinstance(node, idlast.Native):
        emit("native", name, node.repoId())
    elif isinstance(node, idlast.ValueBox):
        nested(node, node.boxedType())
        emit("value box", name, node.repoId(), type_text(node.boxedType()))
    elif isinstance(node, (idlast.Value, idlast.ValueAbs)):
        concrete = isinstance(node, idlast.Value)
        emit("valuetype", name, node.repoId(), not concrete, bool(concrete and node.custom()),
             bool(concrete and node.truncatable()))
        value(node, name)
    elif isinstance(node, idlast.StateMember):
        nested(node, node.memberType())
        for one in node.declarators():
            emit("state", scoped(one.scopedName()), node.memberAccess() == 0, declared(node.memberType(), one))
    elif isinstance(node, idlast.Factory):
        emit("factory", node.identifier(), [p.identifier() for p in node.parameters()])
    elif isinstance(node, (idlast.Forward, idlast.ValueForward, idlast.StructForward, idlast.UnionForward)):
        pass  # where a declaration is announced is no fact about it
    else:
        raise AssertionError(f"omniidl made a {type(node).__name__}, which this back end does not know")


def run(tree, args):
    for node in tree.declarations():
        visit(node)
