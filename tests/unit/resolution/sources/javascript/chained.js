class Query {
  where() {
    return this;
  }
  limit() {
    return this;
  }
}
new Query().where().limit().where();
// ^ calls: chained.Query, chained.Query.where, chained.Query.limit
