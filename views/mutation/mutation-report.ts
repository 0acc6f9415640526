/** Results in the form of mutation-testing-report-schema, version 2. */
import type { Location, Source, Span } from '../../compiler/index.js';
import { mutationOperators } from './mutant.js';
import type { MutantResult, MutationResult, TestName } from './result.js';

/** Above `high` a score is good, below `low` it is bad: colours of readers. */
const thresholds = { high: 80, low: 60 };

/** The report as a JSON document; `release` is that of writ. */
export function mutationReport({ tests, sources, mutants }: MutationResult, release: string): object {
  const byFile = Map.groupBy(mutants.entries(), ([, { mutant }]) => mutant.span.file);
  const files = [...byFile].map(([file, found]) => [
    file,
    {
      language: 'rego',
      source: sources.get(file)?.text ?? '',
      mutants: found.map(([number, result]) => mutantDocument(number, result)),
    },
  ]);
  const byTestFile = Map.groupBy(tests.entries(), ([, { location }]) => location.file);
  const testFiles = [...byTestFile].map(([file, found]) => [
    file,
    {
      source: sources.get(file)?.text ?? '',
      tests: found.map(([number, test]) => testDocument(number, test, sources)),
    },
  ]);
  return {
    schemaVersion: '2',
    thresholds,
    framework: { name: 'writ', version: release },
    files: Object.fromEntries(files),
    testFiles: Object.fromEntries(testFiles),
  };
}

function mutantDocument(number: number, result: MutantResult): object {
  const { mutant, status, reason, coveredBy, killedBy, ran, nearest } = result;
  const near = nearest === undefined ? undefined : `test ${nearest.test} came nearest`;
  const statusReason = reason ?? near;
  return {
    id: String(number),
    mutatorName: mutant.operator,
    description: mutationOperators[mutant.operator],
    replacement: mutant.replacement,
    location: locationDocument(mutant.span),
    status,
    ...(statusReason !== undefined && { statusReason }),
    coveredBy: coveredBy.map(String),
    ...(killedBy !== undefined && { killedBy: [String(killedBy)] }),
    testsCompleted: ran,
    static: false,
  };
}

function locationDocument({ source, start, end }: Span): object {
  const [from, to] = [source.position(start), source.position(end)];
  return { start: { line: from.row, column: from.col }, end: { line: to.row, column: to.col } };
}

function testDocument(number: number, { name, location }: TestName, sources: ReadonlyMap<string, Source>): object {
  const start = startOf(location);
  return { id: String(number), name, ...(sources.has(location.file) && { location: { start } }) };
}

function startOf({ row, col }: Location): object {
  return { line: row, column: col };
}
