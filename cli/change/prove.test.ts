import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { Ajv } from 'ajv';
import { afterAll, describe, expect, test } from 'vitest';
import { Engine } from '../../engine/engine.js';
import { createContext } from '../../engine/shared-context.js';
import { EvaluationError } from '../../runtime/evaluation/evaluation-errors.js';
import { runWith, withFiles } from '../../test/harness/command.js';
import { entry } from '../../test/harness/command-helpers.js';
import { nodeHost } from '../../values/builtins/host/node.js';
import { toJson } from '../../values/json/json.js';
import type { PlainObject, Value } from '../../values/value.js';
import { compareVersions } from '../../views/change/compare-versions.js';
import { provePath } from '../../views/change/prove/prove.js';
import { Solver } from './solver.js';

const runCommand = (...args: string[]) => runWith({ entry }, args);

const solver = new Solver(process.cwd(), { entry });
afterAll(() => solver.close());

interface Change {
  readonly name: string;
  readonly differs: boolean;
  readonly path: string;
  readonly old: string;
  readonly new: string;
  readonly data?: PlainObject;
  readonly newData?: PlainObject;
}

const changesOf = (file: string) => JSON.parse(readFileSync(`fixtures/${file}.json`, 'utf8')) as readonly Change[];
const changes = changesOf('changes');

async function version(name: string, policy: string, data: PlainObject = {}) {
  const engine = new Engine({ context: createContext({ host: nodeHost }), data });
  await engine.commit({ policies: new Map([[`${name}.rego`, policy]]) });
  return { name, engine };
}

async function proved({ old, new: next, data, newData = data, path }: Omit<Change, 'name' | 'differs'>, isImplied = false) {
  const pair = { old: await version('old', old, data), new: await version('new', next, newData) };
  return { pair, ...(await provePath(pair, path, { solve: solver.solve }, isImplied)) };
}

/** No made input fulfils it. */
const rare = 'input.a * input.a == input.b + 77.5\n\tinput.b > 1000';

const inOrderOfKeys = '{"b": concat("", [input.x, "1"]), "a": "z"}';
const inTheirOrder = '[concat("", [input.x, "1"]), "z"]';

const policy = (text: string) => `package p\n\n${text}\n`;

