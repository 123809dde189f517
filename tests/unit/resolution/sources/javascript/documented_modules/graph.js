class Graph {
  size() {}
}
class Node {
  edges() {}
}
/** @typedef {import("./other")} Other */
module.exports = Graph;
module.exports.Node = Node;
