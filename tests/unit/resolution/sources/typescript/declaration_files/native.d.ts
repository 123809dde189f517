export declare class Tree {
  walk(): void;
}
export declare function parse(text: string): Tree;
