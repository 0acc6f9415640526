import { randomUUID } from 'node:crypto';
import { readdirSync, readFileSync, statSync } from 'node:fs';
import { systemProblem } from '../../runtime/bundle/disk/file-path.js';
import { joinPath } from '../../runtime/bundle/paths.js';
import { parseJson } from '../../runtime/values/json/json.js';
import { RegoSet } from '../../runtime/values/set.js';
import { isArray, type Value } from '../../runtime/values/value.js';
import type { LogFormat, LogLevel } from '../../server/observability/logger.js';
import type { Arguments } from '../args.js';
import type { ExecSession } from '../bundles/exec-session.js';
import { skipVerifyFlag } from '../bundles/signing.js';
import type { Command } from '../command.js';
import { v0Flag, v1Flag } from '../compile-flags.js';
import { exitCodes } from '../exit.js';
import type { FlagValues } from '../flags.js';
import type { Io } from '../io.js';
import { outputErrors } from '../output/failures.js';
import { json, Ordered } from '../output/ordered-json.js';
import type { OutputError } from '../output/output.js';

export const execCommand: Command = {
  name: 'exec',
  use: '<path> [<path> [...]]',
  short: 'Make one decision for each of many input files',
  long: `Makes one decision for each of many input files.

Inputs are JSON or YAML. Of a directory, all files below it are taken.

    $ writ exec --decision authz/allow --bundle bundle.tar.gz inputs/

With an input from standard input:

    $ writ exec --decision authz/allow --bundle bundle.tar.gz --stdin-input

A configuration (--config-file, --set) may name bundles of its own by file:// resources, keys that
verify signatures, the default decision, and decision logs. A signed bundle is refused where no key
verifies it, unless --skip-verify is given. Each failure is a line of the log on standard error.`,
  flags: [
    {
      name: 'bundle',
      short: 'b',
      type: 'string',
      repeated: true,
      usage: 'bundle to load: an archive or a directory',
    },
    { name: 'config-file', short: 'c', type: 'string', usage: 'configuration file, YAML or JSON' },
    { name: 'decision', type: 'string', usage: "path of the decision (default: the configuration's, else system/main)" },
    { name: 'fail', type: 'bool', usage: 'exit with 1 if a result is undefined or an input cannot be read' },
    { name: 'fail-defined', type: 'bool', usage: 'exit with 1 if a result is defined, and on errors' },
    { name: 'fail-non-empty', type: 'bool', usage: 'exit with 1 if a result is not empty, and on errors' },
    { name: 'format', short: 'f', type: ['json'], usage: 'layout of the output', default: 'json' },
    { name: 'log-format', type: ['text', 'json', 'json-pretty'], usage: 'layout of log lines', default: 'json' },
    { name: 'log-level', short: 'l', type: ['debug', 'info', 'error'], usage: 'lowest level that is logged', default: 'error' },
    { name: 'log-timestamp-format', type: 'string', usage: "layout of times in the log, in Go's notation" },
    { name: 'set', type: 'string', repeated: true, usage: 'settings over the configuration file, as key=value with commas between them' },
    {
      name: 'set-file',
      type: 'string',
      repeated: true,
      usage: 'settings whose values are read from files, as key=file with commas between them',
    },
    skipVerifyFlag,
    { name: 'stdin-input', short: 'I', type: 'bool', usage: 'read the input document from standard input instead of files' },
    { name: 'timeout', type: 'duration', usage: 'longest time that all decisions may take, such as 5m30s; 0 is no limit' },
    v0Flag,
    v1Flag,
  ],
  async run(args, io) {
    const problem = missingInput(args);
    if (problem !== undefined) {
      io.stderr(
        `time="${new Date().toISOString().replace(/\.\d+/, '')}" level=error msg="Unexpected error." err=${JSON.stringify(problem)}\n`,
      );
      return exitCodes.failure;
    }
    const { Logger } = await import('../../server/observability/logger.js');
    const log = logOptions(args.flags, io);
    const logger = new Logger({ ...log, level: (args.flags.text('log-level') ?? 'error') as LogLevel });
    try {
      const { openSession } = await import('../bundles/exec-session.js');
      checkFailFlags(args.flags);
      const session = await openSession(args.flags, io, logger, new Logger({ ...log, level: 'info' }));
      const tally = await decideAll(session, args, io);
      await session.close();
      checkTally(args.flags, tally);
      return exitCodes.ok;
    } catch (error) {
      logger.error('Unexpected error.', { err: (error as Error).message });
      return exitCodes.failure;
    }
  },
};

