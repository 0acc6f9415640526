import { appendFileSync, existsSync, writeFileSync } from 'node:fs';
import { CompileErrors } from '../../compiler/index.js';
import { systemProblem } from '../../values/node.js';
import type { LintReport } from '../../views/index.js';
import type { Arguments } from '../args.js';
import type { Command } from '../command.js';
import { schemaFlag } from '../compile-flags.js';
import { CommandError, exitCodes, usageError } from '../exit.js';
import { type FlagValues, group } from '../flags.js';
import type { Io } from '../io.js';
import { ruleFlags } from '../lint/lint-flags.js';
import { errorText } from '../output/error-output.js';

const formats = ['pretty', 'compact', 'json', 'github', 'sarif', 'junit', 'festive'] as const;
type Format = (typeof formats)[number];

/** The exit codes of findings. */
const found = { error: 3, warning: 2 } as const;

export const lintCommand: Command = {
  name: 'lint',
  use: '<path> [path [...]]',
  long: `Looks for mistakes and bad style in policies.

It reads all policies at the paths; - is standard input. The configuration is .regal/config.yaml or .regal.yaml in the directory of the first path, or above it. A comment "# regal ignore:rule" switches a rule off for its line and the next one.

It exits with 3 if there are errors, and with 2 if there are warnings and --fail-level is warning.`,
  examples: [
    ['Lint all policies of a folder', 'writ lint policies'],
    ['Run one rule only', 'writ lint -D -e opa-fmt policies'],
    ['Show findings in a pull request on GitHub', 'writ lint --format github policies'],
    ['Look at the input by its JSON Schema', 'writ lint -s schemas policies'],
    ['Write a report for code scanning', 'writ lint --format sarif -o lint.sarif policies'],
  ],
  flags: [
    ...ruleFlags,
    ...group('Checks', schemaFlag),
    ...group(
      'Output',
      { name: 'format', short: 'f', type: formats, usage: 'form of the report', default: 'pretty' },
      { name: 'output-file', short: 'o', type: 'string', usage: 'write the report to this file' },
      {
        name: 'fail-level',
        short: 'l',
        type: 'string',
        usage: 'the least level that fails: error or warning',
        default: 'error',
      },
      { name: 'no-color', type: 'bool', usage: 'write no colours, but the levels' },
      { name: 'no-cache', type: 'bool', usage: 'lint files again that have not changed' },
      { name: 'fix', type: 'bool', usage: 'fix first what can be fixed, and report what is left' },
      { name: 'timeout', type: 'duration', usage: 'give up after this time' },
    ),
    ...group(
      'Flags without effect',
      {
        name: 'enable-print',
        type: 'bool',
        usage: 'for scripts that give it',
        ignored: 'print calls of rules are not shown',
      },
      { name: 'profile', type: 'bool', usage: 'for scripts that give it', ignored: 'rules are not measured' },
      { name: 'metrics', type: 'bool', usage: 'for scripts that give it', ignored: 'rules are not measured' },
      { name: 'instrument', type: 'bool', usage: 'for scripts that give it', ignored: 'rules are not measured' },
      { name: 'pprof', type: 'string', usage: 'for scripts that give it', ignored: 'no profile is written' },
    ),
  ],
  showsProgress: true,
  run: (args, io) => runLint(args, io, false),
};

/** The linter as Regal has it: without the rules of the compiler, unless they are named. */
export const regalLintCommand: Command = { ...lintCommand, run: (args, io) => runLint(args, io, true) };

async function runLint(args: Arguments, io: Io, isRegal: boolean): Promise<number> {
  if (args.positionals.length === 0) throw usageError('at least one file or directory must be provided for linting');
  const { flags } = args;
  const format = (flags.text('format') ?? 'pretty') as Format;
  let report: LintReport;
  try {
    if (flags.on('fix')) await fixFirst(args, io);
    const { lintPaths } = await import('../lint/lint-paths.js');
    report = await lintPaths(args, io, isRegal);
  } catch (error) {
    if (!(error instanceof CompileErrors)) throw error;
    return failed(error, format, flags, io);
  }
  await write(await textOf(report, format, !flags.on('no-color') && !io.env.NO_COLOR), flags, io);
  if (format === 'github') await writeSummary(report, io);
  return exitOf(report, flags.text('fail-level') ?? 'error');
}

