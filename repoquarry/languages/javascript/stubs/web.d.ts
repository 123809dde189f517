// What browsers have, and servers in part. Source of names: https://developer.mozilla.org/docs/Web/API
export declare var window: any;
export declare var self: any;
export declare var document: any;
export declare var navigator: any;
export declare var location: any;
export declare var history: any;
export declare var performance: any;
export declare var crypto: any;
export declare var localStorage: any;
export declare var sessionStorage: any;
export declare namespace console {
  export function assert(condition: boolean, ...values: any[]): void;
  export function debug(...values: any[]): void;
  export function dir(value: any): void;
  export function error(...values: any[]): void;
  export function group(...values: any[]): void;
  export function groupEnd(): void;
  export function info(...values: any[]): void;
  export function log(...values: any[]): void;
  export function table(value: any): void;
  export function time(label?: string): void;
  export function timeEnd(label?: string): void;
  export function trace(...values: any[]): void;
  export function warn(...values: any[]): void;
}
export declare function setTimeout(run: (...given: any[]) => void, milliseconds?: number, ...given: any[]): any;
export declare function setInterval(run: (...given: any[]) => void, milliseconds?: number, ...given: any[]): any;
export declare function clearTimeout(timer: any): void;
export declare function clearInterval(timer: any): void;
export declare function queueMicrotask(run: () => void): void;
export declare function requestAnimationFrame(run: (time: number) => void): number;
export declare function cancelAnimationFrame(request: number): void;
export declare function structuredClone(value: any): any;
export declare function fetch(address: string, options?: any): Promise<Response>;
export declare function alert(text: string): void;
export declare function confirm(text: string): boolean;
export declare function prompt(text: string, value?: string): string;
export declare function atob(text: string): string;
export declare function btoa(text: string): string;

export declare class EventTarget {
  addEventListener(name: string, listen: (event: Event) => void, options?: any): void;
  dispatchEvent(event: Event): boolean;
  removeEventListener(name: string, listen: (event: Event) => void): void;
}
// Source of members: https://dom.spec.whatwg.org/#interface-event
export declare class Event {
  target: EventTarget;
  currentTarget: EventTarget;
  composedPath(): EventTarget[];
  preventDefault(): void;
  stopImmediatePropagation(): void;
  stopPropagation(): void;
}
export declare class CustomEvent extends Event {}
export declare class Node extends EventTarget {}
export declare class Element extends Node {}
export declare class HTMLElement extends Element {}
export interface NodeListOf<T> {}
export declare class NodeList {}
export declare class DOMParser {}
export declare class AbortSignal extends EventTarget {}
export declare class AbortController {
  signal: AbortSignal;
  abort(reason?: any): void;
}
// Source of members: https://url.spec.whatwg.org, https://encoding.spec.whatwg.org
export declare class URL {
  static canParse(address: string, base?: string): boolean;
  static createObjectURL(source: any): string;
  static parse(address: string, base?: string): URL;
  static revokeObjectURL(address: string): void;
  hash: string;
  host: string;
  hostname: string;
  href: string;
  origin: string;
  password: string;
  pathname: string;
  port: string;
  protocol: string;
  search: string;
  searchParams: URLSearchParams;
  username: string;
  toString(): string;
  toJSON(): string;
}
export declare class URLSearchParams {
  size: number;
  append(name: string, value: string): void;
  delete(name: string, value?: string): void;
  entries(): Iterator<any>;
  forEach(visit: (value: string, name: string) => void): void;
  get(name: string): string;
  getAll(name: string): string[];
  has(name: string, value?: string): boolean;
  keys(): Iterator<string>;
  set(name: string, value: string): void;
  sort(): void;
  toString(): string;
  values(): Iterator<string>;
}
export declare class TextEncoder {
  encoding: string;
  encode(text?: string): Uint8Array;
  encodeInto(text: string, bytes: any): any;
}
export declare class TextDecoder {
  encoding: string;
  fatal: boolean;
  ignoreBOM: boolean;
  decode(bytes?: any): string;
}
// Source of members: https://fetch.spec.whatwg.org, https://xhr.spec.whatwg.org/#interface-formdata, https://w3c.github.io/FileAPI
export declare class Headers {
  append(name: string, value: string): void;
  delete(name: string): void;
  entries(): Iterator<any>;
  forEach(visit: (value: string, name: string) => void): void;
  get(name: string): string;
  getSetCookie(): string[];
  has(name: string): boolean;
  keys(): Iterator<string>;
  set(name: string, value: string): void;
  values(): Iterator<string>;
}
export declare class Request {
  body: ReadableStream;
  bodyUsed: boolean;
  cache: string;
  credentials: string;
  destination: string;
  headers: Headers;
  integrity: string;
  keepalive: boolean;
  method: string;
  mode: string;
  redirect: string;
  referrer: string;
  referrerPolicy: string;
  signal: AbortSignal;
  url: string;
  arrayBuffer(): Promise<ArrayBuffer>;
  blob(): Promise<Blob>;
  bytes(): Promise<Uint8Array>;
  clone(): Request;
  formData(): Promise<FormData>;
  json(): Promise<any>;
  text(): Promise<string>;
}
export declare class Response {
  static error(): Response;
  static json(value: any, options?: any): Response;
  static redirect(address: string, status?: number): Response;
  body: ReadableStream;
  bodyUsed: boolean;
  headers: Headers;
  ok: boolean;
  redirected: boolean;
  status: number;
  statusText: string;
  type: string;
  url: string;
  arrayBuffer(): Promise<ArrayBuffer>;
  blob(): Promise<Blob>;
  bytes(): Promise<Uint8Array>;
  clone(): Response;
  formData(): Promise<FormData>;
  json(): Promise<any>;
  text(): Promise<string>;
}
export declare class FormData {
  append(name: string, value: any, fileName?: string): void;
  delete(name: string): void;
  entries(): Iterator<any>;
  forEach(visit: (value: any, name: string) => void): void;
  get(name: string): any;
  getAll(name: string): any[];
  has(name: string): boolean;
  keys(): Iterator<string>;
  set(name: string, value: any, fileName?: string): void;
  values(): Iterator<any>;
}
export declare class Blob {
  size: number;
  type: string;
  arrayBuffer(): Promise<ArrayBuffer>;
  bytes(): Promise<Uint8Array>;
  slice(start?: number, end?: number, type?: string): Blob;
  stream(): ReadableStream;
  text(): Promise<string>;
}
export declare class File extends Blob {
  lastModified: number;
  name: string;
}
export declare class FileReader extends EventTarget {}
// Source of members: https://streams.spec.whatwg.org
export declare class ReadableStream {
  locked: boolean;
  cancel(reason?: any): Promise<void>;
  getReader(options?: any): any;
  pipeThrough(pair: any, options?: any): ReadableStream;
  pipeTo(target: WritableStream, options?: any): Promise<void>;
  tee(): ReadableStream[];
  values(options?: any): any;
}
export declare class WritableStream {
  locked: boolean;
  abort(reason?: any): Promise<void>;
  close(): Promise<void>;
  getWriter(): any;
}
export declare class TransformStream {
  readable: ReadableStream;
  writable: WritableStream;
}
export declare class WebSocket extends EventTarget {}
export declare class Worker extends EventTarget {}
export declare class XMLHttpRequest extends EventTarget {}
export declare class MutationObserver {}
export declare class IntersectionObserver {}
export declare class ResizeObserver {}
