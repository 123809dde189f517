export const View: React.FC<Props> = ({ name }) => {
  const onClick = () => {};
  return <Button onClick={() => onClick()} render={function () { return <b>{name}</b>; }} />;
};
export class Panel extends React.Component<Props> {
  state = {};
  onChange = (event: Event) => {};
  render() { return <View name={this.props.items.map((one) => one)} />; }
}
function Page() { return <Panel />; }
