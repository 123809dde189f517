"""What manifests declare, read as text."""

from __future__ import annotations

from repoquarry.languages.manifests import is_manifest, read_packages


def test_pyproject() -> None:
    found = read_packages(
        {
            "pyproject.toml": b"""
[project]
name = "My.Tool"
description = "Does  things."
dependencies = ["Requests>=2,<3 ; python_version > '3.8'", "click[extra] ~= 8.1", "my_tool", "x @ https://example.org/x.zip"]
[project.optional-dependencies]
fast = ["numpy"]
[project.scripts]
tool = "my.tool:main"
"""
        }
    )
    assert list(found.provides) == [("pypi", "my-tool")]
    assert found.requires == {
        ("pypi", "requests"): ">=2,<3 ; python_version > '3.8'",
        ("pypi", "click"): "~= 8.1",
        ("pypi", "x"): "@ https://example.org/x.zip",
        ("pypi", "numpy"): "",
    }
    assert found.scripts == {"tool": "my.tool:main"}
    assert found.description == "Does things."


def test_poetry() -> None:
    found = read_packages(
        {
            "pyproject.toml": b'[tool.poetry]\nname="p"\n[tool.poetry.dependencies]\npython="^3.11"\na="^1"\nb={version="2"}\n'
        }
    )
    assert found.requires == {("pypi", "a"): "^1", ("pypi", "b"): "2"}


def test_setup_py_is_read_and_never_run() -> None:
    found = read_packages(
        {
            "setup.py": b"""
import os, setuptools
os.system("touch /tmp/never")
VERSION = open("nowhere").read()
setuptools.setup(name="tool", version=VERSION, install_requires=["a>=1", "b"], description=VERSION,
                 entry_points={"console_scripts": ["t = tool.cli:run"]})
"""
        }
    )
    assert list(found.provides) == [("pypi", "tool")]
    assert found.requires == {("pypi", "a"): ">=1", ("pypi", "b"): ""}
    assert found.scripts == {"t": "tool.cli:run"}


def test_setup_cfg_and_requirement_files() -> None:
    found = read_packages(
        {
            "setup.cfg": b"[metadata]\nname = tool\n[options]\ninstall_requires =\n    a>=1\n    b # why\n",
            "requirements-dev.txt": b"# comment\n-r other.txt\n--index-url https://example.org\nb==2\nc==3 --hash=sha256:ab\n"
            b"git+https://example.org/x.git\n",
        }
    )
    assert found.requires == {("pypi", "a"): ">=1", ("pypi", "b"): "", ("pypi", "c"): "==3"}


def test_package_json() -> None:
    found = read_packages(
        {"package.json": b'{"name": "@team/App", "dependencies": {"React": "^18"}, "devDependencies": {"jest": "1"}}'}
    )
    assert list(found.provides) == [("npm", "@team/app")]
    assert found.requires == {("npm", "react"): "^18", ("npm", "jest"): "1"}


def test_what_cannot_be_understood_is_told() -> None:
    found = read_packages(
        {"pyproject.toml": b"[project", "package.json": b"[" * 100_000, "setup.py": b"setup(", "setup.cfg": b"\xff"}
    )
    assert found.unreadable == ["pyproject.toml", "setup.cfg", "setup.py", "package.json"]
    assert not found.requires


def test_which_files_are_manifests() -> None:
    assert is_manifest("requirements/base.txt")
    assert is_manifest("dev-requirements.txt")
    assert not is_manifest("examples/requirements.txt")
    assert not is_manifest("docs/setup.cfg")


def test_npm_workspaces_programs_and_scripts() -> None:
    found = read_packages(
        {
            "package.json": b'{"name": "app", "description": "An app.", "workspaces": ["packages/*"],'
            b' "scripts": {"start": "node ./server.js --port 80", "build": "tsc"}, "bin": "cli.mjs"}',
            "packages/core/package.json": b'{"name": "@app/core", "description": "Inside.", "bin": {"core": "./bin/core.js"}}',
        }
    )
    assert list(found.provides) == [("npm", "app"), ("npm", "@app/core")]
    assert found.programs == {
        ("console_script", "app"): "cli.mjs",
        ("script", "start"): "server.js",
        ("console_script", "core"): "packages/core/bin/core.js",
    }
    assert found.description == "An app."
    assert not is_manifest("packages/core/tests/fixture/package.json")


POM = b"""<?xml version="1.0"?>
<project xmlns="http://maven.apache.org/POM/4.0.0">
  <parent><groupId>org.shop</groupId><version>1.2</version></parent>
  <artifactId>cart</artifactId><description>Carts.</description>
  <properties><guava.version>33.0</guava.version></properties>
  <dependencies>
    <dependency><groupId>com.google.guava</groupId><artifactId>guava</artifactId><version>${guava.version}</version></dependency>
    <dependency><groupId>${project.groupId}</groupId><artifactId>base</artifactId><version>${project.version}</version></dependency>
  </dependencies>
</project>
"""


def test_maven_with_inherited_group_and_properties() -> None:
    found = read_packages({"pom.xml": POM})
    assert list(found.provides) == [("maven", "org.shop:cart")]
    assert found.requires == {("maven", "com.google.guava:guava"): "33.0", ("maven", "org.shop:base"): "1.2"}
    assert found.description == "Carts."


def test_a_pom_that_declares_entities_is_not_read() -> None:
    bomb = b'<!DOCTYPE p [<!ENTITY a "aaaa"><!ENTITY b "&a;&a;">]><project><artifactId>&b;</artifactId></project>'
    assert read_packages({"pom.xml": bomb}).unreadable == ["pom.xml"]


