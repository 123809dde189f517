export type * from "./types";
export { Circle } from "./types";
