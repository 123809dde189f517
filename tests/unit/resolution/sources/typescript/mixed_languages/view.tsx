export function View() {
  return <div />;
}
