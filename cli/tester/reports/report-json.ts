/** Results in the reference's JSON format. */
import { encodeBase64, encodeUtf8 } from '../../../values/index.js';
import { benchmarkJson } from '../../benchmark/benchmark.js';
import { outputError } from '../../output/failures.js';
import { orderedJson } from '../../output/ordered-json.js';
import { byName, type SubResult, type TestResult } from '../result.js';

export function testsJson(results: readonly TestResult[], byDuration: boolean): string {
  const shown = byDuration ? results.toSorted((a, b) => b.duration - a.duration) : results;
  return orderedJson(shown.map(resultDocument));
}

/** Fields in the reference's order, ours last; false and empty fields are left out. */
function resultDocument(result: TestResult): Readonly<Record<string, unknown>> {
  const { location, duration, fail, skip, output, error, why = [] } = result;
  return {
    error: error === undefined ? undefined : errorDocument(error),
    location: { file: location.file, row: location.row, col: location.col },
    benchmark_result: result.benchmark && benchmarkJson(result.benchmark),
    sub_results: subResultsDocument(result.subResults),
    package: result.package,
    name: result.name,
    output: output === '' ? undefined : encodeBase64(encodeUtf8(output)),
    duration,
    fail: fail || undefined,
    skip: skip || undefined,
    explanations: why.length === 0 ? undefined : why,
  };
}

function errorDocument(error: Error): unknown {
  const { code, message, location } = outputError(error);
  return code === undefined ? { message } : { code, message, ...(location && { location }) };
}

function subResultsDocument(results: ReadonlyMap<string, SubResult>): unknown {
  if (results.size === 0) return undefined;
  return Object.fromEntries(
    byName(results).map(([name, { fail, subResults }]) => [
      name,
      { sub_results: subResultsDocument(subResults), name, fail: fail || undefined },
    ]),
  );
}
