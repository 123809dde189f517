function first() {}
function second() {}
function third() {}

function overwritten() {
  let step = first;
  step();
  // ^ calls: assigned_locals.first
  step = second;
  step();
  // ^ calls: assigned_locals.second
}

function inLoops(count) {
  let step = first;
  while (count--) {
    step();
    // ^ calls: assigned_locals.first, assigned_locals.second
    step = second;
  }
  do {
    step();
    // ^ calls: assigned_locals.first, assigned_locals.second
  } while (count);
}

function inBranches(condition) {
  var step = first;
  if (condition) {
    step = second;
    step();
    // ^ calls: assigned_locals.second
  }
  step();
  // ^ calls: assigned_locals.first, assigned_locals.second
  condition && (step = first);
  step();
  // ^ calls: assigned_locals.first, assigned_locals.second
}

function byNestedFunctions() {
  let step = first;
  const change = () => {
    step = third;
  };
  step = second;
  change();
  // ^ calls: assigned_locals.byNestedFunctions.change
  step();
  // ^ calls: assigned_locals.second, assigned_locals.third
}

function inTry(run) {
  let step = first;
  step = second;
  try {
    step = third;
  } catch (error) {
    step();
    // ^ calls: assigned_locals.first, assigned_locals.second, assigned_locals.third
  }
}

let shared = first;
shared = second;
shared();
// ^ calls: assigned_locals.second
function use() {
  shared();
  // ^ calls: assigned_locals.first, assigned_locals.second
}
