export * from "./deep";
export function a() {}
