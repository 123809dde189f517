// Components, as far as their type arguments say what they are given. Source of names: https://react.dev/reference/react
export declare class Component<P, S> {
  props: P;
  state: S;
}
export declare class PureComponent<P, S> {
  props: P;
  state: S;
}
export interface FunctionComponent<P> {
  (props: P): any;
}
export interface FC<P> {
  (props: P): any;
}
export interface VFC<P> {
  (props: P): any;
}
