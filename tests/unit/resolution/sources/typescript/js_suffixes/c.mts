export class C {
  go() {}
}
