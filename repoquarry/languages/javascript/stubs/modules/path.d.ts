// Source of names: https://nodejs.org/api/path.html
export declare function basename(path: string, suffix?: string): string;
export declare function dirname(path: string): string;
export declare function extname(path: string): string;
export declare function format(parts: any): string;
export declare function isAbsolute(path: string): boolean;
export declare function join(...parts: string[]): string;
export declare function normalize(path: string): string;
export declare function relative(from: string, to: string): string;
export declare function resolve(...parts: string[]): string;
export declare function toNamespacedPath(path: string): string;
