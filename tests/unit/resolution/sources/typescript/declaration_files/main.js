import { parse } from "./native.js";
parse("x").walk();
// ^ calls: native.parse, native.Tree.walk
