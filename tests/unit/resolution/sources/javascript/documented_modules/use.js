/** @typedef {import("./graph")} Graph */
/** @typedef {import("./graph").Node} GraphNode */

/**
 * @param {Graph} graph
 * @param {GraphNode[]} nodes
 * @param {import("./graph").Other} other
 */
function use(graph, nodes, other) {
  graph.size();
  // ^ calls: graph.Graph.size
  nodes[0].edges();
  // ^ calls: graph.Node.edges
  other.turn();
  // ^ calls: other.exports.turn
}
