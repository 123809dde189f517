interface Consumer<T> {
  take(item: T): void;
}
interface Closing<T> extends Consumer<T> {
  close(): void;
}
class Printer implements Closing<string> {
  take(item: string) {}
  close() {}
}
function feed(consumer: Closing<string>) {
  consumer.take("x");
  // ^ calls: generic_interfaces.Consumer.take, generic_interfaces.Printer.take
  consumer.close();
  // ^ calls: generic_interfaces.Closing.close, generic_interfaces.Printer.close
}
