class Repository<T> {
  find(): T {
    return undefined as any;
  }
  count() {}
}
class User {
  greet() {}
}
class Users extends Repository<User> {
  all() {
    this.count();
    // ^ calls: class_generics_extended.Repository.count
  }
}
new Users().all();
// ^ calls: class_generics_extended.Users, class_generics_extended.Users.all
