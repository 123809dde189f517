function log(target: any) {
  return target;
}
function route(path: string) {
  return function apply(target: any, key: string) {};
}
@log
// ^ calls: decorators.log
class Service {
  @route("/")
  // ^ calls: decorators.route, decorators.route.apply
  index() {}
}
new Service().index();
// ^ calls: decorators.Service, decorators.Service.index
