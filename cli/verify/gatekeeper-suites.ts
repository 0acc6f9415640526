/** Suites of Gatekeeper: the violations that are expected of objects. */
import { dirname, join } from 'node:path';
import type { Value } from '../../values/index.js';
import { listOf, memberAt, type Resource, resourceError, resourcesOf, textAt } from '../../views/index.js';
import { type ConfigFile, ConfigFileError, filesOf, readConfigFile } from '../../views/node.js';
import type { Io } from '../io.js';
import { brokenText } from './broken-file.js';
import { type Constraint, GatekeeperChecks, isReviewed, namespacesIn } from './gatekeeper.js';
import { readOptions } from './run-checks.js';
import type { VerifySettings } from './settings.js';

/** A case or a test: why it failed, where it did. */
interface Outcome {
  readonly name: string;
  readonly seconds: number;
  readonly error?: string | undefined;
}

interface TestOutcome extends Outcome {
  readonly cases: readonly Outcome[];
}

/**
 * Runs the suites of files and folders, and answers the exit code. Rejects with a ConfigFileError.
 */
export async function verifySuites(paths: readonly string[], settings: VerifySettings, io: Io): Promise<number> {
  const reading = readOptions(settings, io, { numbers: 'double', isConftest: false });
  const read = (path: string) => readConfigFile(path, reading);
  const folders = paths.map((path) => path.replace(/\/?\.\.\.$/, '') || '.');
  const named = filesOf(folders, (path) => !/\.(?:ya?ml|json)$/.test(path));
  let fails = 0;
  let suites = 0;
  for (const path of named) {
    const file = await read(path).catch((error: unknown) => {
      // A folder of suites has other files, too.
      if (error instanceof ConfigFileError && !paths.includes(path)) return undefined;
      throw error;
    });
    for (const suite of file === undefined ? [] : resourcesOf(file).filter(isSuite)) {
      suites++;
      const started = performance.now();
      const tests: TestOutcome[] = [];
      for (const [i] of listOf(memberAt(suite.value, 'tests')).entries())
        tests.push(await new SuiteTest(suite, i, read, io).run());
      const isPassed = tests.every(
        (test) => test.error === undefined && test.cases.every(({ error }) => error === undefined),
      );
      if (!isPassed) fails++;
      io.stdout(tests.map(testText).join(''));
      io.stdout(`${isPassed ? 'ok' : 'FAIL'}\t${path}\t${secondsText((performance.now() - started) / 1000)}\n`);
    }
  }
  if (suites === 0)
    throw new ConfigFileError('no suite found: a suite has kind: Suite and apiVersion: test.gatekeeper.sh/v1alpha1');
  io.stdout(fails === 0 ? 'PASS\n' : 'FAIL\n');
  return fails === 0 ? 0 : 1;
}

function isSuite({ kind, group }: Resource): boolean {
  return kind === 'Suite' && group === 'test.gatekeeper.sh';
}

function secondsText(seconds: number): string {
  return `${seconds.toFixed(3)}s`;
}

/** The failed cases of a test, as Go's tests show them; nothing of a test that passes. */
function testText({ name, seconds, error, cases }: TestOutcome): string {
  const failed = cases.filter((one) => one.error !== undefined);
  if (error === undefined && failed.length === 0) return '';
  const lines = failed.map(
    (one) => `    --- FAIL: ${one.name}\t(${secondsText(one.seconds)})\n${indented(one.error!, 8)}`,
  );
  const own = error === undefined ? '' : indented(error, 4);
  return `${lines.join('')}--- FAIL: ${name}\t(${secondsText(seconds)})\n${own}`;
}

function indented(text: string, columns: number): string {
  return text
    .trimEnd()
    .split('\n')
    .map((line) => `${' '.repeat(columns)}${line}\n`)
    .join('');
}

/** One test of a suite: a template, a constraint, and cases. */
class SuiteTest {
  readonly #suite: Resource;
  readonly #index: number;
  readonly #read: (path: string) => Promise<ConfigFile>;
  readonly #io: Io;

  constructor(suite: Resource, index: number, read: (path: string) => Promise<ConfigFile>, io: Io) {
    this.#suite = suite;
    this.#index = index;
    this.#read = read;
    this.#io = io;
  }

  get #value(): Value {
    return memberAt(this.#suite.value, 'tests', this.#index);
  }