function logOptions(flags: FlagValues, io: Io) {
  const format = (flags.text('log-format') ?? 'json') as LogFormat;
  const timeLayout = flags.text('log-timestamp-format') || io.env.OPA_LOG_TIMESTAMP_FORMAT || '';
  return { format, timeLayout, write: (text: string) => io.stderr(text) };
}

async function decideAll(session: ExecSession, args: Arguments, io: Io): Promise<Tally> {
  const { flags } = args;
  const deadline = flags.number('timeout');
  const signal = deadline ? AbortSignal.timeout(deadline) : undefined;
  const tally: Tally = { failures: 0, errors: 0 };
  const reports: Ordered[] = [];
  for (const input of inputsOf(args, io)) reports.push(await reportOf(input, session, flags, signal, tally));
  io.stdout(json(new Ordered(['result', reports]), io));
  return tally;
}

interface Tally {
  failures: number;
  errors: number;
}

function missingInput({ flags, positionals }: Arguments): string | undefined {
  if (flags.on('stdin-input') || positionals.length > 0) return undefined;
  return 'requires at least 1 path arg, or the --stdin-input flag';
}

/** The flags that may fail the command; they exclude each other. */
const failFlags = ['fail-non-empty', 'fail', 'fail-defined'];

/** Throws an Error if several of these flags are given. */
function checkFailFlags(flags: FlagValues): void {
  const [first, second] = failFlags.filter((name) => flags.on(name));
  if (first !== undefined && second !== undefined) throw new Error(`exec error: specify --${first} or --${second} but not both`);
}

interface Input {
  readonly name: string;
  /** Reads the input; rejects with the reason on failure. */
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
    throw new Error(`exec error: lstat ${given}: ${systemProblem(error)}`);
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
    const { parseYaml } = await import('../../runtime/values/yaml/yaml.js');
    return parseYaml(text);
  }
}

/** One element of the report: the path, and a result or an error. */
async function reportOf(
  { name, input: read }: Input,
  session: ExecSession,
  flags: FlagValues,
  signal: AbortSignal | undefined,
  tally: Tally,
): Promise<Ordered> {
  let input: Value;
  try {
    input = await read();
  } catch (error) {
    if (failFlags.some((flag) => flags.on(flag))) tally.errors++;
    return new Ordered(['error', new Ordered(['message', (error as Error).message])], ['path', name]);
  }
  const id = randomUUID();
  let value: Value | undefined;
  try {
    value = await session.decide(input, id, signal);
  } catch (error) {
    // With --fail, only undefined results count.
    if (flags.on('fail-defined') || flags.on('fail-non-empty')) tally.errors++;
    return new Ordered(['error', failure(outputErrors(error)[0]!)], ['path', name]);
  }
  // Null does not count as a decision.
  if (value === undefined || value === null) {
    if (flags.on('fail')) tally.errors++;
    const error = new Ordered(['code', 'opa_undefined_error'], ['message', `${session.decision} decision was undefined`]);
    return new Ordered(['error', error], ['path', name]);
  }
  if (flags.on('fail-defined') || (flags.on('fail-non-empty') && !isEmpty(value))) tally.failures++;
  return new Ordered(['result', value], ['decision_id', id], ['path', name]);
}

/** Whether a value is an empty array or set; an empty object does not count. */
function isEmpty(value: Value): boolean {
  return isArray(value) ? value.length === 0 : value instanceof RegoSet && value.size === 0;
}

function failure({ message, code, location }: OutputError): Ordered {
  const place = location && new Ordered(['file', location.file], ['row', location.row], ['col', location.col]);
  return new Ordered(['code', code], ['message', message], ['location', place]);
}

/** Throws an Error if the counts fail the command under the given flags. */
function checkTally(flags: FlagValues, { failures, errors }: Tally): void {
  const flag = failFlags.find((name) => flags.on(name));
  if (flag === undefined || failures + errors === 0) return;
  throw new Error(`exec error: there were ${failures} failures and ${errors} errors counted in the results list, and --${flag} is set`);
}
