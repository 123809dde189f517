function begin() {}
function start() {}
module.exports = { renamed: begin, start };
