interface Observer {
  next: (value: number) => void;
  done?: () => void;
}
class Printing implements Observer {
  next(value: number) {}
  done() {}
}
function drive(observer: Observer) {
  observer.next(1);
  // ^ calls: interface_functions.Observer.next, interface_functions.Printing.next
  observer.done?.();
  // ^ calls: interface_functions.Observer.done, interface_functions.Printing.done
}
