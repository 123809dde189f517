(function setup() {
  // ^ calls: immediately_invoked.setup
  start();
  // ^ calls: immediately_invoked.setup.start
  function start() {}
})();
(() => {})();
// ^ calls: immediately_invoked.<lambda1>
!function () {}();
// ^ calls: immediately_invoked.<lambda2>
