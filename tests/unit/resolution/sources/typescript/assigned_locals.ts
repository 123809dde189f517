interface Step {
  run(): void;
}
class First {
  run(): void {}
}
class Second implements Step {
  run(): void {}
}

declare function unknown(): any;

export function untyped(): void {
  let step = new First();
  // ^ calls: assigned_locals.First
  let other = step;
  other = new Second();
  // ^ calls: assigned_locals.Second
  other.run();
  // ^ calls: assigned_locals.Second.run
  step.run();
  // ^ calls: assigned_locals.First.run
}

export function typed(): void {
  let step: Second = new Second();
  // ^ calls: assigned_locals.Second
  step = unknown();
  // ^ calls: assigned_locals.unknown
  step.run();
  // ^ calls: assigned_locals.Second.run
}
