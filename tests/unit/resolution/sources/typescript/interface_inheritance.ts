interface Base {
  close(): void;
}
interface Stream extends Base {
  read(): void;
}
function use(stream: Stream) {
  stream.close();
  // ^ calls: interface_inheritance.Base.close
  stream.read();
  // ^ calls: interface_inheritance.Stream.read
}
