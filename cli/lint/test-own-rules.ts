/** `regal test`: runs the tests of rules that users write. */

import type { Module } from '../../compiler/index.js';
import { parseModule, pathKeyText } from '../../compiler/index.js';
import { exitCodes } from '../exit.js';
import type { Io } from '../io.js';
import { errorText } from '../output/error-output.js';
import { openEngine, readOwnRules } from './own-rules.js';

interface TestCase {
  readonly file: string;
  readonly row: number;
  readonly path: readonly string[];
}

/** Runs all tests below some paths: 2 if one fails. */
export async function testOwnRules(args: readonly string[], io: Io): Promise<number> {
  const paths = args.filter((arg) => !arg.startsWith('-'));
  if (paths.length === 0) {
    io.stderr('Error: test takes files or directories\n');
    return exitCodes.failure;
  }
  try {
    const texts = readOwnRules(paths, true);
    const tests = Object.entries(texts).flatMap(([file, text]) => testsOf(file, parseModule(file, text)));
    const engine = await openEngine(texts, {});
    const reports = tests.map((test) => {
      const start = performance.now();
      const { result } = engine.decide(test.path.map(encodeURIComponent).join('/'));
      return { test, passed: result === true, time: performance.now() - start };
    });
    const failures = reports.filter(({ passed }) => !passed);
    for (const { test, time } of failures) io.stdout(failureText(test, time));
    const counted = (name: string, count: number): string => (count === 0 ? '' : `${name}: ${count}/${tests.length}\n`);
    if (failures.length > 0) io.stdout(`${'-'.repeat(80)}\n`);
    io.stdout(counted('PASS', tests.length - failures.length) + counted('FAIL', failures.length));
    return failures.length > 0 ? exitCodes.testsFailed : exitCodes.ok;
  } catch (error) {
    io.stderr(`Error: ${errorText(error, io)}\n`);
    return exitCodes.failure;
  }
}

function testsOf(file: string, { package: { path }, rules }: Module): readonly TestCase[] {
  const start = path.slice(1).map((term) => (term.type === 'string' ? term.value : ''));
  const names = new Set<string>();
  return rules.flatMap(({ head, loc }) => {
    if (!head.name.startsWith('test_') || names.has(head.name)) return [];
    names.add(head.name);
    return [{ file, row: loc.row, path: [...start, head.name] }];
  });
}

function failureText({ file, row, path }: TestCase, time: number): string {
  return `${file}:${row}:\ndata${path.map(pathKeyText).join('')}: FAIL (${time.toFixed(3)}ms)\n`;
}
