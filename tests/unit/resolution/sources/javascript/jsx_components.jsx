function Button({ onPress }) {
  onPress();
  // ^ calls: jsx_components.press
  return <button onClick={onPress} />;
}
function press() {}
const parts = { Button };
const page = () => <Button onPress={press}>text</Button>;
// ^ calls: jsx_components.Button
const other = () => (
  <div>{[<parts.Button onPress={press} />]}</div>
  // ^ calls: jsx_components.Button
);
