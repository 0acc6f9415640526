import { readdirSync, readFileSync, rmSync } from 'node:fs';
import { createRequire } from 'node:module';
import { join } from 'node:path';
import { beforeAll, describe, expect, test } from 'vitest';
import { builtins } from '../../values/builtins/registry.js';
import { type Output, own, run, type Tools, withNode } from './project.js';

/** The problem found by each check, by title; null if there is none. */
export type Findings = Readonly<Record<string, string | null>>;

/** The report file of test runners. */
const report = 'report.json';

interface Loader {
  readonly name: string;
  /** Arguments for Node; undefined if a tool is missing. */
  readonly args: readonly string[] | undefined;
  readonly findings: (output: Output, project: string) => Findings;
}

/** Runs all checks of project/checks.cjs, with the library loaded in each way. */
export function testLoaders(project: string, node: string | undefined, tools: Tools): void {
  const titles = [...checksIn(project).keys()];
  describe.each(loadersWith(tools))('$name', ({ args, findings }) => {
    let found: Findings;

    beforeAll(async () => {
      if (node === undefined || args === undefined) return;
      const output = await run(node, args, project, withNode(node));
      try {
        found = findings(output, project);
      } catch {
        throw new Error(`${output.stdout}${output.stderr}`);
      }
    });

    test.skipIf(node === undefined || args === undefined).each(titles)('%s', (title) => {
      if (found[title] !== null) throw new Error(found[title] ?? 'was not run');
    });
  });

  test.skipIf(node === undefined)('an uncaught error shows short lines', async () => {
    const { stderr } = await run(node!, ['-e', "require('writ').parseJson('{')"], project, withNode(node!));
    expect(stderr).toContain('JsonError');
    for (const line of stderr.split('\n')) expect(line.length).toBeLessThan(300);
  });

  test('each built-in has a row', () => {
    const folder = join(project, 'fixtures/builtins');
    const rows = readdirSync(folder).flatMap((file) => JSON.parse(readFileSync(join(folder, file), 'utf8')) as { builtin: string }[]);
    const names = new Set(rows.map(({ builtin }) => builtin));
    expect([...builtins.keys()].filter((name) => !names.has(name))).toEqual([]);
  });
}

export function checksIn(project: string): ReadonlyMap<string, unknown> {
  const { checks } = createRequire(import.meta.url)(join(project, 'checks.cjs')) as { checks: ReadonlyMap<string, unknown> };
  return checks;
}

function loadersWith(tools: Tools): readonly Loader[] {
  const jest = tools.path('jest/bin/jest.js');
  return [
    { name: 'import', args: ['by-import.mjs'], findings: printed },
    { name: 'require', args: ['by-require.cjs'], findings: printed },
    {
      name: 'Jest',
      args:
        jest === undefined
          ? undefined
          : [jest, '--config', 'jest.config.json', '--cacheDirectory', '.jest-cache', '--json', `--outputFile=${report}`],
      findings: reported,
    },
    { name: 'Vitest', args: [own('vitest/vitest.mjs'), 'run', '--reporter=json', `--outputFile=${report}`], findings: reported },
  ];
}

export function printed({ stdout }: Output): Findings {
  return JSON.parse(stdout) as Findings;
}

interface Assertion {
  readonly title: string;
  readonly status: string;
  readonly failureMessages: readonly string[];
}

/** Reads the JSON report that both Jest and Vitest write. */
function reported(_output: Output, project: string): Findings {
  const text = readFileSync(join(project, report), 'utf8');
  rmSync(join(project, report));
  const { testResults } = JSON.parse(text) as { testResults: readonly { assertionResults: readonly Assertion[] }[] };
  const assertions = testResults.flatMap(({ assertionResults }) => assertionResults);
  const problem = ({ status, failureMessages }: Assertion) => (status === 'passed' ? null : `${status}: ${failureMessages.join('\n')}`);
  return Object.fromEntries(assertions.map((assertion) => [assertion.title, problem(assertion)]));
}
