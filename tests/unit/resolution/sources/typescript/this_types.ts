class Builder {
  set(): this {
    return this;
  }
}
class Special extends Builder {
  extra() {}
}
new Special().set().extra();
// ^ calls: this_types.Special, this_types.Builder.set, this_types.Special.extra
