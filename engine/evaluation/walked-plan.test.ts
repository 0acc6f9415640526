import { describe, expect, test, vi } from 'vitest';
import { compile } from '../../compiler/compile.js';
import { assembleLazily } from '../../runtime/bytecode/assemble.js';
import { AnswerRecord } from '../../runtime/evaluation/answer-record.js';
import { Evaluation } from '../../runtime/evaluation/evaluation.js';
import type { EvaluationOptions } from '../../runtime/evaluation/evaluation-options.js';
import type { Executable } from '../../runtime/evaluation/executable.js';
import { arg, asyncBuiltin, type Builtin } from '../../values/builtins/builtin.js';
import { builtins } from '../../values/builtins/registry.js';
import { toJson } from '../../values/json/json.js';
import { toPlain } from '../../values/json/plain-form.js';
import * as types from '../../values/type.js';
import type { Value } from '../../values/value.js';
import { loadEntrypoints, loadProgram } from '../load-program.js';
import { createContext } from '../shared-context.js';
import { type EvaluationTarget, evaluateAsync } from './evaluate.js';

vi.mock('../../runtime/bytecode/assemble.js', { spy: true });

const asked: string[] = [];
const slow = asyncBuiltin('acme.slow', [arg('x', types.string)], types.string, async ([x]) => {
  asked.push(x as string);
  return `${x}!`;
});
const known: ReadonlyMap<string, Builtin> = new Map([...builtins, [slow.name, slow]]);

const walkedPlan: typeof loadProgram = (plan, rows) => loadProgram(plan, rows, undefined, 0);

function planOf(body: string): unknown {
  return compile({ policies: { 'p.rego': `package p\n\n${body}` }, entrypoints: ['p/x'] });
}

function decided(executable: Executable, input: Value, data: Value, evaluation: Evaluation): string | undefined {
  const value = executable.decide(executable.entrypoints.get('p/x')!, input, data, evaluation);
  return value === undefined ? undefined : toJson(value);
}

function evaluationOf(options: EvaluationOptions = {}): Evaluation {
  return new Evaluation(createContext({ host: {} }), options, new AnswerRecord());
}

/** The value or error of a plan's only entrypoint, and what its evaluation reported. */
async function outcomeOf(load: typeof loadProgram, body: string, given: EvaluationOptions = {}): Promise<unknown> {
  const executable = await load(planOf(body), known);
  const reported: unknown[] = [];
  const options: EvaluationOptions = {
    timeNs: 5n,
    random: () => 0.5,
    onPrint: (line) => reported.push(line),
    onTrace: (note) => reported.push(note),
    onNondeterministic: (name, operands, value) => reported.push([name, operands, value]),
    ...given,
  };
  try {
    return { value: decided(executable, { user: 'ann' }, { users: ['ann', 'bob'] }, evaluationOf(options)), reported };
  } catch (error) {
    const { code, message, place } = error as { code?: string; message: string; place?: unknown };
    return { code, message, place, reported };
  }
}

const large = Object.fromEntries(Array.from({ length: 5000 }, (_, i) => [`k${i}`, i]));
const long = 'sum([n | some n in numbers.range(1, 5000)])';

describe('a plan is walked while that is short', () => {
  test.each<[string, string, boolean]>([
    ['a loop of a few rounds', 'x contains user if some user in data.users', true],
    ['a loop of many rounds', `x := ${long}`, false],
    ['a built-in with much work', 'x := count(split(concat(",", [sprintf("%05000d", [1]), sprintf("%05000d", [2])]), "0"))', false],
    ['a replaced value in a large document', 'y := count(data.users)\n\nx := n if n := y with data.large.k5 as 1', false],
    ['many elements in a loop that ends at once', 'x if { some n in numbers.range(1, 5000); n == 1 }', false],
  ])('%s', async (_title, body, isWalked) => {
    const data = { users: ['ann', 'bob'], large };
    const program = await loadProgram(planOf(body), known);
    const wanted = decided(program, {}, data, evaluationOf());
    vi.mocked(assembleLazily).mockClear();
    const walked = await walkedPlan(planOf(body), known);
    expect(decided(walked, {}, data, evaluationOf())).toBe(wanted);
    expect(assembleLazily).toHaveBeenCalledTimes(isWalked ? 0 : 1);
  });
});

