import { existsSync } from 'node:fs';
import { buildInfo } from '../../engine/index.js';
import { type CheckResult, exitCodeOf, resultsWithPlaces, tracesText } from '../../views/index.js';
import { type ConfigFile, ConfigFileError, NoFilesError } from '../../views/node.js';
import type { Arguments } from '../args.js';
import type { Command } from '../command.js';
import { CommandError, exitCodes, usageError } from '../exit.js';
import { group } from '../flags.js';
import type { Io } from '../io.js';
import { brokenText } from '../verify/broken-file.js';
import {
  configFileFlag,
  fileFlags,
  policyFlags,
  reportFlags,
  resultFlags,
  testFlags,
  withoutDefault,
} from '../verify/check-flags.js';
import { outputText } from '../verify/outputs.js';
import { type RunOptions, readConfigFiles, runChecks } from '../verify/run-checks.js';
import { readVerifySettings, type VerifySettings } from '../verify/settings.js';

export const verifyCommand: Command = {
  name: 'verify',
  use: '<file or folder> [file or folder [...]]',
  long: `Checks configuration files by policies: the rules deny, violation and warn of package main, as conftest has them, with its flags, its conftest.toml and its exit codes. A failure names the file's line and column, the rule, and what would make it pass.

A folder stands for its files with a known format. - is standard input. A file that cannot be read is reported, and the others are still checked. writ parse-config shows what a policy sees of a file.

With --tests, it runs the tests of the policies instead.`,
  examples: [
    ['Check a folder by the policies of the folder policy', 'writ verify deploy'],
    ['Check a Terraform plan', 'writ verify -p policies plan.json'],
    ['Report to a build server', 'writ verify -o github deploy'],
    ['Run the tests of the policies', 'writ verify --tests'],
    ['Check again at each change', 'writ verify --watch deploy'],
  ],
  flags: [
    ...group(
      'Policies',
      ...policyFlags,
      {
        name: 'schema',
        type: 'string',
        usage: 'JSON schema of the input, or a folder of schemas',
      },
      {
        name: 'gatekeeper',
        type: 'bool',
        usage: 'check objects of Kubernetes by the ConstraintTemplates and constraints of the policies and files',
      },
    ),
    ...group(
      'Files',
      ...fileFlags,
      {
        name: 'exact',
        type: 'bool',
        usage: 'keep all digits of numbers: otherwise they are doubles',
      },
      { name: 'watch', short: 'w', type: 'bool', usage: 'check again when a file or a policy changes' },
    ),
    ...group(
      'Results',
      {
        name: 'output',
        short: 'o',
        type: 'string',
        usage: 'places, or one of conftest: stdout, json, tap, table, junit, github, azuredevops, sarif; gator',
        default: 'places',
      },
      ...resultFlags,
      ...testFlags,
      configFileFlag,
    ),
    ...group(
      'Tests of policies',
      { name: 'tests', type: 'bool', usage: 'run the tests of the policies' },
      ...reportFlags,
    ),
  ],
  async run(args, io) {
    try {
      const settings = await readVerifySettings(verifyCommand.flags, args.flags, io);
      if (settings.on('watch')) return await watchAll(args, settings, io);
      return await runOnce(args, settings, io);
    } catch (error) {
      throw commandError(error);
    }
  },
};

function commandError(error: unknown): unknown {
  if (!(error instanceof ConfigFileError)) return error;
  return new CommandError(error.at === undefined ? `Error: ${error.message}` : brokenText(error).trimEnd());
}

/** Checks now, and again at each change of a file, a policy or data. */
async function watchAll(args: Arguments, settings: VerifySettings, io: Io): Promise<number> {
  if (args.positionals.includes('-')) throw usageError('standard input cannot be watched');
  const check = async (settings: VerifySettings) => {
    try {
      await runOnce(args, settings, io);
    } catch (error) {
      const told = commandError(error);
      if (!(told instanceof CommandError)) throw told;
      io.stderr(`${told.message}\n`);
    }
  };
  const { watchFiles } = await import('../watch.js');
  await check(settings);
  const others = [...settings.list('policy'), ...settings.list('data'), 'data'].filter((path) => existsSync(path));
  // Policies are fetched once: to write them would be the next change.
  await watchFiles([...args.positionals, ...others], () => check(settings.without('update')), {
    waiting: () => io.stdout(`${'*'.repeat(80)}\nWatching for changes ...\n`),
  });
  return exitCodes.ok;
}