async function fixFirst(args: Arguments, io: Io): Promise<void> {
  const { fixPaths } = await import('./fix.js');
  if ((await fixPaths(args, { ...io, stdout: io.stderr })) !== exitCodes.ok)
    throw new CommandError('nothing was fixed: files would move onto others');
}

async function textOf(report: LintReport, format: Format, hasColor: boolean): Promise<string> {
  switch (format) {
    case 'json':
      return (await import('../lint/formats/documents.js')).jsonReport(report);
    case 'sarif':
      return (await import('../lint/formats/documents.js')).sarifReport(report);
    case 'junit':
      return (await import('../lint/formats/junit.js')).junitReport(report);
    case 'compact':
      return (await import('../lint/formats/pretty.js')).compactReport(report);
    default: {
      const { prettyReport } = await import('../lint/formats/pretty.js');
      const { githubCommands } = await import('../lint/formats/github.js');
      return prettyReport(report, hasColor) + (format === 'github' ? githubCommands(report) : '');
    }
  }
}

async function write(text: string, flags: FlagValues, io: Io): Promise<void> {
  const path = flags.text('output-file');
  if (path === undefined) return io.stdout(text);
  try {
    writeFileSync(path, text);
  } catch (error) {
    throw new CommandError(`open ${path}: ${systemProblem(error)}`);
  }
}

/** The summary of the step, if the workflow has a file for it. */
async function writeSummary(report: LintReport, io: Io): Promise<void> {
  const path = io.env.GITHUB_STEP_SUMMARY;
  if (path === undefined || path === '') return;
  if (!existsSync(path)) throw new CommandError(`open ${path}: no such file or directory`);
  const { stepSummary } = await import('../lint/formats/github.js');
  appendFileSync(path, stepSummary(report));
}

function exitOf({ findings }: LintReport, failLevel: string): number {
  const has = (level: string): boolean => findings.some((finding) => finding.level === level);
  if (failLevel !== 'error' && failLevel !== 'warning') return exitCodes.ok;
  if (has('error')) return found.error;
  return failLevel === 'warning' && has('warning') ? found.warning : exitCodes.ok;
}

/** Reports a text that is no policy. */
async function failed(error: CompileErrors, format: Format, flags: FlagValues, io: Io): Promise<number> {
  const { errorsJson } = await import('../output/error-output.js');
  const { outputErrors } = await import('../output/failures.js');
  if (format === 'json' || format === 'sarif') await write(errorsJson(outputErrors(error)), flags, io);
  else if (format === 'junit') await write(await junitErrors(error), flags, io);
  io.stderr(`error(s) encountered while linting: ${errorText(error, io)}\n`);
  return exitCodes.failure;
}

async function junitErrors({ diagnostics }: CompileErrors): Promise<string> {
  const { escapedXml } = await import('../output/xml.js');
  const cases = diagnostics.map(({ code, message, location }) => {
    const place = location === undefined ? '' : `${location.file}:${location.row}`;
    return `\t\t<testcase name="${escapedXml(place)}" classname="${escapedXml(code)}">\n\t\t\t<error message="${escapedXml(message)}" type="${escapedXml(code)}"></error>\n\t\t</testcase>\n`;
  });
  const count = diagnostics.length;
  return `<testsuites name="regal" tests="${count}" errors="${count}">\n\t<testsuite name="errors" tests="${count}" failures="0" errors="${count}" id="0" time="">\n${cases.join('')}\t</testsuite>\n</testsuites>\n`;
}