def test_gradle_in_both_languages() -> None:
    found = read_packages(
        {
            "settings.gradle": b"rootProject.name = 'shop'\n",
            "cart/build.gradle": b"group = 'org.shop'\ndependencies {\n  implementation 'a.b:c:1.0'\n"
            b"  testImplementation group: 'd.e', name: 'f', version: '2'\n  // implementationX\n}\n",
            "till/build.gradle.kts": b'dependencies {\n  api("g.h:i:3")\n  implementation(platform("j.k:l:4"))\n}\n',
        }
    )
    assert list(found.provides) == [("maven", "shop"), ("maven", "org.shop:cart")]
    assert found.requires == {
        ("maven", "a.b:c"): "1.0",
        ("maven", "d.e:f"): "2",
        ("maven", "g.h:i"): "3",
        ("maven", "j.k:l"): "4",
    }


def test_cargo_go_gems_composer_and_nuget() -> None:
    found = read_packages(
        {
            "Cargo.toml": b'[package]\nname = "shop-core"\n[dependencies]\nserde = "1"\ntok = {package = "tokio", version = "2"}\n',
            "go.mod": b"module example.com/shop\n\ngo 1.22\n\nrequire (\n\tgithub.com/a/b v1.2.3\n\tgithub.com/c/d/v2 v2.0.0 // indirect\n)\n"
            b"require github.com/e/f v0.1.0\n",
            "shop.gemspec": b"Gem::Specification.new do |s|\n  s.name = 'shop'\n  s.add_dependency 'rack', '>= 2'\nend\n",
            "Gemfile": b"source 'https://example.org'\ngem 'rake'\n",
            "composer.json": b'{"name": "acme/shop", "require": {"php": ">=8", "monolog/monolog": "^3"}}',
            "src/Shop.csproj": b'<Project><ItemGroup><PackageReference Include="Newtonsoft.Json" Version="13.0.1" /></ItemGroup></Project>',
        }
    )
    assert set(found.provides) == {
        *(("crates", "shop-core"), ("go", "example.com/shop"), ("rubygems", "shop"), ("composer", "acme/shop")),
        ("nuget", "shop"),
    }
    assert found.requires == {
        ("crates", "serde"): "1",
        ("crates", "tokio"): "2",
        ("go", "github.com/a/b"): "v1.2.3",
        ("go", "github.com/c/d/v2"): "v2.0.0",
        ("go", "github.com/e/f"): "v0.1.0",
        ("rubygems", "rack"): ">= 2",
        ("rubygems", "rake"): "",
        ("composer", "monolog/monolog"): "^3",
        ("nuget", "newtonsoft.json"): "13.0.1",
    }


def test_lock_files_of_python() -> None:
    tables = b'[[package]]\nname = "A_b"\nversion = "1.5"\n[[package]]\nname = "two"\nversion = "1"\n[[package]]\nname = "two"\nversion = "2"\n'
    for tool in ("uv", "poetry", "pdm"):
        found = read_packages({f"{tool}.lock": tables})
        assert found.locked == {("pypi", "a-b"): "1.5"}  # which of two versions is meant is not said
        assert not found.requires
    found = read_packages({"Pipfile.lock": b'{"default": {"a": {"version": "==3.1"}, "b": {"git": "x"}}}'})
    assert found.locked == {("pypi", "a"): "3.1"}
    assert read_packages({"uv.lock": b"[["}).unreadable == ["uv.lock"]


def test_pins_count_after_lock_files_and_ranges_do_not() -> None:
    pins = b"a==1.0\nb[x] == 2.1 ; python_version > '3'\nc>=3\nd==4.*\ne==5.0 \\\n    --hash=sha256:00\n"
    found = read_packages({"requirements.txt": pins, "uv.lock": b'[[package]]\nname = "a"\nversion = "1.9"\n'})
    assert found.locked == {("pypi", "a"): "1.9", ("pypi", "b"): "2.1", ("pypi", "e"): "5.0"}
    assert found.requires["pypi", "a"] == "==1.0"


def test_lock_files_of_npm_and_cargo() -> None:
    new = b'{"packages": {"": {"version": "9"}, "node_modules/@s/a": {"version": "1.0.0"}, "node_modules/b/node_modules/@s/a": {"version": "2.0.0"}}}'
    assert read_packages({"package-lock.json": new}).locked == {("npm", "@s/a"): "1.0.0"}
    old = b'{"dependencies": {"a": {"version": "1.0.0", "dependencies": {"a": {"version": "2.0.0"}}}}}'
    assert read_packages({"web/package-lock.json": old}).locked == {("npm", "a"): "1.0.0"}
    cargo = b'[[package]]\nname = "serde"\nversion = "1.0.1"\n[[package]]\nname = "own"\nversion = "0.1.0"\n'
    own = b'[package]\nname = "own"\nversion = "0.1.0"\n'
    found = read_packages({"Cargo.lock": cargo, "Cargo.toml": own})
    assert found.locked == {("crates", "serde"): "1.0.1"}
    assert found.versions == {("crates", "own"): "0.1.0"}


def test_versions_that_manifests_write_out() -> None:
    for path, text in {
        "pyproject.toml": b'[project]\nname = "a"\nversion = "1.2"\n',
        "setup.py": b"from setuptools import setup\nsetup(name='a', version='1.2')\n",
        "setup.cfg": b"[metadata]\nname = a\nversion = 1.2\n",
    }.items():
        assert read_packages({path: text}).versions == {("pypi", "a"): "1.2"}
    assert not read_packages({"setup.cfg": b"[metadata]\nname = a\nversion = attr: a.__version__\n"}).versions
