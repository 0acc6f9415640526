/**
 * `npm run -s conformance -- plans|module|rego|generated|evaluator DIR…` or
 * `rest|library|cli|envoy|lint|verify FILE…`: runs cases in the documented format and reports by
 * family. The exit code is 1 if any failed.
 */
import { runSuite, type Suite, suiteNames } from './suites.js';

const [suite, ...folders] = process.argv.slice(2);
if (!suiteNames.includes(suite as Suite) || folders.length === 0) {
  process.stderr.write(`usage: npm run -s conformance -- ${suiteNames.join('|')} DIR…\n`);
  process.exit(2);
}
const { passed, failed, skipped, lines } = await runSuite(suite as Suite, folders);
process.stdout.write(`${lines.join('\n')}\n${passed} passed, ${failed} failed, ${skipped} skipped\n`);
process.exitCode = failed > 0 ? 1 : 0;
