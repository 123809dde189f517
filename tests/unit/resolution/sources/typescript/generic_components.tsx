import React, { Component, type ReactNode } from "react";
class Item {
  show() {}
}
class Other {
  show() {}
}
interface TableProps<T> {
  rows: T[];
  render: (row: T) => ReactNode;
}
declare function outside(): any;
function Table<T>(props: TableProps<T>) {
  return <ul>{outside()}</ul>;
  // ^ calls: generic_components.outside
}
function List<T>({ rows, render }: { rows: T[]; render: (row: T) => ReactNode }) {
  return null;
}
const Select = <T,>(props: { value: T; onPick(value: T): void }) => null;
class Grid<T> extends Component<TableProps<T>> {}
const items: Item[] = [];
const others: Other[] = [];
const table = <Table<Item> rows={outside()} render={(row) => row.show()} />;
// ^ calls: generic_components.Table, generic_components.Item.show, generic_components.outside
const list = <List<Other> rows={outside()} render={(row) => row.show()}>text</List>;
// ^ calls: generic_components.List, generic_components.Other.show, generic_components.outside
const select = <Select<Item> value={outside()} onPick={(value) => value.show()} />;
// ^ calls: generic_components.Select, generic_components.Item.show, generic_components.outside
const grid = <Grid<Other> rows={outside()} render={(row) => row.show()} />;
// ^ calls: generic_components.Grid, generic_components.Other.show, react.Component.constructor, generic_components.outside
const inferred = <Table rows={others} render={(row) => row.show()} />;
// ^ calls: generic_components.Table, generic_components.Other.show
const ofShape = <List rows={items} render={(row) => row.show()} />;
// ^ calls: generic_components.List, generic_components.Item.show
const ofValue = <Select value={new Other()} onPick={(value) => value.show()} />;
// ^ calls: generic_components.Select, generic_components.Other, generic_components.Other.show
