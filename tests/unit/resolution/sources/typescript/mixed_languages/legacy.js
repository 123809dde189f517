module.exports = function legacy() {};
