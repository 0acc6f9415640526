/** conftest's command line: `writ conftest …`, or a link named `conftest`. */
import { buildInfo } from '../../engine/index.js';
import { capabilitiesVersion, quote } from '../../values/index.js';
import { exitCodeOf, tracesText } from '../../views/index.js';
import { ConfigFileError } from '../../views/node.js';
import { type Arguments, parseArguments } from '../args.js';
import { CommandError } from '../exit.js';
import type { Flag } from '../flags.js';
import type { Io } from '../io.js';
import { similarNames } from '../similar-names.js';
import {
  configFileFlag,
  fileFlags,
  policyFlags,
  reportFlags,
  resultFlags,
  testFlags,
  tlsFlag,
  withoutDefault,
} from './check-flags.js';
import { colorsOf, outputText } from './outputs.js';
import { parsedText } from './parse-files.js';
import { type RunOptions, readOptions, runChecks } from './run-checks.js';
import { readVerifySettings, type VerifySettings } from './settings.js';

const outputFlag: Flag = {
  name: 'output',
  short: 'o',
  type: 'string',
  usage: 'form of the results',
  default: 'stdout',
};

const policyFlag: Flag = {
  name: 'policy',
  short: 'p',
  type: 'string',
  usage: 'folder of policies',
  default: 'policy',
};

const documentCommand: ConftestCommand = {
  flags: [
    configFileFlag,
    { name: 'outDir', short: 'o', type: 'string', usage: 'folder of the pages', default: '.' },
    { name: 'template', short: 't', type: 'string', usage: 'file with a template of Go for the pages' },
  ],
  run: async ({ positionals, flags }, _settings, io) => {
    if (positionals.length === 0) throw new CommandError('missing required arguments');
    const { documentPolicies } = await import('./document.js');
    const outFolder = flags.text('outDir') ?? '.';
    return await documentPolicies(positionals, { outFolder, template: flags.text('template') }, io);
  },
};

/** A command of conftest. */
interface ConftestCommand {
  readonly flags: readonly Flag[];
  readonly run: (args: Arguments, settings: VerifySettings, io: Io) => Promise<number>;
}

const shown = { showsSkipped: false, isConftest: true, version: buildInfo.version };

const asConftest: RunOptions = { numbers: 'printed', isConftest: true };

const commands: Readonly<Record<string, ConftestCommand>> = {
  test: { flags: [configFileFlag, outputFlag, ...policyFlags, ...resultFlags, ...fileFlags, ...testFlags], run: test },
  verify: {
    flags: [configFileFlag, outputFlag, ...withoutDefault(policyFlags, 'namespace'), ...resultFlags, ...reportFlags],
    run: async (_args, settings, io) =>
      await (await import('./verify-tests.js')).verifyTests(settings, io, { isConftest: true }),
  },
  parse: {
    flags: [configFileFlag, ...fileFlags, ...policyFlags.filter(({ name }) => name === 'proto-file-dirs')],
    run: parse,
  },
  reformat: { flags: [configFileFlag, outputFlag], run: reformat },
  pull: { flags: [configFileFlag, policyFlag, tlsFlag], run: pull },
  push: {
    flags: [
      configFileFlag,
      policyFlag,
      tlsFlag,
      { name: 'data', short: 'd', type: 'strings', usage: 'files or folders of data to push too' },
    ],
    run: push,
  },
  doc: documentCommand,
  document: documentCommand,
  fmt: {
    flags: [
      configFileFlag,
      { name: 'check', type: 'bool', usage: 'change no file: fail if one is not formatted' },
      ...policyFlags.filter(({ name }) => name === 'rego-version'),
    ],
    run: async ({ positionals }, settings) =>
      await (await import('./conftest-fmt.js')).formatFiles(positionals, settings),
  },
};

/** conftest's commands that writ does not have, with their substitutes. */
const elsewhere: Readonly<Record<string, string>> = {
  plugin: 'there are no plugins; a script may call conftest pull and conftest test',
};

/** The release of conftest that the recorded answers are of. */
const equalRelease = '0.69.0';

