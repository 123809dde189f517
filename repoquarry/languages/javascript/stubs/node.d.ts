// What Node puts into every file. Source of names: https://nodejs.org/api/globals.html
export declare var global: any;
export declare var exports: any;
export declare var module: any;
export declare var __dirname: string;
export declare var __filename: string;
export declare function require(specifier: string): any;
export declare function setImmediate(run: (...given: any[]) => void, ...given: any[]): any;
export declare function clearImmediate(timer: any): void;
export declare class Buffer {
  length: number;
}
export declare namespace process {
  export function cwd(): string;
  export function exit(code?: number): never;
  export function nextTick(run: (...given: any[]) => void, ...given: any[]): void;
  export function uptime(): number;
}
