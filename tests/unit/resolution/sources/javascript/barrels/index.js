export * from "./lib/a";
export { b as renamed } from "./lib/b";
export * as space from "./lib/b";
