import React, { Component, type FC, type ReactNode } from "react";
class Item {
  show() {}
}
interface Props {
  items: Item[];
  render: (item: Item) => ReactNode;
  onPick?: (item: Item, at: number) => void;
}
function List(props: Props) {
  return <ul>{props.items.map((one) => props.render(one))}</ul>;
  // ^ calls: jsx_attributes.List.<lambda1>, jsx_attributes.Props.render, jsx_attributes.<lambda1>, globalThis.Array.map
}
type Picking = { onPick(item: Item): void; label: string };
const Picker: FC<Picking> = ({ onPick }) => null;
class Panel extends Component<Props> {
  render() {
    return this.props.items[0].show();
    // ^ calls: jsx_attributes.Item.show
  }
}
const Whole: React.FC<Picking> = (props) => {
  props.onPick(items[0]);
  // ^ calls: jsx_attributes.<lambda5>, jsx_attributes.Picking.onPick
  return null;
};
const Destructured = ({ choose }: { choose: (item: Item) => void }) => null;
const items: Item[] = [];
const list = <List items={items} render={(item) => item.show()} onPick={function (item) { item.show(); }} />;
// ^ calls: jsx_attributes.List, jsx_attributes.Item.show
const picker = <Picker onPick={(item) => item.show()} label="x" />;
// ^ calls: jsx_attributes.Picker, jsx_attributes.Item.show
const panel = <Panel items={items} render={(item) => item.show()} />;
// ^ calls: jsx_attributes.Panel, jsx_attributes.Item.show, react.Component.constructor
const whole = <Whole onPick={(item) => item.show()} label="x" />;
// ^ calls: jsx_attributes.Whole, jsx_attributes.Item.show
const destructured = <Destructured choose={(item) => item.show()} />;
// ^ calls: jsx_attributes.Destructured, jsx_attributes.Item.show
const button = <button onClick={(event) => event.preventDefault()} />;
// ^ unresolved: unknown receiver
