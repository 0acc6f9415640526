/** The report of `exec`, and the counts that may fail the command. */
import { randomFillSync } from 'node:crypto';
import { closeSync, openSync, readdirSync, readFileSync, readSync, statSync } from 'node:fs';
import { joinPath } from '../../engine/index.js';
import { fileErrorText } from '../../engine/node.js';
import {
  isArray,
  lenientTextOfFile,
  parseJson,
  parseJsonOrYaml,
  RegoSet,
  randomUuid,
  timerMs,
  type Value,
} from '../../values/index.js';
import { systemProblem } from '../../values/node.js';
import type { Arguments } from '../args.js';
import type { FlagValues } from '../flags.js';
import type { Io } from '../io.js';
import { outputError } from '../output/failures.js';
import { jsonOutput, Ordered } from '../output/ordered-json.js';
import type { OutputError } from '../output/output.js';
import type { ExecSession } from './session.js';

/** Counts of results that may fail the command. */
interface Tally {
  failures: number;
  errors: number;
}

/** The flags that may fail the command; they exclude each other. */
const failFlags = ['fail-non-empty', 'fail', 'fail-defined'];

/** Throws an Error if several of these flags are given. */
export function checkFailFlags(flags: FlagValues): void {
  const [first, second] = failFlags.filter((name) => flags.on(name));
  if (first !== undefined && second !== undefined)
    throw new Error(`exec error: specify --${first} or --${second} but not both`);
}

/** Decides for all inputs, and prints the report. */
export async function decideAll(session: ExecSession, args: Arguments, io: Io): Promise<Tally> {
  const { flags } = args;
  const deadline = flags.number('timeout');
  const signal = deadline ? AbortSignal.timeout(timerMs(deadline)) : undefined;
  const tally: Tally = { failures: 0, errors: 0 };
  const reports: Ordered[] = [];
  for (const input of execInputs(args, io)) reports.push(await reportOf(input, session, flags, signal, tally));
  io.stdout(jsonOutput(new Ordered(['result', reports]), io));
  const hint = io.isTerminal?.('stderr') ? hintFor(reports.length, session, flags) : undefined;
  if (hint !== undefined) io.stderr(`hint: ${hint}\n`);
  return tally;
}

function hintFor(inputs: number, session: ExecSession, flags: FlagValues): string | undefined {
  if (inputs === 0) return 'there are no inputs: no file here ends in .json, .yaml or .yml';
  const missing = session.missing();
  if (missing === undefined || missing.includes('did you mean') || flags.text('decision')) return missing;
  return `${missing}: --decision authz/allow names another decision`;
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
    return new Ordered(['error', new Ordered(['message', fileErrorText(error)])], ['path', name]);
  }
  const id = decisionId();
  let value: Value | undefined;
  try {
    value = await session.decide(input, id, signal);
  } catch (error) {
    // With --fail, only undefined results count.
    if (flags.on('fail-defined') || flags.on('fail-non-empty')) tally.errors++;
    return new Ordered(['error', failure(outputError(error))], ['path', name]);
  }
  // Null does not count as a decision.
  if (value === undefined || value === null) {
    if (flags.on('fail')) tally.errors++;
    const error = new Ordered(
      ['code', 'opa_undefined_error'],
      ['message', `${session.decision} decision was undefined`],
    );
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
export function checkTally(flags: FlagValues, { failures, errors }: Tally): void {
  const flag = failFlags.find((name) => flags.on(name));
  if (flag === undefined || failures + errors === 0) return;
  throw new Error(
    `exec error: there were ${failures} failures and ${errors} errors counted in the results list, and --${flag} is set`,
  );
}

/** Ids of decisions. */
const bytes = new Uint8Array(4096);
/** Random bytes are read for many ids at a time, and each is used once. */
let used = bytes.length;

/** A random UUID. */
function decisionId(): string {
  if (used + 16 > bytes.length) {
    fillRandomly(bytes);
    used = 0;
  }
  return randomUuid(() => bytes[used++]!);
}

/** From the system's file where there is one: loading Node's cryptography takes a start longer. */
function fillRandomly(target: Uint8Array): void {
  let file: number | undefined;
  try {
    file = openSync('/dev/urandom', 'r');
    if (readSync(file, target) === target.length) return;
  } catch {
    // Other systems have no such file.
  } finally {
    if (file !== undefined) closeSync(file);
  }
  randomFillSync(target);
}

interface Input {
  readonly name: string;
  /** Reads the input; rejects with the reason on failure. */
  readonly input: () => Promise<Value>;
}

/** The inputs that a command line names: files, the files in directories, standard input. */
function* execInputs({ flags, positionals }: Arguments, io: Io): IterableIterator<Input> {
  if (flags.on('stdin-input')) yield { name: '--stdin-input', input: () => parse(lenientTextOfFile(io.stdin()), true) };
  for (const path of positionals) {
    for (const name of filesAt(path)) {
      if (/\.(?:json|yaml|yml)$/.test(name))
        yield { name, input: () => parse(lenientTextOfFile(readFileSync(name)), !name.endsWith('.json')) };
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
  return orYaml ? await parseJsonOrYaml(text) : parseJson(text);
}
