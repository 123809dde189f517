export interface Shape<out Made = unknown, in Taken = never> {
  draw(): Made
  // Returns what it is given.
  <Key extends string>(key: Key): Key
  in?: string
  notIn?: string
}

export class Circle {
  draw(): void {}
}
