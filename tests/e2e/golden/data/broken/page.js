export function open() {
  if (true) {
    close();
}

export function close() {}

export class Left {
  right( {}
}
