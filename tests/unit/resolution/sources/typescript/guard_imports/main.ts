import isLeafItself, { isBranch } from "./parts";
import type { Leaf, Branch } from "./parts";
import * as all from ".";
import { isLeaf, looksLikeBranch, assertLeaf } from ".";
function use(part: Leaf | Branch, list: (Leaf | Branch)[]) {
  if (isLeafItself(part)) part.open();
  // ^ calls: parts.isLeaf, parts.Leaf.open
  if (isBranch(part)) part.open();
  // ^ calls: parts.isBranch, parts.Branch.open
  if (!isLeaf(part)) part.open();
  // ^ calls: parts.isLeaf, parts.Branch.open
  if (looksLikeBranch(part)) part.open();
  // ^ calls: parts.isBranch, parts.Branch.open
  if (all.isBranch(part)) part.open();
  // ^ calls: parts.isBranch, parts.Branch.open
  list.filter(all.isLeaf)[0].open();
  // ^ calls: parts.isLeaf, parts.Leaf.open, globalThis.Array.filter
  assertLeaf(part);
  // ^ calls: parts.assertLeaf
  part.open();
  // ^ calls: parts.Leaf.open
}
