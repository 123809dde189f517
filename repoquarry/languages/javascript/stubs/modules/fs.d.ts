// Source of names: https://nodejs.org/api/fs.html
export declare function existsSync(path: string): boolean;
export declare function mkdtempSync(prefix: string): string;
export declare function openSync(path: string, flags?: string): number;
export declare function readSync(file: number, into: any): number;
export declare function readdirSync(path: string): string[];
export declare function readlinkSync(path: string): string;
export declare function realpathSync(path: string): string;
export declare function writeSync(file: number, bytes: any): number;