describe('a solver', () => {
  test.each(
    [...changes, ...changesOf('changes-further')].map((change) => [change.differs ? 'differs' : 'equal', change.name, change] as const),
  )('%s: %s', async (answer, _name, change) => {
    const { pair, example, ...report } = await proved(change);
    expect(report).toMatchObject({ answer });
    if (example === undefined) return;
    const decide = ({ engine }: { readonly engine: Engine }) =>
      engine
        .decide(change.path.split('/'), example.input, {}, ({ value }) => shown(value))
        .catch((error: unknown) => (error instanceof EvaluationError ? 'error' : Promise.reject(error)));
    const answers = [await decide(pair.old), await decide(pair.new)];
    expect(answers).toEqual([example.old, example.new].map(({ value, error }) => (error === undefined ? shown(value) : 'error')));
    expect(answers[0]).not.toBe(answers[1]);
  });

  test.each([
    [
      'members of objects',
      'allow if input.labels[_] == "x"',
      'allow if {\n\tsome k\n\tinput.labels[k] == "x"\n\tstartswith(k, "app")\n}',
      'differs',
    ],
    [
      'a name that one version has among the members',
      'allow if input.labels[_] == "x"',
      'allow if input.labels.a == "x"\n\nallow if input.labels[_] == "x"',
      'equal',
    ],
    [
      'a whole object among the members',
      'allow if {\n\tsome v in input.labels\n\tv == 1\n}',
      'allow if {\n\tsome v in input.labels\n\tv == 1\n\tinput.labels != {"a": 1}\n}',
      'differs',
    ],
    [
      'conflicts of values',
      'x := 1 if input.a\n\nx := 2 if input.b',
      'x := 1 if input.a\n\nx := 2 if {\n\tinput.b\n\tnot input.a\n}',
      'differs',
    ],
    [
      'set comprehensions',
      'allow if count({r | some r in input.roles; r != "x"}) > 1',
      'allow if count({r | some r in input.roles; r != "x"}) >= 1',
      'differs',
    ],
    ['the same count', 'allow if count(input.a) > 1', 'allow if not count(input.a) <= 1', 'equal'],
    ['partial objects', 'x[k] := v if some k, v in input.m', 'x[k] := v if {\n\tsome k, v in input.m\n\tv != 3\n}', 'differs'],
    [
      'functions with else',
      'f(a) := 1 if a > 2 else := 2\n\nx := f(input.n)',
      'f(a) := 1 if a >= 2 else := 2\n\nx := f(input.n)',
      'differs',
    ],
    ['built-ins that the solver does not know', 'allow if upper(input.a) == "X"', 'allow if "X" == upper(input.a)', 'equal'],
    [
      'variables that are keys of heads',
      'x[k] := count(v) if {\n\tsome k, v in input.m\n\tendswith(k, "a")\n}',
      'x[name] := count(list) if {\n\tsome name, list in input.m\n\tendswith(name, "a")\n}',
      'equal',
    ],
    [
      'variables that are several keys',
      'x[k][v.b] contains z if {\n\tsome k, v in input.m\n\tsome z in v.c\n}',
      'x[k][v.d] contains z if {\n\tsome k, v in input.m\n\tsome z in v.c\n}',
      'differs',
    ],
    [
      'rules of several keys with other names',
      'x[k][v.b] contains z if {\n\tsome k, v in input.m\n\tsome z in v.c\n}',
      'x[a][b.b] contains c if {\n\tsome a, b in input.m\n\tsome c in b.c\n}',
      'equal',
    ],
    [
      'replaced documents whose names have a slash',
      'allow if {\n\tinput.a * input.a == input.b + 77.5\n\tinput.b > 1000\n\tdata.m.a == 1 with data["m/a"] as input.x\n}',
      'allow if {\n\tinput.a * input.a == input.b + 77.5\n\tinput.b > 1000\n\tinput.x == 1\n}',
      'differs',
    ],
    [
      'lists in the order of a set, read under with',
      'q := {input.a, input.b}\n\nallow if {\n\tinput.a * input.a == input.b + 77.5\n\t[x | x := q[_] with data.m.b as 1][0] == input.a\n}',
      'allow if {\n\tinput.a * input.a == input.b + 77.5\n\t[x | x := [input.a, input.b][_]][0] == input.a\n}',
      'unknown',
    ],
    [
      'a list in the order of keys',
      `x := [v | some v in ${inOrderOfKeys}] if {\n\t${rare}\n}`,
      `x := [v | some v in ${inTheirOrder}] if {\n\t${rare}\n}`,
      'differs',
    ],
    [
      'the text of a list in the order of keys',
      `x := json.marshal([v | some v in ${inOrderOfKeys}]) if {\n\t${rare}\n}`,
      `x := json.marshal([v | some v in ${inTheirOrder}]) if {\n\t${rare}\n}`,
      'differs',
    ],
    [
      'indexes of a list in the order of a set',
      `allow if {\n\t${rare}\n\tsome i, v in [v | some v in {concat("", [input.x, "1"]), concat("", [input.y, "1"])}]\n\ti == 0\n\tv == "a1"\n\tinput.y == "0"\n}`,
      `allow if {\n\t${rare}\n\tinput.y == "0"\n\tinput.x == "a"\n}`,
      'differs',
    ],
    [
      'the same list in the order of unknown keys',
      'x := json.marshal([v | some v in {input.k: lower(input.x), input.l: "z"}])',
      'x := json.marshal([w | some w in {input.k: lower(input.x), input.l: "z"}])',
      'equal',
    ],
    ['arithmetic', 'allow if input.a + 1 > 3', 'allow if input.a > 2', 'differs'],
    ['members of strings as keys', 'allow if data.m[input.k]', 'allow if data.m[input.k] == true', 'differs'],
  ])('compares %s', async (_, old, next, answer) => {
    const path = old.includes('allow') ? 'p/allow' : 'p/x';
    const data = { m: { a: true, b: false, c: 3 } };
    const report = await proved({ old: policy(old), new: policy(next), path, data });
    expect(report).toMatchObject({ answer });
  });

  test('says by which expression it cannot answer', async () => {
    const old = policy('allow if {\n\tv := input.a[5000]\n\tv == 7.5\n}');
    const { answer, reason, expression, place } = await proved({ old, new: old, path: 'p/allow' });
    expect({ answer, reason, expression, place }).toEqual({
      answer: 'unknown',
      reason: 'the index 5000 is too large',
      expression: 'v := input.a[5000]',
      place: 'old.rego:4',
    });
  });

  test('tells the bound and the assumptions of a proof', async () => {
    const text = policy('allow if {\n\tsome r in input.roles\n\tlower(r) == "admin"\n}');
    const { answer, bound, assumptions } = await proved({
      old: text,
      new: text.replace('some r in', 'some r in').replace('"admin"', '"admin"'),
      path: 'p/allow',
    });
    expect({ answer, bound, assumptions }).toEqual({
      answer: 'equal',
      bound: 3,
      assumptions: ['at most 3 elements in input.roles', 'any results of lower, equal for equal operands'],
    });
  });

  test('proves that nothing new is allowed', async () => {
    const [old, next] = [policy('allow if input.n > 3'), policy('allow if input.n > 4')];
    expect((await proved({ old, new: next, path: 'p/allow' }, true)).answer).toBe('equal');
    expect(await proved({ old: next, new: old, path: 'p/allow' }, true)).toMatchObject({ answer: 'differs', kind: 'allowed' });
    // Two values of a rule are an error, which allows nothing.
    const conflicting = policy('allow := true if input.n > 3\n\nallow := false if input.n > 3');
    expect(await proved({ old: conflicting, new: old, path: 'p/allow' }, true)).toMatchObject({ answer: 'differs', kind: 'recovered' });
  });

  test('lists are as long as the rules count, unless a bound is given', async () => {
    const pair = {
      old: await version('old', policy('allow if count(input.a) > 4')),
      new: await version('new', policy('allow if count(input.a) >= 4')),
    };
    const asked = (bound?: number) => provePath(pair, 'p/allow', { solve: solver.solve, ...(bound && { bound }) });
    expect(await asked()).toMatchObject({ answer: 'differs', bound: 5 });
    // Made inputs are not bounded: a difference beyond the bound is one.
    expect(await asked(2)).toMatchObject({ answer: 'differs', example: { input: { a: expect.anything() } } });
  });

  test.each([
    ['one that only one version reaches', 'allow if {\n\tx\n\tinput.z\n}', 'allow if {\n\tinput.z\n\tx\n}'],
    [
      'in a comprehension',
      'allow if {x.k: x.v | some x in input.xs}.a == 1',
      'allow if {\n\tsome x in input.xs\n\tx.k == "a"\n\tx.v == 1\n}',
    ],
    [
      'behind a rule that holds',
      'allow if input.a == 1\n\nallow if {\n\tinput.b == 1\n\tx\n}',
      'allow if {\n\tinput.b == 1\n\tx\n}\n\nallow if input.a == 1',
    ],
  ])('tells conflicts of values apart: %s', async (_, old, next) => {
    const rules = 'x := 1 if input.p\n\nx := 2 if input.q';
    const report = await proved({ old: policy(`${rules}\n\n${old}`), new: policy(`${rules}\n\n${next}`), path: 'p/allow' });
    expect(report.answer).toBe('differs');
  });

  test('that fails, hangs or ends leaves the question open', async () => {
    // No made input has this text.
    const old = policy('allow if {\n\tcount(input.a) > 40\n\tcrypto.sha256(input.a) != input.b\n}');
    const pair = { old: await version('old', old), new: await version('new', old.replace('!= input.b', '!= "x"')) };
    const asked = (said: string) => provePath(pair, 'p/allow', { solve: async () => said });
    expect(await asked('timeout')).toMatchObject({ answer: 'unknown', reason: 'the solver gives up, after at most 30000 ms' });
    expect(await asked('unknown\n')).toMatchObject({ answer: 'unknown' });
    expect(await asked('(error the process of the solver has ended)')).toMatchObject({
      answer: 'unknown',
      reason: 'the solver fails: (error the process of the solver has ended)',
    });
    // Any answer is confirmed before it is shown.
    expect(await asked('sat\n((k0 4) (r0 1.0))')).toMatchObject({
      answer: 'unknown',
      reason: 'the engine confirms no input that the solver finds',
    });
  });

  test('is ended where it takes too long, and starts again', async () => {
    const own = new Solver(process.cwd(), { entry });
    const hard = `(declare-const a Int)(declare-const b Int)(declare-const c Int)
      (assert (and (> a 1) (> b 1) (> c 1) (= (+ (* a a a) (* b b b)) (* c c c))))(check-sat)`;
    expect(await own.solve('(check-sat)', 20_000)).toBe('sat\n');
    expect(await own.solve(hard, 300)).toBe('timeout');
    expect(await own.solve('(assert false)(check-sat)', 20_000)).toBe('unsat\n');
    own.close();
  });
});

