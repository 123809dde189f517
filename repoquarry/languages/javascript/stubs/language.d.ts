// What every JavaScript engine has, as far as it decides where a call leads. Source of names and signatures: https://tc39.es/ecma262
export declare var undefined: undefined;
export declare var NaN: number;
export declare var Infinity: number;
export declare var globalThis: any;
export declare function eval(source: string): any;
export declare function parseInt(text: string, radix?: number): number;
export declare function parseFloat(text: string): number;
export declare function isNaN(value: number): boolean;
export declare function isFinite(value: number): boolean;
export declare function encodeURIComponent(text: string): string;
export declare function decodeURIComponent(text: string): string;
export declare function encodeURI(text: string): string;
export declare function decodeURI(text: string): string;
export declare function escape(text: string): string;
export declare function unescape(text: string): string;

export interface Iterable<T> {}
export interface AsyncIterable<T> {}
export interface ArrayLike<T> {
  length: number;
}
export interface PromiseLike<T> {
  then<R>(done?: (value: T) => R, failed?: (reason: any) => R): PromiseLike<R>;
}
export declare class Iterator<T> {
  static from<T>(items: Iterable<T>): Iterator<T>;
  next(value?: any): any;
  return(value?: any): any;
  throw(error?: any): any;
  map<R>(make: (item: T, index: number) => R): Iterator<R>;
  filter(keep: (item: T, index: number) => boolean): Iterator<T>;
  take(limit: number): Iterator<T>;
  drop(limit: number): Iterator<T>;
  flatMap<R>(make: (item: T, index: number) => Iterable<R>): Iterator<R>;
  reduce<R>(join: (sum: R, item: T) => R, first?: R): R;
  toArray(): T[];
  forEach(visit: (item: T, index: number) => void): void;
  some(test: (item: T, index: number) => boolean): boolean;
  every(test: (item: T, index: number) => boolean): boolean;
  find(test: (item: T, index: number) => boolean): T | undefined;
}
export interface Generator<T> extends Iterator<T> {}
export interface IterableIterator<T> extends Iterator<T> {}
export interface ArrayIterator<T> extends Iterator<T> {}
export interface MapIterator<T> extends Iterator<T> {}
export interface SetIterator<T> extends Iterator<T> {}
export interface AsyncIterator<T> {
  next(value?: any): Promise<any>;
}
export interface AsyncGenerator<T> extends AsyncIterator<T> {}
export interface AsyncIterableIterator<T> extends AsyncIterator<T> {}

export declare class Object {
  static assign(target: any, ...sources: any[]): any;
  static create(prototype: any, properties?: any): any;
  static defineProperties(target: any, properties: any): any;
  static defineProperty(target: any, key: string, property: any): any;
  static entries(value: any): any[];
  static freeze(value: any): any;
  static fromEntries(entries: Iterable<any>): any;
  static getOwnPropertyNames(value: any): string[];
  static getPrototypeOf(value: any): any;
  static hasOwn(value: any, key: string): boolean;
  static is(left: any, right: any): boolean;
  static isFrozen(value: any): boolean;
  static keys(value: any): string[];
  static preventExtensions(value: any): any;
  static seal(value: any): any;
  static setPrototypeOf(value: any, prototype: any): any;
  static values(value: any): any[];
  hasOwnProperty(key: string): boolean;
  isPrototypeOf(value: any): boolean;
  propertyIsEnumerable(key: string): boolean;
  toLocaleString(): string;
  toString(): string;
  valueOf(): any;
}
export declare class Function {}
export declare class Boolean {
  toString(): string;
  valueOf(): boolean;
}
export declare class Symbol {
  description: string;
  static for(key: string): symbol;
  toString(): string;
  valueOf(): symbol;
}
export declare class Number {
  static isFinite(value: any): boolean;
  static isInteger(value: any): boolean;
  static isNaN(value: any): boolean;
  static isSafeInteger(value: any): boolean;
  static parseFloat(text: string): number;
  static parseInt(text: string, radix?: number): number;
  toExponential(digits?: number): string;
  toFixed(digits?: number): string;
  toLocaleString(): string;
  toPrecision(digits?: number): string;
  toString(radix?: number): string;
  valueOf(): number;
}
export declare class BigInt {
  toLocaleString(): string;
  toString(radix?: number): string;
  valueOf(): bigint;
}
export declare class String {
  length: number;
  static fromCharCode(...codes: number[]): string;
  static fromCodePoint(...codes: number[]): string;
  static raw(parts: any, ...values: any[]): string;
  anchor(name: string): string;
  at(position: number): string;
  charAt(position: number): string;
  charCodeAt(position: number): number;
  codePointAt(position: number): number;
  concat(...texts: string[]): string;
  endsWith(part: string, end?: number): boolean;
  includes(part: string, start?: number): boolean;
  indexOf(part: string, start?: number): number;
  isWellFormed(): boolean;
  lastIndexOf(part: string, start?: number): number;
  link(address: string): string;
  localeCompare(other: string): number;
  match(pattern: string | RegExp): RegExpMatchArray | null;
  matchAll(pattern: RegExp): Iterator<any>;
  normalize(form?: string): string;
  padEnd(length: number, by?: string): string;
  padStart(length: number, by?: string): string;
  repeat(count: number): string;
  replace(part: string | RegExp, by: string | ((...found: any[]) => string)): string;
  replaceAll(part: string | RegExp, by: string | ((...found: any[]) => string)): string;
  search(pattern: string | RegExp): number;
  slice(start?: number, end?: number): string;
  split(separator: string | RegExp, limit?: number): string[];
  startsWith(part: string, start?: number): boolean;
  substr(start: number, length?: number): string;
  substring(start: number, end?: number): string;
  toLocaleLowerCase(): string;
  toLocaleUpperCase(): string;
  toLowerCase(): string;
  toString(): string;
  toUpperCase(): string;
  trim(): string;
  trimEnd(): string;
  trimStart(): string;
  valueOf(): string;
}
export interface RegExpMatchArray extends Array<string> {}
export declare class RegExp {
  source: string;
  flags: string;
  lastIndex: number;
  global: boolean;
  exec(text: string): any;
  test(text: string): boolean;
  toString(): string;
}

