import { hasRandomCases, testFiles } from './test/projects.js';
import { configOf } from './test/vitest-config.js';

/** The tests with random cases, with all of these: `npm test` takes a tenth. */
export default configOf(
  testFiles().filter((file) => hasRandomCases(file)),
  { WRIT_CASES: 'all' },
);
