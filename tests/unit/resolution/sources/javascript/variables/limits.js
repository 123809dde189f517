const TIMEOUT = 3;
const names = [];
module.exports = { TIMEOUT, names };
// ^ uses: limits.TIMEOUT, limits.names
