// Runs all checks with the library of a loader, and prints the result of each: null, or the
// problem.
const { checks } = require('./checks.cjs');

exports.runChecks = async (library) => {
  const found = {};
  for (const [title, check] of checks) {
    found[title] = await check(library).then(
      () => null,
      (error) => error.stack,
    );
  }
  console.log(JSON.stringify(found));
};
