declare namespace Link {
  interface Operation {
    context: () => string;
  }
  type Handler = (operation: Operation) => void;
}
class Link {
  constructor(public handler?: Link.Handler) {}
  run(operation: Link.Operation) {
    operation.context();
    // ^ calls: merged_namespaces.Link.Operation.context
  }
}
new Link((operation) => operation.context());
// ^ calls: merged_namespaces.Link#2, merged_namespaces.Link.constructor, merged_namespaces.Link.Operation.context
