// Prints the calls of a compiled program: `mono McsSites.exe PROGRAM.dll`, from its IL and the line numbers beside it (PROGRAM.dll.mdb).
// A row is "type", name, all base types; "method", type, name, parameters, number, file, first line; or "call", file, line, type, name, parameters, number, where
// the type of a method outside the program has a question mark before it. Parameters are the last names of their types. Properties, events, operators and methods
// that the compiler made are left out.
using System;
using System.Collections.Generic;
using System.Linq;
using Mono.Cecil;
using Mono.Cecil.Cil;
using Mono.CompilerServices.SymbolWriter;

static class McsSites {
    static string Simple(TypeReference type) {
        var reference = type as ByReferenceType;
        if (reference != null) return Simple(reference.ElementType);
        return type is ArrayType ? Simple(((ArrayType)type).ElementType) + "[]" : type.Name;
    }

    static string Key(MethodDefinition method) {
        var parameters = string.Join(",", method.Parameters.Select(one => Simple(one.ParameterType)));
        var arity = method.HasGenericParameters ? "`" + method.GenericParameters.Count : "";
        return method.DeclaringType.FullName + "\t" + method.Name + arity + "\t" + parameters + "\t" + method.MetadataToken.ToInt32();
    }

    static bool IsWritten(MethodDefinition method) {
        bool isSpecial = method.IsSpecialName && method.Name != ".ctor";
        return !isSpecial && IsWritten(method.Name) && IsWritten(method.DeclaringType.FullName);
    }

    static bool IsWritten(string name) { return name.IndexOf('<') < 0; }

    static MethodDefinition Resolve(MethodReference reference, ModuleDefinition module) {
        try {
            var found = reference.Resolve();
            return found != null && found.Module == module ? found : null;
        } catch (AssemblyResolutionException) { return null; }
    }

    static IEnumerable<string> Above(TypeReference type) {
        TypeDefinition found = null;
        try { found = type.Resolve(); } catch (AssemblyResolutionException) { }
        if (found == null) return new string[0];
        var bases = found.Interfaces.Select(one => one.InterfaceType).Concat(new[] { found.BaseType }).Where(one => one != null);
        return bases.SelectMany(one => new[] { one.GetElementType().FullName }.Concat(Above(one)));
    }

    static IEnumerable<TypeDefinition> All(IEnumerable<TypeDefinition> types) {
        return types.SelectMany(one => new[] { one }.Concat(All(one.NestedTypes)));
    }

    static void Main(string[] arguments) {
        var module = ModuleDefinition.ReadModule(arguments[0]);
        var symbols = MonoSymbolFile.ReadSymbolFile(arguments[0] + ".mdb");
        foreach (var type in All(module.Types))
            Console.WriteLine("type\t" + type.FullName + "\t" + string.Join(",", Above(type).Distinct()));
        foreach (var method in All(module.Types).SelectMany(one => one.Methods).Where(one => one.HasBody)) {
            var entry = symbols.GetMethodByToken(method.MetadataToken.ToInt32());
            if (entry == null) continue;
            // Lines of 0xfeefee and more belong to code that nobody wrote.
            var lines = entry.GetLineNumberTable().LineNumbers.Where(one => one.Row > 0 && one.Row < 0xfeefee).OrderBy(one => one.Offset).ToArray();
            if (lines.Length == 0) continue;
            var file = entry.CompileUnit.SourceFile.FileName;
            if (IsWritten(method)) Console.WriteLine("method\t" + Key(method) + "\t" + file + "\t" + lines.Min(one => one.Row));
            foreach (var instruction in method.Body.Instructions) {
                var code = instruction.OpCode.Code;
                if (code != Code.Call && code != Code.Callvirt && code != Code.Newobj) continue;
                var reference = (MethodReference)instruction.Operand;
                var target = Resolve(reference, module);
                var at = lines.LastOrDefault(one => one.Offset <= instruction.Offset);
                if (at == null || !(target == null ? IsWritten(reference.Name) : IsWritten(target))) continue;
                var outside = "?" + reference.DeclaringType.GetElementType().FullName + "\t" + reference.Name + "\t\t";
                Console.WriteLine("call\t" + file + "\t" + at.Row + "\t" + (target == null ? outside : Key(target)));
            }
        }
    }
}