describe('the clock', () => {
  test('is not read for a policy that does not ask for the time', async () => {
    const clock = vi.spyOn(performance, 'now');
    const walked = await walkedPlan(planOf('x if "ann" in data.users'), known);
    expect(decided(walked, {}, { users: ['ann'] }, evaluationOf())).toBe('true');
    expect(clock).not.toHaveBeenCalled();
  });

  test('shows one time to a walk and to the program after it', async () => {
    const evaluation = evaluationOf();
    const walked = await walkedPlan(planOf(`x := [time.now_ns(), ${long}]`), known);
    expect(decided(walked, {}, {}, evaluation)).toBe(`[${evaluation.timeNs},12502500]`);
  });
});

describe('answers are those of a program', () => {
  test.each<[string, string, EvaluationOptions?]>([
    ['a value', 'x := {"a": {input.user, 1.0}, "b": [data.users[1], null]}'],
    ['undefined', 'x if input.user == "bob"'],
    ['a default', 'default x := false\n\nx if input.user == "bob"'],
    ['a replaced document', 'y if input.user == "bob"\n\nx if y with input.user as "bob"'],
    ['an object with keys that are no texts', 'x[k] := v if some k, v in ["a", "b"]'],
    ['a conflict', 'x := 1 if input.user\n\nx := 2 if data.users'],
    ['a line that is printed', 'x if { print(input.user); input.user == "ann" }'],
    ['a line that is printed before much work', `x := n if { print(input.user); n := ${long} }`],
    ['a note', 'x if trace("note")'],
    ['an error of a built-in', 'x := to_number("a")'],
    ['a strict error of a built-in', 'x := to_number("a")', { strictBuiltinErrors: true }],
    ['the time before much work', `x := [time.now_ns(), rand.intn("a", 10), ${long}]`],
    ['a limit of instructions', `x := ${long}`, { instructions: 50 }],
    ['a cancelled evaluation', `x := ${long}`, { signal: AbortSignal.abort() }],
    ['too few calls inside calls', 'a := b\n\nb := c\n\nc := input.user\n\nx := a', { callDepth: 1 }],
  ])('%s', async (_title, body, options) => {
    expect(await outcomeOf(walkedPlan, body, options)).toEqual(await outcomeOf(loadProgram, body, options));
  });

  test('a reported error of a built-in has its place, once', async () => {
    const errorsOf = async (load: typeof loadProgram) => {
      const errors: unknown[] = [];
      await outcomeOf(load, 'x := 1 if not to_number("a")', {
        onBuiltinError: ({ message }, name, place) => errors.push([message, name, place]),
      });
      return errors;
    };
    const wanted = await errorsOf(loadProgram);
    expect(wanted).toHaveLength(1);
    expect(await errorsOf(walkedPlan)).toEqual(wanted);
  });

  test('a built-in that waits is asked once', async () => {
    const policy = compile({ policies: { 'p.rego': 'package p\n\nx := acme.slow(input.user)' }, entrypoints: ['p/x'], builtins: known });
    const executable = await walkedPlan(policy, known);
    const target = { executable, plan: executable.entrypoints.get('p/x')! };
    const results = await evaluateAsync(target, { input: { user: 'ann' }, data: {} }, createContext({ host: {} }), {});
    expect(results.map((result: Value) => toJson(result))).toEqual(['{"result":"ann!"}']);
    expect(asked).toEqual(['ann']);
  });

  test('objects are plain where all keys are texts, as those of a program are', async () => {
    const body = 'x := {"a": {"__proto__": [{"b": 1}]}, "c": {1: {"d": {2}}}}';
    const [walked, program] = [await walkedPlan(planOf(body), known), await loadProgram(planOf(body), known)];
    const [found, wanted] = [walked, program].map((one) => one.run(one.entrypoints.get('p/x')!, {}, {}, evaluationOf()));
    expect(found).toStrictEqual(wanted);
    expect(Object.keys(found![0]!)).toEqual(['result']);
  });

  test('a plan that is decided often is a program from then on', async () => {
    vi.mocked(assembleLazily).mockClear();
    const executable = await walkedPlan(planOf('x := [input.user, data.users[0]]'), known);
    const data = { users: ['ann', 'bob'] };
    for (let i = 0; i < 1000; i++) expect(decided(executable, { user: `${i}` }, data, evaluationOf())).toBe(`["${i}","ann"]`);
    expect(assembleLazily).toHaveBeenCalledTimes(1);
  });

  test('a plan that was too long is a program from then on', async () => {
    const executable = await walkedPlan(planOf(`x := [input.user, ${long}]`), known);
    expect(['ann', 'bob'].map((user) => decided(executable, { user }, {}, evaluationOf()))).toEqual([
      '["ann",12502500]',
      '["bob",12502500]',
    ]);
  });

  test('of a long plan, more work is done by walks', async () => {
    vi.mocked(assembleLazily).mockClear();
    const rules = Array.from({ length: 200 }, (_, i) => `x contains n if { some n in [${i}, input.a, input.b]; n > ${i} }`);
    const executable = await walkedPlan(planOf(rules.join('\n')), known);
    for (const a of [1, 2]) expect(decided(executable, { a, b: 300 }, {}, evaluationOf())).toContain('300]');
    expect(assembleLazily).not.toHaveBeenCalled();
  });

  test.each([
    ['a short one', 'x := input.user', 0],
    ['one that takes long', `x := ${long}`, 1],
    ['one that prints', 'x if print("a")', 1],
  ])('an evaluation that begins again says so: %s', async (_title, body, restarts) => {
    const onRestart = vi.fn();
    decided(await walkedPlan(planOf(body), known), { user: 'ann' }, {}, evaluationOf({ onRestart }));
    expect(onRestart).toHaveBeenCalledTimes(restarts);
  });
});

