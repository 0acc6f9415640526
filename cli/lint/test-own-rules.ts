/** `regal test`: runs the tests of rules that users write. */

import type { Module } from '../../compiler/index.js';
import { documentText, isSkippedTest, locationOf, parseModule, testNames } from '../../compiler/index.js';
import type { LibraryEngine } from '../../library/parts.js';
import type { Command } from '../command.js';
import { exitCodes, usageError } from '../exit.js';
import { group } from '../flags.js';
import { errorText } from '../output/error-output.js';
import { testMatcher } from '../tester/discover.js';
import { PrettyReport } from '../tester/reports/report-pretty.js';
import { passed, type TestResult } from '../tester/result.js';
import { openEngine, readOwnRules } from './own-rules.js';

type Format = 'pretty' | 'json' | 'junit' | 'tap';

/** A test before it runs. */
interface FoundTest {
  readonly at: Pick<TestResult, 'location' | 'package' | 'name'>;
  readonly path: readonly string[];
  readonly skip: boolean;
}

export const regalTestCommand: Command = {
  name: 'test',
  use: '<path> [path [...]]',
  long: 'Runs the tests of rules of your own. It exits with 2 if one fails.',
  examples: [['Run the tests of rules', 'regal test .regal/rules']],
  flags: group(
    'Tests',
    { name: 'run', short: 'r', type: 'string', usage: 'run only tests whose names match this regular expression' },
    { name: 'verbose', short: 'v', type: 'bool', usage: 'show all tests, not only those that fail' },
    { name: 'exit-zero-on-skipped', short: 'z', type: 'bool', usage: 'exit with 0 where tests were only skipped' },
    {
      name: 'format',
      short: 'f',
      type: ['pretty', 'json', 'junit', 'tap'],
      usage: 'form of the report',
      default: 'pretty',
    },
  ),
  async run({ flags, positionals }, io) {
    if (positionals.length === 0) throw usageError('test takes files or directories');
    const format = (flags.text('format') ?? 'pretty') as Format;
    try {
      const results = await runTests(positionals, flags.text('run'));
      io.stdout(await reportText(results, format, flags.on('verbose')));
      const mayBeSkipped = flags.on('exit-zero-on-skipped');
      const failed = results.some((result) => !passed(result) && !(result.skip && mayBeSkipped));
      return failed ? exitCodes.testsFailed : exitCodes.ok;
    } catch (error) {
      io.stderr(`Error: ${errorText(error, io)}\n`);
      return exitCodes.failure;
    }
  },
};

async function runTests(paths: readonly string[], pattern: string | undefined): Promise<readonly TestResult[]> {
  const texts = readOwnRules(paths, true);
  const tests = Object.entries(texts).flatMap(([file, text]) => testsOf(parseModule(file, text)));
  const matches = await testMatcher(pattern ?? '');
  const engine = await openEngine(texts, {});
  return tests.filter(({ at }) => matches(`${at.package}.${at.name}`)).map((found) => resultOf(found, engine));
}

function resultOf({ at, path, skip }: FoundTest, engine: LibraryEngine): TestResult {
  const start = performance.now();
  const isHeld = !skip && engine.decide(path.map(encodeURIComponent).join('/')).result === true;
  const duration = Math.round((performance.now() - start) * 1e6);
  return { ...at, duration: skip ? 0 : duration, fail: !skip && !isHeld, skip, output: '', subResults: new Map() };
}

/** The tests of a module, each name once. */
function testsOf({ package: { path }, rules }: Module): readonly FoundTest[] {
  const start = path.slice(1).map((term) => (term.type === 'string' ? term.value : ''));
  const found = new Set<string>();
  return rules.flatMap((rule) => {
    const names = testNames(rule);
    const name = names?.join('.') ?? '';
    if (names === undefined || found.has(name)) return [];
    found.add(name);
    const at = { location: locationOf(rule.loc), package: documentText(start), name };
    return [{ at, path: [...start, ...names], skip: isSkippedTest(names.at(-1)) }];
  });
}

async function reportText(results: readonly TestResult[], format: Format, verbose: boolean): Promise<string> {
  switch (format) {
    case 'json':
      return (await import('../tester/reports/report-json.js')).testsJson(results, false);
    case 'junit':
      return (await import('../tester/reports/report-junit.js')).testsJunit(results);
    case 'tap':
      return (await import('../tester/reports/report-tap.js')).testsTap(results);
    default: {
      let text = '';
      const options = { verbose, failures: false, benchmark: false, goBench: false, color: false };
      const report = new PrettyReport(options, (part) => {
        text += part;
      });
      for (const result of results) report.add(result);
      report.end();
      return text;
    }
  }
}
