const { runChecks } = require('./run.cjs');

runChecks({ writ: require('writ'), compiler: require('writ/compiler') });
