import { a, renamed, space, deep } from "./index";
a();
// ^ calls: lib/a.a
renamed();
// ^ calls: lib/b.b
space.b();
// ^ calls: lib/b.b
deep();
// ^ calls: lib/deep.deep