async function runOnce(args: Arguments, settings: VerifySettings, io: Io): Promise<number> {
  if (settings.on('gatekeeper')) return await checkByGatekeeper(args, settings, io);
  if (settings.on('tests')) {
    const { verifyTests } = await import('../verify/verify-tests.js');
    // The tests of all packages run, unless some are named.
    const all = await readVerifySettings(withoutDefault(verifyCommand.flags, 'namespace'), args.flags, io);
    return await verifyTests(all, io, { isConftest: false });
  }
  if (args.positionals.length === 0) throw usageError('specify at least one file');
  return await checkAll(args, settings, io);
}

async function checkAll({ positionals }: Arguments, settings: VerifySettings, io: Io): Promise<number> {
  const broken: ConfigFileError[] = [];
  const results = await runChecks(positionals, settings, io, {
    numbers: settings.on('exact') ? 'exact' : 'double',
    isConftest: false,
    finds: true,
    onBroken: (error) => void broken.push(error),
  });
  for (const error of broken) io.stderr(brokenText(error));
  return finish(results, broken.length > 0, settings, io);
}

/** Prints results, and answers the exit code. */
function finish(results: readonly CheckResult[], isBroken: boolean, settings: VerifySettings, io: Io): number {
  const exit = isBroken ? exitCodes.failure : 0;
  const found = exitCodeOf(results, { noFail: settings.on('no-fail'), failOnWarn: settings.on('fail-on-warn') });
  if (settings.on('quiet') && exit === 0 && found === 0) return 0;
  if (settings.on('trace')) io.stderr(tracesText(results, false));
  io.stdout(textOf(results, settings, io));
  return found === 0 ? exit : found;
}

/** The flags that have no meaning for constraints. */
const rulesOnly = [
  'namespace',
  'all-namespaces',
  'combine',
  'data',
  'schema',
  'strict',
  'capabilities',
  'rego-version',
  'trace',
  'report',
  'var-values',
  'show-builtin-errors',
  'suppress-exceptions',
  'update',
];

async function checkByGatekeeper({ flags, positionals }: Arguments, settings: VerifySettings, io: Io): Promise<number> {
  const other = rulesOnly.find((name) => flags.has(name));
  if (other !== undefined) throw usageError(`--${other} does not go with --gatekeeper`);
  if (settings.on('tests')) {
    const { verifySuites } = await import('../verify/gatekeeper-suites.js');
    return await verifySuites(positionals.length > 0 ? positionals : ['.'], settings, io);
  }
  if (positionals.length === 0) throw usageError('specify at least one file');
  const { checkObjects } = await import('../verify/gatekeeper.js');
  const broken: ConfigFileError[] = [];
  const options: RunOptions = {
    numbers: settings.on('exact') ? 'exact' : 'double',
    isConftest: false,
    onBroken: (error) => void broken.push(error),
  };
  const results = await checkObjects(
    await filesOfPolicies(flags.has('policy'), settings, io, options),
    await readConfigFiles(positionals, settings, io, options),
    io,
  );
  for (const error of broken) io.stderr(brokenText(error));
  return finish(results, broken.length > 0, settings, io);
}

/** The files of the policies. A default folder may be missing, or be that of policies in Rego. */
async function filesOfPolicies(
  isNamed: boolean,
  settings: VerifySettings,
  io: Io,
  options: RunOptions,
): Promise<readonly ConfigFile[]> {
  const paths = settings.list('policy').filter((path) => isNamed || existsSync(path));
  if (paths.length === 0) return [];
  try {
    return await readConfigFiles(paths, settings, io, options);
  } catch (error) {
    if (isNamed || !(error instanceof NoFilesError)) throw error;
    return [];
  }
}

function textOf(results: readonly CheckResult[], settings: VerifySettings, io: Io): string {
  if (settings.text('output') === 'places')
    return resultsWithPlaces(results, {
      colors: io.color && !settings.on('no-color'),
      suppressesExceptions: settings.on('suppress-exceptions'),
    });
  const colors = io.color && !settings.on('no-color');
  return outputText(results, settings, { showsSkipped: false, isConftest: false, colors, version: buildInfo.version });
}