/** Runs conftest's command line and answers its exit code. */
export async function runConftest(argv: readonly string[], io: Io): Promise<number> {
  const [name = '', ...rest] = argv;
  if (name === '--version' || name === '-v') {
    const opa = capabilitiesVersion.slice(1);
    io.stdout(`Conftest: ${equalRelease} (writ ${buildInfo.version}, in the place of conftest)\nOPA: ${opa}\n`);
    return 0;
  }
  if (name === '' || name === '--help' || name === '-h' || name === 'help') {
    io.stdout(
      `Checks configuration files, as conftest does: conftest ${Object.keys(commands).join(' | ')}\nwrit verify --help tells more.\n`,
    );
    return 0;
  }
  const command = Object.hasOwn(commands, name) ? commands[name] : undefined;
  try {
    if (command === undefined) throw unknownCommand(name);
    const args = parseArguments('conftest', command.flags, rest, {});
    checkLists(command.flags, args);
    if (args.help) {
      const lines = command.flags.map((flag) => `      --${flag.name.padEnd(22)} ${flag.usage}\n`);
      io.stdout(`Usage:\n  conftest ${name} [flags]\n\nFlags:\n${lines.join('')}`);
      return 0;
    }
    const settings = await readVerifySettings(command.flags, args.flags, io);
    return await command.run(args, settings, io);
  } catch (error) {
    if (!(error instanceof ConfigFileError) && !(error instanceof CommandError)) throw error;
    io.stderr(`Error: ${error.message}\n`);
    return 1;
  }
}

function unknownCommand(name: string): CommandError {
  if (Object.hasOwn(elsewhere, name))
    return new CommandError(`conftest ${name} is not part of writ: ${elsewhere[name]}`);
  const similar = similarNames(name, Object.keys(commands));
  const hint = similar.length === 0 ? '' : `\n\nDid you mean this?\n${similar.map((one) => `\t${one}\n`).join('')}`;
  return new CommandError(`unknown command ${quote(name)} for "conftest"${hint}\nRun 'conftest --help' for usage.`);
}

/** Lists are lines of CSV: a quote stands only at the beginning of a part. */
function checkLists(flags: readonly Flag[], args: Arguments): void {
  for (const { name, short, type } of flags) {
    if (type !== 'strings') continue;
    const wrong = args.flags.all(name).find((part) => part.includes('"') && !part.startsWith('"'));
    if (wrong === undefined) continue;
    const shown = short === undefined ? `--${name}` : `-${short}, --${name}`;
    throw new CommandError(
      `invalid argument ${quote(wrong)} for "${shown}" flag: parse error on line 1, column ${wrong.indexOf('"') + 1}: bare " in non-quoted-field`,
    );
  }
}

async function test({ positionals }: Arguments, settings: VerifySettings, io: Io): Promise<number> {
  if (positionals.length === 0) throw new CommandError('missing required arguments');
  const results = await runChecks(positionals, settings, io, asConftest).catch((error: unknown) => {
    throw error instanceof ConfigFileError ? new ConfigFileError(`running test: ${error.message}`, error.at) : error;
  });
  const exit = exitCodeOf(results, { noFail: settings.on('no-fail'), failOnWarn: settings.on('fail-on-warn') });
  if (settings.on('quiet') && exit === 0) return exit;
  const isColored = !settings.on('no-color');
  if (settings.on('trace')) {
    const traces = tracesText(results, isColored);
    io.stderr(traces);
    if (settings.text('output') === 'stdout') {
      io.stdout(traces);
      return exit;
    }
  }
  io.stdout(outputText(results, settings, { ...shown, colors: colorsOf(settings) }));
  return exit;
}

async function parse({ positionals }: Arguments, settings: VerifySettings, io: Io): Promise<number> {
  if (positionals.length === 0) throw new CommandError('must supply path to at least one file');
  const reading = readOptions(settings, io, { ...asConftest, numbers: 'double' });
  io.stdout(await parsedText(positionals, reading, settings.on('combine')));
  return 0;
}

async function pull({ positionals }: Arguments, settings: VerifySettings): Promise<number> {
  if (positionals.length === 0) throw new CommandError('missing required arguments');
  const { pullPolicies } = await import('./sharing/pull.js');
  const to = settings.list('policy')[0] ?? 'policy';
  await pullPolicies(positionals, to, 'download policies', settings.registries);
  return 0;
}

async function push({ positionals }: Arguments, settings: VerifySettings, io: Io): Promise<number> {
  const [repository, path] = positionals;
  if (repository === undefined) throw new CommandError('missing required arguments');
  const { pushPolicies } = await import('./sharing/push.js');
  const paths = [path ?? settings.list('policy')[0] ?? 'policy', ...settings.list('data')];
  await pushPolicies(repository, paths, {
    ...settings.registries,
    log: (line) => io.stdout(`${goTime(new Date())} ${line}\n`),
  });
  return 0;
}

/** A time as Go's log has it. */
function goTime(date: Date): string {
  const [day = '', time = ''] = date.toISOString().split(/[T.]/);
  return `${day.replaceAll('-', '/')} ${time}`;
}

async function reformat({ positionals: [path] }: Arguments, settings: VerifySettings, io: Io): Promise<number> {
  const { resultsFromJson } = await import('./read-results.js');
  const results = resultsFromJson(path, io);
  // It has no flag for colours.
  io.stdout(outputText(results, settings, { ...shown, colors: true }));
  return 0;
}
