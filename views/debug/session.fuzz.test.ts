/**
 * Random policies and random commands: a session comes to the plain result after any stops and
 * steps, forth and back, and a step back restores everything that is shown.
 * `WRIT_RUNS=1000` runs more policies, `WRIT_FUZZ_SEED` others.
 */
import { expect, test } from 'vitest';
import { plainName } from '../../compiler/ast/names.js';
import { compileModules } from '../../compiler/pipeline.js';
import { plan } from '../../compiler/plan/planner.js';
import type { Compiled } from '../../compiler/resolve/compiled.js';
import { parseModule } from '../../compiler/syntax/parse.js';
import { parseQuery } from '../../compiler/syntax/query.js';
import { createContext } from '../../engine/shared-context.js';
import { AnswerRecord } from '../../runtime/evaluation/answer-record.js';
import { Evaluation } from '../../runtime/evaluation/evaluation.js';
import { interpretPlan } from '../../runtime/vm/plan-interpreter.js';
import { Choices } from '../../test/generators/choices.js';
import { type PolicyCase, randomCase } from '../../test/generators/random-case.js';
import { randomCases } from '../../test/harness/set-up/random-cases.js';
import { BuiltinError, HaltError } from '../../values/builtins/builtin-errors.js';
import { nodeHost } from '../../values/builtins/host/node.js';
import { builtins } from '../../values/builtins/registry.js';
import { lookup } from '../../values/compare.js';
import { termText } from '../../values/text/term-text.js';
import type { Value } from '../../values/value.js';
import { openSession } from './open-session.js';
import { queryProgram } from './programs.js';
import type { DebugSession, ExceptionFilter, Granularity, Stop } from './session.js';

const runs = randomCases(40);
const seedOfRun = Number(process.env.WRIT_FUZZ_SEED ?? 0);

/** Commands of one session. */
const commands = 25;

const context = createContext({ host: nodeHost }, {});
const time = 1_700_000_000_000_000_000n;

function text(value: Value | undefined): string {
  return value === undefined ? 'undefined' : termText(value);
}

/** The value of a path as a plan without debug information gives it. */
function plainAnswer(compiled: Compiled, path: readonly string[], input: Value | undefined, data: Value): string {
  const policy = plan(compiled, [{ name: 'p', path }]);
  try {
    const evaluation = new Evaluation(context, { timeNs: time }, new AnswerRecord());
    const [found] = interpretPlan(policy, { plan: 'p', input, data }, builtins, evaluation);
    return text(found === undefined ? undefined : lookup(found, 'result'));
  } catch (error) {
    if (error instanceof HaltError || error instanceof BuiltinError) return error.code;
    throw error;
  }
}

/** All that is shown at a stop. */
function shown(session: DebugSession): string {
  const frames = session.frames().map(({ id, name, range, address }) => {
    const scopes = session.scopes(id).filter(({ name: scope }) => scope !== 'Why here');
    const values = scopes.flatMap((scope) => scope.variables().map((one) => `${scope.name} ${one.name} = ${text(one.value)}`));
    return [`${name} ${address} ${JSON.stringify(range)}`, ...values].join('\n');
  });
  return frames.join('\n');
}

function endOf({ outcome }: Stop): string {
  return outcome?.kind === 'error' ? outcome.code : text(outcome?.value);
}

/** A step forward, back, and forward again. */
async function stepAround(session: DebugSession, choices: Choices): Promise<void> {
  const granularity = choices.one<Granularity>(['statement', 'expression', 'rule']);
  const step = choices.one([() => session.into({ granularity }), () => session.over({ granularity }), () => session.out({ granularity })]);
  const before = shown(session);
  const { at } = session.stop!;
  await step();
  const after = shown(session);
  const back = await session.back({ granularity });
  expect(back.at).toBe(at);
  expect(shown(session)).toBe(before);
  await step();
  expect(shown(session)).toBe(after);
}

function addBreakpoint(session: DebugSession, choices: Choices): void {
  const { name } = choices.one(session.sources.filter(({ kind }) => kind === 'policy'));
  const condition = choices.chance(30) ? { condition: choices.one(['true', 'false', 'input', 'x', 'count(input) > 1']) } : {};
  const hit = choices.chance(20) ? { hit: choices.one(['2', '>1', '%2']) } : {};
  try {
    session.addBreakpoint({ place: { kind: 'line', file: name, row: 1 + choices.below(20) }, ...condition, ...hit });
  } catch (error) {
    expect((error as Error).message).toMatch(/no variable|type/);
  }
}

/** What is told has the names of the author, and none of the plan. */
function expectNamesOfTheAuthor(session: DebugSession): void {
  const { stop } = session;
  for (const line of [...(stop?.reason === 'exception' ? [stop.text!] : []), ...session.why()])
    expect(line).not.toMatch(/\bl\d+(?:\[.*\])? is /);
}

const filters: readonly ExceptionFilter[] = ['error', 'undefined', 'fail', 'conflict', 'rule-exit', 'skipped'];

async function command(session: DebugSession, choices: Choices): Promise<void> {
  const kind = choices.below(10);
  if (kind < 4) return await stepAround(session, choices);
  if (kind === 4) await session.back({ granularity: choices.one<Granularity>(['statement', 'expression', 'rule']) });
  else if (kind === 5) await session.continue();
  else if (kind === 6) await session.reverseContinue();
  else if (kind === 7) addBreakpoint(session, choices);
  else if (kind === 8) session.setFilters(choices.chance(50) ? [] : [{ filter: choices.one(filters) }]);
  else {
    session.skipped();
    await session.evaluate('input', session.frames().length > 0 ? 0 : undefined);
  }
}

async function expectSameAnswer(compiled: Compiled, { modules, data, inputs }: PolicyCase, path: readonly string[], seed: number) {
  const choices = new Choices(seed);
  const input = choices.one(inputs);
  const query = `data${path.map((key) => (plainName.test(key) ? `.${key}` : `[${JSON.stringify(key)}]`)).join('')}`;
  const sources = [...modules].map(([name, module]) => ({ name, path: undefined, kind: 'policy', text: module }) as const);
  const surroundings = { context, builtins, input, data, sources, timeNs: time };
  const session = openSession(await queryProgram(compiled, { body: parseQuery(query), text: query }, surroundings));
  const plain = plainAnswer(compiled, path, input, data);
  await session.start({ stopOnEntry: true });
  for (let i = 0; i < commands; i++) {
    await command(session, choices);
    expectNamesOfTheAuthor(session);
  }
  session.setFilters([]);
  for (const { id } of session.breakpoints) session.removeBreakpoint(id);
  const end = session.stop?.reason === 'end' ? session.stop : await session.continue();
  expect(endOf(end)).toBe(plain);
  expect(endOf(await session.restart())).toBe(plain);
  session.dispose();
}

test('any commands lead to the plain result, and steps back restore what was shown', async () => {
  let count = 0;
  for (let seed = seedOfRun; count < runs; seed++) {
    const found = randomCase(seed);
    if (found === undefined) continue;
    const modules = new Map(
      [...found.modules].map(([name, module]) => [name, parseModule(name, module, { regoVersion: found.regoVersion })]),
    );
    const compiled = compileModules({ modules });
    if (compiled.diagnostics.length > 0 || found.paths.length === 0) continue;
    count++;
    const path = found.paths[seed % found.paths.length]!;
    try {
      await expectSameAnswer(compiled, found, path, seed);
    } catch (error) {
      throw new Error(`seed ${seed}, path ${path.join('/')}: ${(error as Error).message}`, { cause: error });
    }
  }
});
