// Source of names: https://nodejs.org/api/util.html
export declare function format(text: any, ...values: any[]): string;
export declare function inspect(value: any, options?: any): string;
export declare function isDeepStrictEqual(left: any, right: any): boolean;
export declare function stripVTControlCharacters(text: string): string;
