export { default as isLeaf, isBranch as looksLikeBranch } from "./parts";
export * from "./parts";
