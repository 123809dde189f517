class Sum {
  add() {
    return this;
  }
}
const sum = [1, 2].reduce((total, n) => total.add(n), new Sum());
// ^ calls: reduce.<lambda1>, reduce.Sum, reduce.Sum.add, globalThis.Array.reduce
sum.add(1);
// ^ calls: reduce.Sum.add
