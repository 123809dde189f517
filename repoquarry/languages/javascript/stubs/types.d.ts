// Types that only type checkers know. Source of names: https://www.typescriptlang.org/docs/handbook/utility-types.html
export interface Partial<T> {}
export interface Required<T> {}
export interface Readonly<T> {}
export interface Record<K, T> {}
export interface Pick<T, K> {}
export interface Omit<T, K> {}
export interface Exclude<T, U> {}
export interface Extract<T, U> {}
export interface NonNullable<T> {}
export interface ReturnType<T> {}
export interface InstanceType<T> {}
export interface Parameters<T> {}
export interface ConstructorParameters<T> {}
export interface Awaited<T> {}
export interface ThisType<T> {}
export interface NoInfer<T> {}
