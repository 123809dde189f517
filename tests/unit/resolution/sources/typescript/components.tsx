import type { FC } from "react";
type Props = { onClose(): void };
const Dialog: FC<Props> = ({ onClose }: Props) => {
  onClose();
  // ^ calls: components.Props.onClose, components.close
  return null;
};
function close() {}
export const page = () => <Dialog onClose={close} />;
// ^ calls: components.Dialog
function generic<T,>(value: T) {
  return value;
}
