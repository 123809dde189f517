export class Core {
  run() {}
}