describe('a long plan of a bundle is walked at first', () => {
  const rules = (count: number) => Array.from({ length: count }, (_, i) => `x contains ${i} if input.n > ${i}`).join('\n');
  const loops = 'y := sum([n | some n in data.numbers])\n';

  async function opened(body: string): Promise<ReadonlyMap<string, EvaluationTarget>> {
    vi.mocked(assembleLazily).mockClear();
    const policy = compile({ policies: { 'p.rego': `package p\n\n${body}` }, entrypoints: ['p/x', 'p/y'] });
    const plans = [{ path: 'plan.json', url: '', bundlePath: '', policy }];
    return await loadEntrypoints([{ plans }], known, (message) => new Error(message), { endsSoon: false });
  }

  function decide(targets: ReadonlyMap<string, EvaluationTarget>, name: string, data: Value, options: EvaluationOptions = {}): unknown {
    const { executable, plan } = targets.get(name)!;
    return toPlain(executable.decide(plan, { n: 2 }, data, evaluationOf(options))!);
  }

  test.each<[string, string, string, readonly number[], EvaluationOptions, number]>([
    ['a long one', rules(1000) + '\n' + loops, 'p/x', [], {}, 0],
    ['a short one', rules(10) + '\n' + loops, 'p/x', [], {}, 1],
    ['a long loop in a short function of a long one', rules(1000) + '\n' + loops, 'p/y', Array(20_000).fill(1), {}, 1],
    ['a limit of time', rules(5000) + '\n' + loops, 'p/x', [], { timeMs: Number.MIN_VALUE }, 0],
    ['a limit of instructions', rules(1000) + '\n' + loops, 'p/x', [], { instructions: 10_000 }, 1],
  ])('%s', async (_title, body, name, numbers, options, programs) => {
    const targets = await opened(body);
    const wanted = name === 'p/x' ? [0, 1] : 20_000;
    expect(decide(targets, name, { numbers }, options)).toEqual(wanted);
    expect(assembleLazily).toHaveBeenCalledTimes(programs);
    expect(decide(targets, name, { numbers }, options)).toEqual(wanted);
  });

  test('the functions that are decided often become generated code', async () => {
    const targets = await opened(`${rules(1000)}\n${loops}`);
    const { executable, plan } = targets.get('p/y')!;
    for (let i = 0; i < 1500; i++) expect(decide(targets, 'p/y', { numbers: [1, 2] })).toBe(3);
    expect(executable.isHot?.(plan)).toBe(true);
    const standing = executable.standing?.(plan, createContext({ host: {} }));
    expect(standing?.decide({}, { numbers: [1, 2, 3] })).toBe(6);
    expect(decide(targets, 'p/x', {})).toEqual([0, 1]);
  });
});
