function Old() {}
Old.prototype.run = function () {};
class New extends Old {}
new New().run();
// ^ calls: class_from_function.New, class_from_function.Old.run