describe('schemas of the input', () => {
  const schema = {
    type: 'object',
    properties: {
      price: { type: 'number', minimum: 0 },
      role: { enum: ['admin', 'user'] },
      tags: { type: 'array', items: { type: 'string' } },
    },
    required: ['price', 'role'],
    additionalProperties: false,
  };
  const metadata = `# METADATA\n# scope: document\n# schemas:\n#   - input: ${JSON.stringify(schema)}\n`;
  const annotated = (text: string) => `package p\n\n${metadata}${text}\n`;
  const both = async (old: string, next: string) => {
    const pair = { old: await version('old', old), new: await version('new', next) };
    const prove = { solve: solver.solve, paths: ['p/allow'], never: [] };
    return await compareVersions(pair, { searched: ['p/allow'], search: { tries: 3000 }, prove });
  };

  test('are assumed by proofs and followed by made inputs', async () => {
    const [old, next] = ['allow if input.price < 100', 'allow if {\n\tnot input.price >= 100\n\tinput.price\n}'];
    expect((await both(policy(old), policy(next))).outcome).toBe('differs');
    const { outcome, proofs, search } = await both(annotated(old), annotated(next));
    expect(outcome).toBe('same');
    expect(proofs).toMatchObject([{ answer: 'equal', assumptions: ['inputs of the schema'] }]);
    expect(search).toMatchObject({ different: 0, undecided: [] });
  });

  test.each([
    ['values of an enumeration', 'allow if input.role == "admin"', 'allow if input.role != "user"', 'equal'],
    ['members that there are none of', 'allow if input.price > 1', 'allow if {\n\tinput.price > 1\n\tnot input.other\n}', 'equal'],
    ['bounds of numbers', 'allow if input.price >= 0', 'allow if input.role in {"admin", "user"}', 'equal'],
    ['members that may be missing', 'allow if count(input.tags) >= 0', 'allow if input.price >= 0', 'differs'],
    ['elements of lists', 'allow if input.tags[_] == 1', 'allow if input.tags[_] == 2', 'equal'],
    ['a difference of valid inputs', 'allow if input.price > 5', 'allow if input.price >= 5', 'differs'],
  ])('%s', async (_, old, next, answer) => {
    const { proofs, search } = await both(annotated(old), annotated(next));
    expect(proofs).toMatchObject([{ answer }]);
    expect(search!.different > 0).toBe(answer === 'differs');
    const ajv = new Ajv();
    for (const { example } of [...proofs!, ...search!.groups]) if (example) expect(ajv.validate(schema, example.input)).toBe(true);
  });

  test('of a file, or a folder whose schemas annotations name', async () => {
    const named = (text: string) => `package p\n\n# METADATA\n# schemas:\n#   - input: schema.order\n${text}\n`;
    const [old, next] = ['allow if input.price < 100', 'allow if {\n\tnot input.price >= 100\n\tinput.price\n}'];
    const files = {
      'old.rego': policy(old),
      'new.rego': policy(next),
      'named-old.rego': named(old),
      'named-new.rego': named(next),
      'schemas/order.json': JSON.stringify(schema),
      'none.json': '{"not": {}}',
      'wrong.json': '3',
    };
    await withFiles(files, async (directory) => {
      const run = (...args: string[]) =>
        runCommand('diff', '-e', 'p/allow', ...args.map((arg) => (arg.startsWith('-') ? arg : join(directory, arg))));
      expect((await run('old.rego', 'new.rego')).exit).toBe(1);
      const proved = await run('old.rego', 'new.rego', '--prove', '-s', 'schemas/order.json');
      expect(proved.stdout).toContain('Proved: p/allow is the same, with inputs of the schema');
      expect((await run('named-old.rego', 'named-new.rego', '--prove', '-s', 'schemas')).exit).toBe(0);
      expect((await run('named-old.rego', 'named-new.rego', '--prove')).exit).toBe(1);
      const none = await run('old.rego', 'new.rego', '-s', 'none.json', '--strict');
      expect(none.stdout).toContain('no input of the schema is among 20000 that were made');
      expect(none.exit).toBe(3);
      expect(await run('old.rego', 'new.rego', '-s', 'wrong.json')).toMatchObject({
        exit: 2,
        stderr: expect.stringContaining('a schema must be an object or a boolean'),
      });
    });
  });
});

