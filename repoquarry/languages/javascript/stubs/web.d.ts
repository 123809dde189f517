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
export declare class URL {
  toString(): string;
  toJSON(): string;
}
export declare class URLSearchParams {
  toString(): string;
}
export declare class TextEncoder {}
export declare class TextDecoder {
  decode(bytes?: any): string;
}
export declare class Headers {}
export declare class Request {}
export declare class Response {}
export declare class FormData {}
export declare class Blob {}
export declare class File extends Blob {}
export declare class FileReader extends EventTarget {}
export declare class ReadableStream {}
export declare class WritableStream {}
export declare class TransformStream {}
export declare class WebSocket extends EventTarget {}
export declare class Worker extends EventTarget {}
export declare class XMLHttpRequest extends EventTarget {}
export declare class MutationObserver {}
export declare class IntersectionObserver {}
export declare class ResizeObserver {}
