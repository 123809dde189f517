// Handlers by name are references; the calls are those that are written.
export class Panel {
  drop() {}
  render() {
    return <div onClick={this.drop} onDrop={() => this.drop()} />;
    // ^ calls: handlers.Panel.drop
  }
}
