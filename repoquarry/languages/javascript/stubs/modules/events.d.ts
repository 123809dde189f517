// Source of names: https://nodejs.org/api/events.html
export declare class EventEmitter {
  addListener(name: string, listen: (...given: any[]) => void): this;
  emit(name: string, ...given: any[]): boolean;
  eventNames(): string[];
  listenerCount(name: string): number;
  off(name: string, listen: (...given: any[]) => void): this;
  on(name: string, listen: (...given: any[]) => void): this;
  once(name: string, listen: (...given: any[]) => void): this;
  removeAllListeners(name?: string): this;
  removeListener(name: string, listen: (...given: any[]) => void): this;
}