export declare class Array<T> {
  length: number;
  static from<T>(items: Iterable<T>): T[];
  static isArray(value: any): boolean;
  static of<T>(...items: T[]): T[];
  at(position: number): T;
  concat(...others: T[][]): T[];
  copyWithin(target: number, start?: number, end?: number): T[];
  entries(): Iterator<any>;
  every(test: (item: T, index: number) => boolean): boolean;
  fill(value: T, start?: number, end?: number): T[];
  filter(keep: (item: T, index: number) => boolean): T[];
  find(test: (item: T, index: number) => boolean): T;
  findIndex(test: (item: T, index: number) => boolean): number;
  findLast(test: (item: T, index: number) => boolean): T;
  findLastIndex(test: (item: T, index: number) => boolean): number;
  flat(depth?: number): any[];
  flatMap<R>(make: (item: T, index: number) => R[]): R[];
  forEach(visit: (item: T, index: number) => void): void;
  includes(item: T, start?: number): boolean;
  indexOf(item: T, start?: number): number;
  join(separator?: string): string;
  keys(): Iterator<number>;
  lastIndexOf(item: T, start?: number): number;
  map<R>(make: (item: T, index: number) => R): R[];
  pop(): T;
  push(...items: T[]): number;
  reduce<R>(join: (sum: R, item: T, index: number) => R, first?: R): R;
  reduceRight<R>(join: (sum: R, item: T, index: number) => R, first?: R): R;
  reverse(): T[];
  shift(): T;
  slice(start?: number, end?: number): T[];
  some(test: (item: T, index: number) => boolean): boolean;
  sort(compare?: (left: T, right: T) => number): T[];
  splice(start: number, count?: number, ...items: T[]): T[];
  toLocaleString(): string;
  toReversed(): T[];
  toSorted(compare?: (left: T, right: T) => number): T[];
  toSpliced(start: number, count?: number, ...items: T[]): T[];
  toString(): string;
  unshift(...items: T[]): number;
  values(): Iterator<T>;
  with(position: number, item: T): T[];
}
export interface ReadonlyArray<T> extends Array<T> {}
export declare class Map<K, V> {
  size: number;
  static groupBy<K, T>(items: Iterable<T>, key: (item: T) => K): Map<K, T[]>;
  clear(): void;
  delete(key: K): boolean;
  entries(): Iterator<any>;
  forEach(visit: (value: V, key: K) => void): void;
  get(key: K): V;
  has(key: K): boolean;
  keys(): Iterator<K>;
  set(key: K, value: V): this;
  values(): Iterator<V>;
}
export interface ReadonlyMap<K, V> extends Map<K, V> {}
export declare class WeakMap<K, V> {
  delete(key: K): boolean;
  get(key: K): V;
  has(key: K): boolean;
  set(key: K, value: V): this;
}
export declare class Set<T> {
  size: number;
  add(item: T): this;
  clear(): void;
  delete(item: T): boolean;
  difference(other: Set<T>): Set<T>;
  entries(): Iterator<any>;
  forEach(visit: (item: T) => void): void;
  has(item: T): boolean;
  intersection(other: Set<T>): Set<T>;
  isDisjointFrom(other: Set<T>): boolean;
  isSubsetOf(other: Set<T>): boolean;
  isSupersetOf(other: Set<T>): boolean;
  keys(): Iterator<T>;
  symmetricDifference(other: Set<T>): Set<T>;
  union(other: Set<T>): Set<T>;
  values(): Iterator<T>;
}
export interface ReadonlySet<T> extends Set<T> {}
export declare class WeakSet<T> {
  add(item: T): this;
  delete(item: T): boolean;
  has(item: T): boolean;
}
export declare class WeakRef<T> {
  deref(): T;
}
export declare class FinalizationRegistry<T> {
  register(target: any, value: T, token?: any): void;
  unregister(token: any): boolean;
}
export declare class Promise<T> {
  static all<T>(waiting: Iterable<Promise<T>>): Promise<T[]>;
  static allSettled<T>(waiting: Iterable<Promise<T>>): Promise<any[]>;
  static any<T>(waiting: Iterable<Promise<T>>): Promise<T>;
  static race<T>(waiting: Iterable<Promise<T>>): Promise<T>;
  static reject(reason?: any): Promise<never>;
  static resolve<T>(value?: T): Promise<T>;
  static withResolvers<T>(): any;
  then<R>(done?: (value: T) => R, failed?: (reason: any) => R): Promise<R>;
  catch<R>(failed: (reason: any) => R): Promise<T | R>;
  finally(after: () => void): Promise<T>;
}
export declare class Proxy {}
export declare namespace Reflect {
  export function apply(called: any, receiver: any, given: any[]): any;
  export function construct(made: any, given: any[]): any;
  export function defineProperty(target: any, key: string, property: any): boolean;
  export function deleteProperty(target: any, key: string): boolean;
  export function get(target: any, key: string): any;
  export function has(target: any, key: string): boolean;
  export function ownKeys(target: any): string[];
  export function set(target: any, key: string, value: any): boolean;
}
export declare namespace JSON {
  export function parse(text: string, revive?: (key: string, value: any) => any): any;
  export function stringify(value: any, replace?: (key: string, value: any) => any, space?: number): string;
}
export declare namespace Math {
  export function abs(value: number): number;
  export function ceil(value: number): number;
  export function floor(value: number): number;
  export function log(value: number): number;
  export function max(...values: number[]): number;
  export function min(...values: number[]): number;
  export function pow(base: number, exponent: number): number;
  export function random(): number;
  export function round(value: number): number;
  export function sign(value: number): number;
  export function sqrt(value: number): number;
  export function trunc(value: number): number;
}
export declare namespace Intl {}
export declare namespace Atomics {}
export declare class Date {
  static now(): number;
  static parse(text: string): number;
  static UTC(year: number, month: number): number;
  getDate(): number;
  getDay(): number;
  getFullYear(): number;
  getHours(): number;
  getMilliseconds(): number;
  getMinutes(): number;
  getMonth(): number;
  getSeconds(): number;
  getTime(): number;
  getTimezoneOffset(): number;
  setDate(day: number): number;
  setHours(hours: number): number;
  setTime(time: number): number;
  toDateString(): string;
  toISOString(): string;
  toJSON(): string;
  toLocaleDateString(): string;
  toLocaleString(): string;
  toLocaleTimeString(): string;
  toString(): string;
  toUTCString(): string;
  valueOf(): number;
}
export declare class Error {
  name: string;
  message: string;
  stack: string;
  cause: any;
  static captureStackTrace(target: any): void;
  toString(): string;
}
export declare class TypeError extends Error {}
export declare class RangeError extends Error {}
export declare class SyntaxError extends Error {}
export declare class ReferenceError extends Error {}
export declare class EvalError extends Error {}
export declare class URIError extends Error {}
export declare class AggregateError extends Error {
  errors: any[];
}
export declare class ArrayBuffer {}
export declare class SharedArrayBuffer {}
export declare class DataView {}
export declare class Int8Array {}
export declare class Uint8Array {}
export declare class Uint8ClampedArray {}
export declare class Int16Array {}
export declare class Uint16Array {}
export declare class Int32Array {}
export declare class Uint32Array {}
export declare class Float32Array {}
export declare class Float64Array {}
export declare class BigInt64Array {}
export declare class BigUint64Array {}
