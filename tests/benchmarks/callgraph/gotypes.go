// Program that prints each call of a Go module as go/types sees it: file, line, name, and file and line of the called function, or its full
// name where it is outside. Packages that cannot be imported are left out; calls that depend on them are printed with the name "?".
package main

import (
	"fmt"
	"go/ast"
	"go/build"
	"go/importer"
	"go/parser"
	"go/token"
	"go/types"
	"os"
	"path/filepath"
	"sort"
	"strings"
)

var (
	files    = token.NewFileSet()
	standard = importer.ForCompiler(files, "source", nil)
	root     string
	modules  = map[string]string{} // path of a module -> folder
	checked  = map[string]*types.Package{}
)

type loader struct{ folder string }

func (l loader) Import(path string) (*types.Package, error) {
	best := ""
	for module := range modules {
		if (path == module || strings.HasPrefix(path, module+"/")) && len(module) > len(best) {
			best = module
		}
	}
	if best != "" {
		return check(filepath.Join(modules[best], strings.TrimPrefix(path, best)), path), nil
	}
	if strings.Contains(strings.SplitN(path, "/", 2)[0], ".") || path == "C" {
		return nil, fmt.Errorf("not available")
	}
	return standard.Import(path)
}

// parse returns the files of a folder in the usual build by package name.
func parse(folder string) map[string][]*ast.File {
	found := map[string][]*ast.File{}
	entries, _ := os.ReadDir(folder)
	for _, entry := range entries {
		name := entry.Name()
		if matches, err := build.Default.MatchFile(folder, name); err != nil || !matches || !strings.HasSuffix(name, ".go") {
			continue
		}
		if file, _ := parser.ParseFile(files, filepath.Join(folder, name), nil, 0); file != nil {
			found[file.Name.Name] = append(found[file.Name.Name], file)
		}
	}
	return found
}

func isTest(file *ast.File) bool {
	return strings.HasSuffix(files.Position(file.Pos()).Filename, "_test.go")
}

// check returns the package of a folder without its tests.
func check(folder, path string) *types.Package {
	if known, seen := checked[folder]; seen {
		return known
	}
	checked[folder] = types.NewPackage(path, filepath.Base(path))
	for name, parsed := range parse(folder) {
		own := []*ast.File{}
		for _, file := range parsed {
			if !isTest(file) {
				own = append(own, file)
			}
		}
		if len(own) > 0 && (name != "main" || len(own) == len(parsed)) {
			config := types.Config{Importer: loader{folder}, Error: func(error) {}, FakeImportC: true}
			checked[folder], _ = config.Check(path, files, own, nil)
		}
	}
	return checked[folder]
}

func place(position token.Pos) (string, int) {
	at := files.Position(position)
	relative, err := filepath.Rel(root, at.Filename)
	if err != nil || strings.HasPrefix(relative, "..") {
		return "", 0
	}
	return relative, at.Line
}

// unparen returns the function below brackets and type arguments.
func unparen(function ast.Expr) ast.Expr {
	for {
		switch inner := function.(type) {
		case *ast.ParenExpr:
			function = inner.X
		case *ast.IndexExpr:
			function = inner.X
		case *ast.IndexListExpr:
			function = inner.X
		default:
			return function
		}
	}
}

func report(file *ast.File, info *types.Info) {
	ast.Inspect(file, func(node ast.Node) bool {
		call, isCall := node.(*ast.CallExpr)
		if !isCall {
			return true
		}
		function := unparen(call.Fun)
		var name *ast.Ident
		switch function := function.(type) {
		case *ast.Ident:
			name = function
		case *ast.SelectorExpr:
			name = function.Sel
		}
		if name == nil {
			return true
		}
		path, line := place(name.Pos())
		switch object := info.Uses[name].(type) {
		case *types.Func:
			if origin, at := place(object.Pos()); origin != "" {
				fmt.Printf("%s\t%d\t%s\t%s\t%d\n", path, line, name.Name, origin, at)
			} else {
				fmt.Printf("%s\t%d\t%s\t\t%s\n", path, line, name.Name, object.FullName())
			}
		case nil:
			fmt.Printf("%s\t%d\t?\t\t0\n", path, line)
		}
		return true
	})
}

func main() {
	root, _ = filepath.Abs(os.Args[1])
	folders := []string{}
	filepath.Walk(root, func(path string, entry os.FileInfo, err error) error {
		if err == nil && entry.IsDir() {
			folders = append(folders, path)
		} else if err == nil && entry.Name() == "go.mod" {
			text, _ := os.ReadFile(path)
			for _, line := range strings.Split(string(text), "\n") {
				if strings.HasPrefix(line, "module ") {
					modules[strings.Trim(strings.TrimSpace(line[7:]), "\"")] = filepath.Dir(path)
				}
			}
		}
		return nil
	})
	sort.Strings(folders)
	for _, folder := range folders {
		parsed := parse(folder)
		names := []string{}
		for name := range parsed {
			names = append(names, name)
		}
		sort.Strings(names)
		for _, name := range names {
			info := &types.Info{Uses: map[*ast.Ident]types.Object{}}
			config := types.Config{Importer: loader{folder}, Error: func(error) {}, FakeImportC: true}
			config.Check("checked/"+name, files, parsed[name], info)
			for _, file := range parsed[name] {
				report(file, info)
			}
		}
	}
}
