export default function main() {}
export const one = () => {};
function two() {}
export { two };
