import { compileOrThrow, type Warning } from '../../compiler/index.js';
import { MemoryStore } from '../../runtime/index.js';
import type { Arguments } from '../args.js';
import type { Command } from '../command.js';
import {
  bundleModeFlag,
  capabilitiesFlag,
  compileOptions,
  failOnWarnFlag,
  ignoreFlag,
  languageVersion,
  maxErrorsFlag,
  schemaFlag,
  strictFlag,
  v0Flag,
  v1Flag,
  yamlFlag,
} from '../compile-flags.js';
import { exitCodes, usageError } from '../exit.js';
import { group } from '../flags.js';
import type { Io } from '../io.js';
import { type LoadOptions, loadBundles, loadPolicies, modulesByFile } from '../load-policies.js';
import { errorsJson, errorText } from '../output/error-output.js';
import { outputErrors } from '../output/failures.js';
import { noteNoPolicies } from '../output/no-policies.js';
import type { OutputError } from '../output/output.js';
import { noteUnreadPolicies } from '../sources/unread-policies.js';
import { findSourceWarnings } from '../warnings/find-source-warnings.js';
import { looseDocuments } from '../warnings/loose-documents.js';
import { warningsGithub, warningsJson, warningsText } from '../warnings/warning-output.js';
import { githubCommand } from '../warnings/workflow-command.js';

export const checkCommand: Command = {
  name: 'check',
  use: '<path> [path [...]]',
  long: `Parses and compiles policies, and reports errors and warnings with their places.

It prints nothing if nothing is wrong, and exits with 1 if there are errors; with --strict or --fail-on-warn also if there are warnings. A comment "# writ:ignore CODE" on the line, or on the line above, silences a warning.`,
  examples: [
    ['Check all policies of a folder', 'writ check policies'],
    ['Also report unused variables and imports', 'writ check --strict policies'],
    ['Show errors and warnings at their lines in a pull request', 'writ check -f github --fail-on-warn policies'],
    ['Check refs of the input against a JSON Schema', 'writ check -s schemas policies'],
    ['Print all errors as JSON', 'writ check -m 0 -f json policies'],
  ],
  flags: [
    ...group('Policies', bundleModeFlag, ignoreFlag),
    ...group('Checks', strictFlag, failOnWarnFlag, schemaFlag, capabilitiesFlag, {
      name: 'lint',
      type: 'bool',
      usage: 'also run the linter, with its configuration',
    }),
    ...group(
      'Version of the language',
      v0Flag,
      v1Flag,
      { name: 'v0-v1', type: 'bool', usage: 'require that policies are valid in both versions of Rego' },
      { name: 'rego-v1', type: 'bool', usage: 'the older name of --v0-v1' },
      yamlFlag,
    ),
    ...group(
      'Output',
      {
        name: 'format',
        short: 'f',
        type: ['pretty', 'json'],
        ownWords: ['github'],
        usage: 'form of errors and warnings',
        default: 'pretty',
      },
      maxErrorsFlag,
    ),
  ],
  showsProgress: true,
  async run(args, io) {
    if (args.positionals.length === 0) throw usageError('specify at least one file');
    const { flags } = args;
    try {
      const { policies, warnings } = await check(args, io);
      if (policies === 0) noteNoPolicies(io);
      noteUnreadPolicies(args.positionals, io);
      printWarnings(warnings, flags.text('format'), io);
      const isLinted = flags.on('lint') ? await lintAfter(args, warnings, io) : true;
      const fails = !isLinted || (warnings.length > 0 && (flags.on('strict') || flags.on('fail-on-warn')));
      return fails ? exitCodes.failure : exitCodes.ok;
    } catch (error) {
      printErrors(error, flags.text('format'), io);
      return exitCodes.failure;
    }
  },
};

/** Lints the same policies. Whether no finding is an error. */
async function lintAfter(args: Arguments, warnings: readonly Warning[], io: Io): Promise<boolean> {
  const { lintPaths } = await import('../lint/lint-paths.js');
  const told = new Set(warnings.map(({ code, location }) => `${code} ${location.file}:${location.row}`));
  const all = await lintPaths(args, io);
  const findings = all.findings.filter(
    ({ rule, category, file, row }) => category !== 'writ' || !told.has(`${rule} ${file}:${row}`),
  );
  const report = { ...all, findings };
  const format = args.flags.text('format');
  if (format === 'json') io.stderr((await import('../lint/formats/documents.js')).jsonReport(report));
  else if (format === 'github') io.stdout((await import('../lint/formats/github.js')).githubCommands(report));
  else io.stderr((await import('../lint/formats/summary.js')).findingLines(report));
  return report.findings.every(({ level }) => level !== 'error');
}

function printErrors(error: unknown, format: string | undefined, io: Io): void {
  if (format === 'json') io.stderr(errorsJson(outputErrors(error)));
  else if (format === 'github') io.stdout(outputErrors(error).map(errorCommand).join(''));
  else io.stderr(`${errorText(error, io)}\n`);
}

function errorCommand({ code = 'error', message, location }: OutputError): string {
  return githubCommand('error', location, code, message);
}

function printWarnings(warnings: readonly Warning[], format: string | undefined, io: Io): void {
  if (format === 'github') io.stdout(warningsGithub(warnings));
  else if (warnings.length > 0) io.stderr(format === 'json' ? warningsJson(warnings) : warningsText(warnings, io));
}

interface Checked {
  /** How many there are. */
  readonly policies: number;
  readonly warnings: readonly Warning[];
}

async function check({ flags, positionals: paths }: Arguments, { progress }: Io): Promise<Checked> {
  const options = { ...(await compileOptions(flags)), print: true };
  const load: LoadOptions = {
    version: languageVersion(flags),
    capabilities: options.capabilities,
    ignore: flags.all('ignore'),
    errorLimit: flags.number('max-errors'),
    progress,
  };
  if (!flags.on('bundle')) {
    const { parsed } = await loadPolicies(paths, { ...load, onlyRego: true });
    progress?.stage('checking policies');
    const compiled = compileOrThrow({ modules: modulesByFile(parsed), options });
    const documents = () => looseDocuments(paths, load.ignore);
    return {
      policies: parsed.length,
      warnings: await findSourceWarnings(compiled, { paths, documents, isPart: true }),
    };
  }
  const { parsed, data, bundle } = await loadBundles(paths, load);
  progress?.stage('checking policies');
  const stored = new MemoryStore(data);
  const dataExists = (path: readonly string[]) => stored.occupied(path);
  const compiled = compileOrThrow({ modules: modulesByFile(parsed), options: { ...options, dataExists } });
  const { roots } = bundle.manifest;
  const documents = async () => data;
  return {
    policies: parsed.length,
    warnings: await findSourceWarnings(compiled, { paths, documents, roots, isPart: true }),
  };
}
