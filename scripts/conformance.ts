/** `npm run -s conformance -- plans DIR…`: runs cases of the documented form and reports by family. Exit code 1 if any failed. */
import { parseCaseFile, readCases } from './conformance/cases.js';
import { parseJsonTerm, runPlanCase } from './conformance/plans.js';
import { type Result, report } from './conformance/report.js';

async function plans(folder: string): Promise<Result[]> {
  const results: Result[] = [];
  for (const found of readCases(folder, parseCaseFile)) results.push({ found, outcome: await runPlanCase(found.case, parseJsonTerm) });
  return results;
}

const [suite, ...folders] = process.argv.slice(2);
if (suite !== 'plans' || folders.length === 0) {
  process.stderr.write('usage: npm run -s conformance -- plans DIR…\n');
  process.exit(2);
}
const results: Result[] = [];
for (const folder of folders) results.push(...(await plans(folder)));
const { passed, failed, skipped, lines } = report(suite, results);
process.stdout.write(`${lines.join('\n')}\n${passed} passed, ${failed} failed, ${skipped} skipped\n`);
process.exitCode = failed > 0 ? 1 : 0;
