class Service {
  call() {}
}
class Controller {
  constructor(private readonly service: Service, public plain = 1) {}
  handle() {
    this.service.call();
    // ^ calls: parameter_properties.Service.call
  }
}
