module.exports = { go() {} };
