import com.sun.source.tree.*;
import com.sun.source.util.*;
import com.sun.tools.javac.tree.JCTree;
import com.sun.tools.javac.tree.TreeInfo;
import com.sun.tools.javac.code.Symbol;
import com.sun.tools.javac.code.Type;
import java.io.PrintStream;
import java.nio.file.*;
import java.util.*;
import javax.lang.model.element.*;
import javax.tools.*;

/** Prints what javac sees at call sites: `java JavacSites.java ROOT CLASSPATH < list of source files`. Nothing is written, no processor runs. */
public class JavacSites {
    public static void main(String[] arguments) throws Exception {
        Path root = Path.of(arguments[0]).toRealPath();
        List<Path> paths = new ArrayList<>();
        for (String line : new String(System.in.readAllBytes()).split("\n")) if (!line.isBlank()) paths.add(root.resolve(line));
        JavaCompiler compiler = ToolProvider.getSystemJavaCompiler();
        StandardJavaFileManager files = compiler.getStandardFileManager(null, null, null);
        List<String> options = new ArrayList<>(List.of("-proc:none", "-Xmaxerrs", "1", "-nowarn", "-XDshould-stop.ifError=FLOW"));
        if (arguments.length > 1 && !arguments[1].isEmpty()) options.addAll(List.of("-classpath", arguments[1]));
        JavacTask task = (JavacTask) compiler.getTask(null, files, one -> {}, options, null, files.getJavaFileObjectsFromPaths(paths));
        Iterable<? extends CompilationUnitTree> units = task.parse();
        task.analyze();
        PrintStream out = new PrintStream(System.out, false, "UTF-8");
        Trees trees = Trees.instance(task);
        for (CompilationUnitTree unit : units) new Sites(trees, unit, root, out).scan(unit, null);
        out.flush();
    }

    static class Sites extends TreePathScanner<Void, Void> {
        private final Trees trees;
        private final CompilationUnitTree unit;
        private final Path root;
        private final PrintStream out;

        Sites(Trees trees, CompilationUnitTree unit, Path root, PrintStream out) {
            this.trees = trees;
            this.unit = unit;
            this.root = root;
            this.out = out;
        }

        @Override
        public Void visitMethodInvocation(MethodInvocationTree node, Void nothing) {
            JCTree.JCExpression method = ((JCTree.JCMethodInvocation) node).meth;
            boolean isWritten = trees.getSourcePositions().getEndPosition(unit, node) >= 0;  // `super()` may be the compiler's
            if (isWritten) note("call", TreeInfo.symbol(method), method.pos);
            return super.visitMethodInvocation(node, nothing);
        }

        @Override
        public Void visitNewClass(NewClassTree node, Void nothing) {
            JCTree.JCNewClass made = (JCTree.JCNewClass) node;
            Type type = made.clazz.type;
            if (made.def != null && type != null && type.isInterface()) return super.visitNewClass(node, nothing);  // no constructor is named
            if (made.def != null && type != null) note("anonymous", type.tsym, made.pos);
            else note("new", made.constructor, made.pos);
            return super.visitNewClass(node, nothing);
        }

        @Override
        public Void visitMemberReference(MemberReferenceTree node, Void nothing) {
            JCTree.JCMemberReference reference = (JCTree.JCMemberReference) node;
            note("reference", reference.sym, reference.pos);
            return super.visitMemberReference(node, nothing);
        }

        private void note(String kind, Symbol symbol, int position) {
            boolean isKnown = symbol != null && !(symbol.type instanceof Type.ErrorType) && symbol.kind.isValid();
            long line = unit.getLineMap().getLineNumber(position);
            String path = path(unit);
            if (!isKnown) {
                out.println(String.join("\t", kind, path, "" + line, "?", "", "", "0"));
                return;
            }
            Symbol owner = symbol instanceof Symbol.ClassSymbol ? symbol : symbol.enclClass();
            if (owner == null) return;  // the constructor of an array
            String file = "", at = "0";
            TreePath declared = trees.getPath(symbol);
            if (declared == null) declared = trees.getPath(owner);
            if (declared != null) {
                file = path(declared.getCompilationUnit());
                JCTree leaf = (JCTree) declared.getLeaf();
                int where = leaf instanceof JCTree.JCMethodDecl one ? one.pos : TreeInfo.diagnosticPositionFor(owner, leaf).getPreferredPosition();
                at = "" + declared.getCompilationUnit().getLineMap().getLineNumber(where);
            }
            out.println(String.join("\t", kind, path, "" + line, symbol.name.toString(), owner.getQualifiedName().toString(), file, at));
        }

        private String path(CompilationUnitTree tree) {
            return root.relativize(Path.of(tree.getSourceFile().toUri())).toString();
        }
    }
}
