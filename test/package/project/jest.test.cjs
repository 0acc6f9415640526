// Jest's defaults: CommonJS, no transforms.
const { checks } = require('./checks.cjs');

const library = { writ: require('writ'), compiler: require('writ/compiler') };

for (const [title, check] of checks) test(title, () => check(library));