describe('writ diff --prove', () => {
  test('proves, refutes, and tells what never holds', async () => {
    const files = {
      'old.rego': policy('allow if input.n > 3'),
      'new.rego': policy('allow if input.n >= 3'),
      'conflict.rego': policy('allow := 1 if input.n > 3\n\nallow := 2 if input.n > 3'),
    };
    await withFiles(files, async (directory) => {
      const [old, next] = [join(directory, 'old.rego'), join(directory, 'new.rego')];
      const refuted = await runCommand('diff', '--prove', '-e', 'p/allow', old, next);
      expect(refuted.exit).toBe(1);
      expect(refuted.stdout).toMatch(/Refuted: p\/allow is the same \(after \d+\.\d s\)\.\n\nnewly allowed/);
      const never = await runCommand('diff', old, old, '--never', 'data.p.allow; input.n < 3');
      expect(never).toMatchObject({ exit: 0, stderr: '' });
      expect(never.stdout).toMatch(/Proved: never data\.p\.allow; input\.n < 3 \(after/);
      // Two values of a rule are an error, which is no solution.
      const conflict = await runCommand('diff', join(directory, 'conflict.rego'), next, '--never', 'data.p.allow', '--strict');
      expect(conflict.exit).toBe(1);
      const conflicts = await runCommand('diff', old, join(directory, 'conflict.rego'), '--never', 'data.p.allow', '-f', 'json');
      expect(JSON.parse(conflicts.stdout)).toMatchObject({ proofs: [{ answer: 'unknown' }] });
      const misspelt = await runCommand('diff', old, old, '--never', 'data.p.alow');
      expect(misspelt.stdout).toMatch(/Proved: never data\.p\.alow, with nothing at data\.p\.alow \(after/);
      const holds = await runCommand('diff', old, old, '--never', 'data.p.allow', '-f', 'json');
      expect(holds.exit).toBe(1);
      const { proofs } = JSON.parse(holds.stdout) as { proofs: readonly { answer: string; example: { input: object } }[] };
      expect(proofs[0]).toMatchObject({ answer: 'differs', example: { input: { n: expect.anything() } } });
    });
  });

  test('the time of an example is shown where its decisions ask for it', async () => {
    const files = {
      'old.rego': policy('allow if {\n\ttime.now_ns() > 1\n\tinput.a == 1\n}'),
      'new.rego': policy('allow if {\n\ttime.now_ns() > 1\n\tinput.a == 2\n}'),
      'timeless.rego': policy('allow if input.a == 2'),
    };
    await withFiles(files, async (directory) => {
      const run = async (next: string, ...args: string[]) =>
        (await runCommand('diff', join(directory, 'old.rego'), join(directory, next), ...args)).stdout;
      const time = '\\d{4}-\\d\\d-\\d\\dT[0-9:.]+Z';
      const shown = new RegExp(`  such   an input that was made, decided at ${time}\n`);
      expect(await run('new.rego', '--prove', '-e', 'p/allow')).toMatch(shown);
      expect(await run('new.rego', '-e', 'p/allow')).toMatch(shown);
      expect(await run('new.rego', '--never', 'data.p.allow')).toMatch(new RegExp(`: \\{"a":2\\}, at ${time} \\(after`));
      expect(await run('timeless.rego', '--never', 'data.p.allow')).toMatch(/: \{"a":2\} \(after/);
      const { proofs } = JSON.parse(await run('new.rego', '--prove', '-e', 'p/allow', '-f', 'json'));
      expect(proofs[0].example.timestamp).toMatch(new RegExp(`^${time}$`));
    });
  });

  test('a policy of version 0 is compared with its text of version 1', async () => {
    const files = {
      'old.rego': 'package p\n\nallow { input.a == 1; not input.b }\n\nallow { input.roles[_] == "admin" }\n',
      'new.rego': policy('allow if {\n\tinput.a == 1\n\tnot input.b\n}\n\nallow if "admin" in input.roles'),
    };
    await withFiles(files, async (directory) => {
      const versions = ['old.rego', 'new.rego'].map((name) => join(directory, name));
      const { exit, stdout } = await runCommand('diff', '--prove', '-e', 'p/allow', '--old-v0-compatible', ...versions);
      expect(stdout).toContain('Proved: p/allow is the same');
      expect(exit).toBe(0);
      expect((await runCommand('diff', '-e', 'p/allow', ...versions)).stderr).toContain('the old version');
    });
  });

  test('what it cannot answer is open, which is an error of its own with --strict', async () => {
    const text = policy('allow if {\n\tv := input.a[5000]\n\tv == 7.5\n}');
    await withFiles({ 'p.rego': text }, async (directory) => {
      const p = join(directory, 'p.rego');
      const args = ['diff', '--prove', '-e', 'p/allow', p, p];
      expect((await runCommand(...args)).exit).toBe(0);
      const strict = await runCommand(...args, '--strict');
      expect(strict.exit).toBe(3);
      expect(strict.stdout).toContain('Not proved: p/allow is the same: the index 5000 is too large');
    });
  });
});

function shown(value: Value | undefined): string {
  return value === undefined ? 'undefined' : toJson(value);
}
