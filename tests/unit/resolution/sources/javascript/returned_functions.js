function f() {}
const pick = (flag) => (flag ? f : () => {});
pick(true)();
// ^ calls: returned_functions.pick, returned_functions.f, returned_functions.pick.<lambda1>
