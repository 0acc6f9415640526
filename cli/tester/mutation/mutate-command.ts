/** `test --mutate`: runs the mutants, and reports them. */
import { join } from 'node:path';
import { buildInfo } from '../../../engine/index.js';
import { makeDirectory } from '../../../engine/node.js';
import type { PlainObject } from '../../../values/index.js';
import { type MutationResult, mutationReport, scoreOf } from '../../../views/index.js';
import { givenCapabilities, loadSchemas } from '../../compile-flags.js';
import { exitCodes, usageError } from '../../exit.js';
import type { FlagValues } from '../../flags.js';
import type { Io } from '../../io.js';
import type { ParsedFile } from '../../load-policies.js';
import { writeFile } from '../../output/write-file.js';
import { PrettyReport } from '../reports/report-pretty.js';
import { FailingTests, type MutationOptions, mutationRun } from './mutation-run.js';
import { percent, resultsPretty } from './report-pretty.js';

/** Flags of other ways to run tests. */
const others = [
  'bench',
  'benchmem',
  'coverage',
  'coverage-runs',
  'file-threshold',
  'watch',
  'count',
  'var-values',
  'explain',
  'why',
  'sort',
  'update',
];

/** Throws a CommandError for flags that do not go together. */
export function checkMutationFlags(flags: FlagValues): void {
  const other = others.find((name) => flags.has(name));
  if (other !== undefined) throw usageError(`--${other} does not go with --mutate`);
  const format = flags.text('format') ?? 'pretty';
  if (!['pretty', 'json', 'html', 'github'].includes(format))
    throw usageError(`-f ${format} does not go with --mutate: use pretty, json, html or github`);
}

export async function mutationOptions(
  flags: FlagValues,
  matches: (fullName: string) => boolean,
): Promise<MutationOptions> {
  const since = flags.text('since');
  return {
    capabilities: await givenCapabilities(flags),
    schemas: loadSchemas(flags.text('schema') ?? ''),
    strict: flags.on('strict'),
    timeMs: flags.number('timeout') || 5_000,
    matches,
    parallel: flags.number('parallel') || undefined,
    isChosen: since === undefined ? undefined : (await import('./since.js')).changedSince(since),
  };
}

/** Rejects with CompileErrors. */
export async function runMutation(
  parsed: readonly ParsedFile[],
  data: PlainObject,
  options: MutationOptions,
  flags: FlagValues,
  io: Io,
): Promise<number> {
  let result: MutationResult;
  // It is missed before the mutants are tried.
  const solver = flags.on('prove') ? new (await import('../../change/solver.js')).Solver(process.cwd(), io) : undefined;
  try {
    result = await mutationRun(parsed, data, options, io);
    if (solver !== undefined) {
      const { proveSurvivors } = await import('./prove-survivors.js');
      result = await proveSurvivors(result, { parsed, data, solver }, options, io);
    }
  } catch (error) {
    if (!(error instanceof FailingTests)) throw error;
    const report = new PrettyReport(
      { verbose: false, failures: false, benchmark: false, goBench: false, color: io.color },
      io.stderr,
    );
    for (const result of error.results) report.add(result);
    report.end();
    io.stderr('tests fail without a mutation: mutants are tried once all tests pass\n');
    return exitCodes.testsFailed;
  } finally {
    solver?.close();
  }
  if (result.tests.length === 0 && flags.on('fail-on-empty')) {
    io.stderr('no tests were run\n');
    return exitCodes.failure;
  }
  await write(result, flags, io);
  const { score } = scoreOf(result.mutants);
  const threshold = flags.number('threshold') ?? 0;
  if (score >= threshold) return exitCodes.ok;
  io.stderr(`Mutation score threshold not met: got ${score.toFixed(2)} instead of ${threshold.toFixed(2)}\n`);
  return exitCodes.testsFailed;
}

async function write(result: MutationResult, flags: FlagValues, io: Io): Promise<void> {
  const output = flags.text('output');
  if (flags.text('format') === 'html' && output !== undefined) {
    const { mutationHtml } = await import('./report-html.js');
    const pages = mutationHtml(result);
    makeDirectory(output);
    for (const [name, text] of pages) writeFile(join(output, name), text);
    io.stdout(`mutation score ${percent(scoreOf(result.mutants).score)}: ${join(output, 'index.html')}\n`);
    return;
  }
  const text = await textOf(result, flags);
  if (output === undefined) io.stdout(text);
  else writeFile(output, text);
}

async function textOf(result: MutationResult, flags: FlagValues): Promise<string> {
  switch (flags.text('format')) {
    case 'json':
      return `${JSON.stringify(mutationReport(result, buildInfo.version), undefined, 2)}\n`;
    case 'github':
      return (await import('./report-github.js')).survivorsGithub(result);
    default:
      return resultsPretty(result, flags.on('verbose'));
  }
}
