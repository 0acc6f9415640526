import { randomUUID } from 'node:crypto';
import { readdirSync, readFileSync, statSync } from 'node:fs';
import { systemProblem } from '../../runtime/bundle/disk.js';
import { joinPath } from '../../runtime/bundle/paths.js';
import { parseJson } from '../../runtime/values/json.js';
import { isArray, type Value } from '../../runtime/values/value.js';
import type { Arguments } from '../args.js';
import type { Command } from '../command.js';
import { v0Flag, v1Flag } from '../compile-flags.js';
import { type Decider, decider } from '../decider.js';
import { CommandError, exitCodes } from '../exit.js';
import { outputErrors } from '../failures.js';
import type { FlagValues } from '../flags.js';
import type { Io } from '../io.js';
import { json, Ordered, type OutputError } from '../output.js';

const noConfig = 'decisions are made from --bundle alone; what a configuration sets up is for a server';
const noLog = 'there is no log: errors are in the report';

export const execCommand: Command = {
  name: 'exec',
  use: '<path> [<path> [...]]',
  short: 'Execute against input files',
  long: `Execute against input files.

The 'exec' command makes a decision for each of one or more input files, JSON or YAML. If the paths
refer to directories, the files in those directories are taken, recursively.

    $ writ exec --decision authz/allow --bundle bundle.tar.gz inputs/

Loading input from stdin:

    $ writ exec --decision authz/allow --bundle bundle.tar.gz --stdin-input`,
  flags: [
    {
      name: 'bundle',
      short: 'b',
      type: 'string',
      repeated: true,
      usage: 'set bundle file(s) or directory path(s). This flag can be repeated.',
    },
    { name: 'config-file', short: 'c', type: 'string', usage: 'set path of configuration file', refused: noConfig },
    { name: 'decision', type: 'string', usage: 'set decision to evaluate (default system/main)' },
    { name: 'fail', type: 'bool', usage: 'exits with non-zero exit code on undefined result and errors' },
    { name: 'fail-defined', type: 'bool', usage: 'exits with non-zero exit code on defined result and errors' },
    { name: 'fail-non-empty', type: 'bool', usage: 'exits with non-zero exit code on non-empty result and errors' },
    { name: 'format', short: 'f', type: ['json'], usage: 'set output format', default: 'json' },
    { name: 'log-format', type: ['text', 'json', 'json-pretty'], usage: 'set log format', default: 'json', ignored: noLog },
    { name: 'log-level', short: 'l', type: ['debug', 'info', 'error'], usage: 'set log level', default: 'error', ignored: noLog },
    { name: 'log-timestamp-format', type: 'string', usage: 'set log timestamp format', ignored: noLog },
    { name: 'set', type: 'string', repeated: true, usage: 'override config values on the command line', refused: noConfig },
    { name: 'set-file', type: 'string', repeated: true, usage: 'override config values with files on the command line', refused: noConfig },
    { name: 'stdin-input', short: 'I', type: 'bool', usage: 'read input document from stdin rather than a static file' },
    { name: 'timeout', type: 'duration', usage: "set exec timeout with a Go-style duration, such as '5m 30s'. (default unlimited)" },
    v0Flag,
    v1Flag,
  ],
  async run(args, io) {
    validate(args);
    const deadline = args.flags.number('timeout');
    const signal = deadline ? AbortSignal.timeout(deadline) : undefined;
    let decide: Decider;
    try {
      decide = await decider(args.flags, io);
    } catch (error) {
      throw new CommandError(`runtime error: ${(error as Error).message}`);
    }
    const tally: Tally = { failures: 0, errors: 0 };
    const decision = args.flags.text('decision') || '/system/main';
    const path = decision.replace(/^\/+|\/+$/g, '');
    const reports: Ordered[] = [];
    for (const { name, input } of inputsOf(args, io)) {
      reports.push(await reportOf(name, input, (value) => decide(path, value, { signal }), args.flags, decision, tally));
    }
    io.stdout(json(new Ordered(['result', reports]), io));
    return verdict(args.flags, tally);
  },
};

interface Tally {
  failures: number;
  errors: number;
}

function validate({ flags, positionals }: Arguments): void {
  if (!flags.on('stdin-input') && positionals.length === 0)
    throw new CommandError('requires at least 1 path arg, or the --stdin-input flag');
  const [first, second] = ['fail-non-empty', 'fail', 'fail-defined'].filter((name) => flags.on(name));
  if (first !== undefined && second !== undefined) throw new CommandError(`exec error: specify --${first} or --${second} but not both`);
}

interface Input {
  readonly name: string;
  /** Reads it; rejects with what is wrong. */
  readonly input: () => Promise<Value>;
}

function* inputsOf({ flags, positionals }: Arguments, io: Io): IterableIterator<Input> {
  if (flags.on('stdin-input')) yield { name: '--stdin-input', input: () => parse(new TextDecoder().decode(io.stdin()), true) };
  for (const path of positionals) {
    for (const name of filesAt(path)) {
      if (/\.(?:json|yaml|yml)$/.test(name)) yield { name, input: () => parse(readFileSync(name, 'utf8'), !name.endsWith('.json')) };
    }
  }
}

function* filesAt(given: string): IterableIterator<string> {
  let isDirectory: boolean;
  try {
    isDirectory = statSync(given).isDirectory();
  } catch (error) {
    throw new CommandError(`exec error: lstat ${given}: ${systemProblem(error)}`);
  }
  if (!isDirectory) {
    yield given;
    return;
  }
  for (const name of readdirSync(given).sort()) yield* filesAt(joinPath(given, name));
}

async function parse(text: string, orYaml: boolean): Promise<Value> {
  try {
    return parseJson(text);
  } catch (error) {
    if (!orYaml) throw error;
    const { parseYaml } = await import('../../runtime/values/yaml.js');
    return parseYaml(text);
  }
}

/** One element of the report: the path, and a result or an error. */
async function reportOf(
  name: string,
  input: () => Promise<Value>,
  decide: (input: Value) => Promise<Value | undefined>,
  flags: FlagValues,
  decision: string,
  tally: Tally,
): Promise<Ordered> {
  let value: Value | undefined;
  try {
    value = await decide(await input());
  } catch (error) {
    if (flags.on('fail-defined') || flags.on('fail-non-empty') || flags.on('fail')) tally.errors++;
    return new Ordered(['error', failure(outputErrors(error)[0]!)], ['path', name]);
  }
  if (value === undefined) {
    if (flags.on('fail')) tally.errors++;
    const error = new Ordered(['code', 'opa_undefined_error'], ['message', `${decision} decision was undefined`]);
    return new Ordered(['error', error], ['path', name]);
  }
  if (flags.on('fail-defined') || (flags.on('fail-non-empty') && !(isArray(value) && value.length === 0))) tally.failures++;
  return new Ordered(['result', value], ['decision_id', randomUUID()], ['path', name]);
}

function failure({ message, code, location }: OutputError): Ordered {
  const place = location && new Ordered(['file', location.file], ['row', location.row], ['col', location.col]);
  return new Ordered(['code', code], ['message', message], ['location', place]);
}

function verdict(flags: FlagValues, { failures, errors }: Tally): number {
  const flag = ['fail', 'fail-defined', 'fail-non-empty'].find((name) => flags.on(name));
  if (flag === undefined || failures + errors === 0) return exitCodes.ok;
  throw new CommandError(
    `exec error: there were ${failures} failures and ${errors} errors counted in the results list, and --${flag} is set`,
  );
}
