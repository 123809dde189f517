declare function outside(): any;
enum Kind {
  Wide,
  Tall,
}
class Circle {
  readonly kind = "circle";
  radius = 1;
  area() {}
}
class Square {
  kind: "square" = "square";
  side?: number;
  area() {}
}
interface Line {
  kind: "line" | "arrow";
  length: number;
  area(): void;
}
class Other {
  kind: string = outside();
  // ^ calls: discriminated_unions.outside
  area() {}
}
type Shape = Circle | Square | Line;
class Wide {
  readonly kind = Kind.Wide;
  show() {}
}
class Tall {
  readonly kind: Kind.Tall = Kind.Tall;
  show() {}
}
interface Good {
  ok: true;
  use(): void;
}
interface Bad {
  ok: false;
  use(): void;
}
function branches(s: Shape) {
  if (s.kind === "circle") s.area();
  // ^ calls: discriminated_unions.Circle.area
  else s.area();
  // ^ calls: discriminated_unions.Square.area, discriminated_unions.Line.area
  if ("square" == s.kind) {
    s.area();
    // ^ calls: discriminated_unions.Square.area
  } else if (s.kind !== "circle") {
    s.area();
    // ^ calls: discriminated_unions.Line.area
  } else {
    s.area();
    // ^ calls: discriminated_unions.Circle.area
  }
  if (s.kind === "square" || s.kind === "circle") s.area();
  // ^ calls: discriminated_unions.Circle.area, discriminated_unions.Square.area
  else s.area();
  // ^ calls: discriminated_unions.Line.area
  if (s.kind !== "square" && s.kind !== "circle") s.area();
  // ^ calls: discriminated_unions.Line.area
  if (s.kind === "square" || outside()) s.area();
  // ^ calls: discriminated_unions.outside, discriminated_unions.Circle.area, discriminated_unions.Square.area, discriminated_unions.Line.area
  if (s.kind !== "circle") return;
  s.area();
  // ^ calls: discriminated_unions.Circle.area
}
function switches(s: Shape) {
  switch (s.kind) {
    case "circle":
      s.area();
      // ^ calls: discriminated_unions.Circle.area
      break;
    case "line":
    case "square":
      s.area();
      // ^ calls: discriminated_unions.Square.area, discriminated_unions.Line.area
      return;
    default:
      s.area();
      // ^ calls: discriminated_unions.Line.area
  }
  switch (s.kind) {
    case "circle":
      s.area();
      // ^ calls: discriminated_unions.Circle.area
    case "square":
      s.area();
      // ^ calls: discriminated_unions.Circle.area, discriminated_unions.Square.area
  }
}
function members(s: Wide | Tall, t: { shape: Shape }) {
  if (s.kind === Kind.Wide) s.show();
  // ^ calls: discriminated_unions.Wide.show
  switch (s.kind) {
    case Kind.Tall:
      s.show();
      // ^ calls: discriminated_unions.Tall.show
  }
  if (t.shape.kind === "circle") t.shape.area();
  // ^ calls: discriminated_unions.Circle.area
  const area = t.shape.kind === "square" ? t.shape.area() : t.shape.area();
  // ^ calls: discriminated_unions.Circle.area, discriminated_unions.Square.area, discriminated_unions.Line.area
}
function truths(r: Good | Bad) {
  if (r.ok) r.use();
  // ^ calls: discriminated_unions.Good.use
  else r.use();
  // ^ calls: discriminated_unions.Bad.use
  if (!r.ok) return r.use();
  // ^ calls: discriminated_unions.Bad.use
  r.use();
  // ^ calls: discriminated_unions.Good.use
  if (r.ok === true) r.use();
  // ^ calls: discriminated_unions.Good.use
}
function asked(s: Shape) {
  if ("radius" in s) s.area();
  // ^ calls: discriminated_unions.Circle.area
  else s.area();
  // ^ calls: discriminated_unions.Square.area, discriminated_unions.Line.area
  if ("side" in s) s.area();
  // ^ calls: discriminated_unions.Square.area
  else s.area();
  // ^ calls: discriminated_unions.Circle.area, discriminated_unions.Square.area, discriminated_unions.Line.area
  if ("nothing" in s) s.area();
  // ^ calls: discriminated_unions.Circle.area, discriminated_unions.Square.area, discriminated_unions.Line.area
}
function unknown(s: Circle | Other) {
  if (s.kind === "circle") s.area();
  // ^ calls: discriminated_unions.Circle.area, discriminated_unions.Other.area
  if (s.kind === "other") s.area();
  // ^ calls: discriminated_unions.Other.area
  if (s.kind === outside()) s.area();
  // ^ calls: discriminated_unions.outside, discriminated_unions.Circle.area, discriminated_unions.Other.area
}
