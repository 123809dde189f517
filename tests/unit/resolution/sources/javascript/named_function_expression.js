const outer = function inner(n) {
  return inner(n - 1);
  // ^ calls: named_function_expression.outer
};
outer(3);
// ^ calls: named_function_expression.outer
