/** @typedef {import("./graph")} Graph */
/** @typedef {import("./graph").Node} GraphNode */

/**
 * @param {Graph} graph
 * @param {GraphNode[]} nodes
 * @param {import("./graph").Other} other
 */
function use(graph, nodes, other) {
  graph.size();
  // ^ unresolved: unknown receiver
  nodes[0].edges();
  // ^ unresolved: unknown receiver
  other.turn();
  // ^ unresolved: unknown receiver
}