  async run(): Promise<TestOutcome> {
    const started = performance.now();
    const name = textAt(this.#value, 'name');
    const outcome = (error: string | undefined, cases: readonly Outcome[] = []): TestOutcome => ({
      name,
      seconds: (performance.now() - started) / 1000,
      error,
      cases,
    });
    if (memberAt(this.#value, 'skip') === true) return outcome(undefined);
    const isInvalid = memberAt(this.#value, 'invalid') === true;
    const cases = listOf(memberAt(this.#value, 'cases'));
    try {
      if (memberAt(this.#value, 'expansion') !== null)
        throw this.#error('expansion templates are not read: write the objects that they make as cases', 'expansion');
      const resources = [...(await this.#resources('template')), ...(await this.#resources('constraint'))];
      const open = async () => await GatekeeperChecks.open(resources, this.#io);
      const checks = await open();
      if (isInvalid) return outcome('the constraint fits its template, and should not');
      const [constraint] = checks.constraints;
      if (constraint === undefined) throw this.#error('the file has no constraint', 'constraint');
      const outcomes: Outcome[] = [];
      for (const [i] of cases.entries()) outcomes.push(await this.#case(name, i, checks, constraint));
      return outcome(undefined, outcomes);
    } catch (error) {
      if (!(error instanceof ConfigFileError)) throw error;
      return outcome(isInvalid ? undefined : brokenText(error));
    }
  }

  #error(message: string, ...keys: readonly (string | number)[]): ConfigFileError {
    return resourceError(this.#suite, message, 'tests', this.#index, ...keys);
  }

  /** The objects of the file that a member names, its path from the suite. */
  async #resources(...keys: readonly (string | number)[]): Promise<readonly Resource[]> {
    const path = textAt(this.#value, ...keys);
    if (path === '') throw this.#error(`${keys.at(-1)} names no file`, ...keys);
    if (path.startsWith('/')) throw this.#error(`${path}: paths are relative to the suite`, ...keys);
    return resourcesOf(await this.#read(join(dirname(this.#suite.file.path), path)));
  }

  async #case(test: string, index: number, checks: GatekeeperChecks, constraint: Constraint): Promise<Outcome> {
    const started = performance.now();
    const value = memberAt(this.#value, 'cases', index);
    const name = `${test}/${textAt(value, 'name')}`;
    const outcome = (error?: string): Outcome => ({ name, seconds: (performance.now() - started) / 1000, error });
    if (memberAt(value, 'skip') === true) return outcome();
    try {
      const inventory: Resource[] = [];
      for (const [i] of listOf(memberAt(value, 'inventory')).entries())
        inventory.push(...(await this.#resources('cases', index, 'inventory', i)));
      await checks.setInventory(inventory);
      const [object, ...others] = (await this.#resources('cases', index, 'object')).filter(isReviewed);
      if (object === undefined || others.length > 0)
        throw this.#error('the file of a case has one object', 'cases', index, 'object');
      const found = (await constraint.violations(object, namespacesIn([...inventory, object]), false)) ?? [];
      const messages = found.map(({ msg }) => msg);
      const given = listOf(memberAt(value, 'assertions'));
      if (given.length === 0) throw this.#error('a case has assertions', 'cases', index);
      for (const [i, assertion] of given.entries()) {
        const error = await unmet(assertion, messages).catch((thrown: Error) => {
          throw this.#error(thrown.message, 'cases', index, 'assertions', i);
        });
        if (error !== undefined) return outcome(brokenText(this.#error(error, 'cases', index, 'assertions', i)));
      }
      return outcome();
    } catch (error) {
      if (!(error instanceof ConfigFileError)) throw error;
      return outcome(brokenText(error));
    }
  }
}

/** Why messages are not as an assertion wants them. Rejects with an Error for a wrong assertion. */
async function unmet(assertion: Value, messages: readonly string[]): Promise<string | undefined> {
  const pattern = textAt(assertion, 'message');
  const matching = pattern === '' ? messages : await matchesOf(pattern, messages);
  const wanted = memberAt(assertion, 'violations') ?? true;
  const count = matching.length;
  const about = pattern === '' ? '' : ` matching ${JSON.stringify(pattern)}`;
  const got = `got ${count} violations${about}, of the messages ${JSON.stringify(messages)}`;
  if (wanted === true || wanted === 'yes') return count > 0 ? undefined : `at least 1 violation expected: ${got}`;
  if (wanted === false || wanted === 'no') return count === 0 ? undefined : `no violation expected: ${got}`;
  const number = Number(wanted);
  if (!Number.isInteger(number) || number < 0)
    throw new Error('violations is yes, no, or a number that is not negative');
  return count === number ? undefined : `${number} violations expected: ${got}`;
}

async function matchesOf(pattern: string, messages: readonly string[]): Promise<readonly string[]> {
  const { RE2JS } = await import('re2js');
  const compiled = RE2JS.compile(pattern);
  return messages.filter((message) => compiled.matcher(message).find());
}
