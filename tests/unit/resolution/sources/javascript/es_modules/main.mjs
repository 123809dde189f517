import run, { one, two as second } from "./lib.mjs";
import * as lib from "./lib.mjs";
import common from "./common.cjs";
import external, { part } from "external";
run();
// ^ calls: lib.main
one();
// ^ calls: lib.one
second();
// ^ calls: lib.two
lib.one();
// ^ calls: lib.one
lib.default();
// ^ calls: lib.main
common.go();
// ^ calls: common.go
external();
// ^ calls: external
part();
// ^ calls: external.part
