import { describe, expect, test } from 'vitest';
import { Engine, EvaluationError, explanationText } from '../../library/index.js';
import { moduleOf, type WhyCase } from '../../test/harness/why/case.js';
import { whyCases } from '../../test/harness/why/cases.js';
import { expectExplanation } from '../../test/harness/why/explanation-schema.js';

function opened(one: WhyCase): Promise<Engine> {
  return Engine.open({ policies: { 't.rego': moduleOf(one) }, data: one.data ?? {} }, { regoVersion: one.regoVersion ?? 'v1' });
}

async function why(policy: string, path: string, input?: unknown, options = {}): Promise<string> {
  const engine = await Engine.open({ policies: { 't.rego': `package t\n\n${policy}` } });
  const { explanation } = await engine.explain(path, input, options);
  return explanationText(explanation);
}

describe('a decision is explained', () => {
  test.each(whyCases)('$title', async (one) => {
    const engine = await opened(one);
    const { explanation, error, ...decision } = await engine.explain(one.path, one.input, { depth: one.depth });
    expect(explanationText(explanation).split('\n')).toEqual([...one.text, '']);
    expectExplanation(JSON.parse(JSON.stringify(explanation)));
    if (error === undefined) expect(decision).toEqual(engine.decide(one.path, one.input));
    else expect(() => engine.decide(one.path, one.input)).toThrow(EvaluationError);
  });
});

test('of or, both sides are explained', async () => {
  const policy = 'package t\n\nimport future.keywords.or\n\nallow if input.a == 1 or input.b == 2';
  const capabilities = { features: ['rego_v1'], future_keywords: ['or'] };
  const engine = await Engine.open({ policies: { 't.rego': policy } }, { capabilities });
  const { explanation } = await engine.explain('t/allow', { a: 0, b: 0 });
  expectExplanation(explanation);
  expect(explanationText(explanation)).toBe(`data.t.allow is undefined: its rule does not hold

✗ allow  t.rego:5
  5 | allow if input.a == 1 or input.b == 2
    |          ^^^^^^^^^^^^^^^^^^^^^^^^^^^^ neither side holds
      5 | allow if input.a == 1 or input.b == 2
        |          ^^^^^^^^^^^^ input.a is 0, not 1
      5 | allow if input.a == 1 or input.b == 2
        |                          ^^^^^^^^^^^^ input.b is 0, not 2
`);
});

test('rules and values that are too many are counted', async () => {
  const rules = Array.from({ length: 60 }, (_, i) => `allow if input.x == ${i}`).join('\n');
  const text = await why(rules, 't/allow', { x: -1 });
  expect(text).toContain('none of its 60 rules holds');
  expect(text).toContain('… 10 more rules');
  expect((await why(rules, 't/allow', { x: -1 }, { rules: 2 })).match(/✗/g)).toHaveLength(2);
});

test('of a value only the beginning is shown', async () => {
  const engine = await Engine.open({ policies: { 't.rego': 'package t\nallow if startswith(input.x, "b")' } });
  const { explanation } = await engine.explain('t/allow', { x: 'a'.repeat(1000) }, { valueSize: 20 });
  expect(explanation.documents[0]!.rules[0]!.failed!.reads).toEqual([
    { text: 'input.x', value: { text: `"${'a'.repeat(19)}…` }, path: 'input.x' },
  ]);
});

test.each([
  ['one key', 'p[input.c].q := 1 if input.none else := 2 if input.b', { two: { q: 2 } }],
  ['a collection as key', 'p[[input.c]].q := 1 if input.none else := input.b', { '["two"]': { q: 1 } }],
  ['several keys', 'p[input.c].q[input.b] := 1 if input.none else := 2 if input.none else := 3', { two: { q: { 1: 3 } } }],
])('an else behind a head with %s gives its value there', async (_title, rule, value) => {
  const engine = await Engine.open({ policies: { 't.rego': `package t\n\n${rule}` } });
  const { result, explanation } = await engine.explain('t/p', { b: 1, c: 'two' });
  expect(result).toEqual(value);
  expect(explanation.documents[0]).toMatchObject({ outcome: 'value', value: { value } });
  expect(explanation.documents[0]!.rules.map(({ outcome }) => outcome)).toContain('holds');
});

test.each([
  ['a rule', 'p := data.u[input.k]', undefined, 'data.u has no "f", which is a function'],
  ['a rule with more keys', 'p := data.u[input.k].a[0]', undefined, 'data.u has no "f", which is a function'],
  ['a negation', 'p if not data.u[input.k]', true, 'data.u[input.k] = undefined'],
  ['a function of another package', 'p := data.x[input.l][input.k]', undefined, 'data.x[input.l] has no "f", which is a function'],
  ['a comprehension', 'p := [x | x := data.u[input.k]]', [], ''],
  ['every', 'p if every k in [input.k] { not data.u[k] }', true, ''],
  ['a base document beside the function', 'p := data.v[input.k]', 7, ''],
])('a key of the input may name a function: %s', async (_title, rule, value, text) => {
  const policies = {
    't.rego': `package t\n\n${rule}\n\nf(x) := x`,
    'u.rego': 'package u\n\nf(x) := x\n\ng := 1',
    'y.rego': 'package x.y\n\nf(x) := x',
    'v.rego': 'package v\n\nh(x) := x',
  };
  const engine = await Engine.open({ policies, data: { v: { f: 7 } } });
  const { result, explanation } = await engine.explain('t/p', { k: 'f', l: 'y' });
  expect(result).toEqual(value);
  expect(explanationText(explanation)).toContain(text);
});

test('a missing element of base data is the one that a text or a number denotes', async () => {
  const policies = { 't.rego': 'package t\n\np := data.d.rows[input.i].a' };
  const engine = await Engine.open({ policies, data: { d: { rows: [{}, { b: 1 }] } } });
  for (const i of ['"01"', '1.0', '1e0']) {
    const { explanation } = await engine.explain('t/p', JSON.parse(`{"i": ${i}}`));
    expect(explanationText(explanation)).toContain('data.d.rows[input.i] has no "a": it has "b"');
  }
});

test.each([
  ['a document', 'p := x if x := data.d.n with data.d.n as f', undefined],
  ['a rule', 'p := x if x := g with g as f\ng := 4', undefined],
  ['a part of what is read', 'p := x if x := data.d with data.d.n as f', undefined],
  ['what a negation reads', 'p if not data.d.n with data.d.n as f', true],
])('a function has no value for %s', async (_title, rules, value) => {
  const engine = await Engine.open({ policies: { 't.rego': `package t\n\n${rules}\nf(x) := x` }, data: { d: { n: 7 } } });
  const { result, explanation } = await engine.explain('t/p', { a: 1 });
  expect(result).toBe(value);
  expect(explanation.outcome).toBe(value === undefined ? 'undefined' : 'value');
  if (value === undefined) expect(explanationText(explanation)).toContain('a value of with is undefined');
});

test('non-deterministic built-ins answer the explanation as they answered the decision', async () => {
  const policy = 'number := rand.intn("x", 1000000000)\nat := time.now_ns()\nboth := [number, at] if number >= 0';
  const engine = await Engine.open({ policies: { 't.rego': `package t\n${policy}` } });
  const { result, explanation } = await engine.explain('t/both', {});
  expect(explanation.documents[0]!.value!.value).toEqual(result);
});

test('prints are printed once', async () => {
  const lines: string[] = [];
  const engine = await Engine.open({ policies: { 't.rego': 'package t\nallow if { print("x"); input.y }' } });
  await engine.explain('t/allow', {}, { onPrint: (line) => lines.push(line) });
  expect(lines).toEqual(['x']);
});

test('an explanation that takes too long is missing, and the decision is not', async () => {
  // The rule index skips the second rule, and the explanation does not.
  const policy = `package t
allow if input.x == 1
allow if {
  count([1 | some i in numbers.range(1, 2000); some j in numbers.range(1, 2000); i == j]) > 0
  input.x == 2
}`;
  const engine = await Engine.open({ policies: { 't.rego': policy } });
  const { result, explanation } = await engine.explain('t/allow', { x: 1 }, { instructions: 100_000 });
  expect(result).toBe(true);
  expect(explanation).toMatchObject({ missing: 'limit', outcome: 'value', documents: [] });
  expectExplanation(explanation);
});

describe('over plans', () => {
  const module = 'package t\n\nallow if input.x == 1\n';

  async function planned(modules: boolean, mask = ''): Promise<Engine> {
    const { planFor } = await import('../../test/harness/plans.js');
    const plan = planFor([module], 'result = data.t.allow');
    const named = { ...plan, plans: { plans: [{ ...plan.plans!.plans![0]!, name: 't/allow' }] } };
    const { emptyBundle } = await import('../bundle/bundle.js');
    const texts = Object.entries({ ...(modules && { 't.rego': module }), ...(mask !== '' && { 'mask.rego': mask }) });
    const files = texts.map(([path, text]) => ({ path, bundlePath: path, text }));
    return await Engine.open({ ...emptyBundle, modules: files, plans: [{ path: 'plan.json', policy: named }] } as never);
  }

  test('the policies beside a plan explain it', async () => {
    const engine = await planned(true);
    const { result, explanation } = await engine.explain('t/allow', { x: 2 });
    expect(result).toBe(undefined);
    expect(explanationText(explanation)).toContain('input.x is 2, not 1');
  });

  test('the mask policy beside a plan hides values', async () => {
    const engine = await planned(true, 'package system.log\n\nmask contains sprintf("/input/%s", [key]) if some key, _ in input.input\n');
    const { explanation } = await engine.explain('t/allow', { x: 2 });
    expect(explanationText(explanation)).toContain('input.x is [masked], not 1');
  });

  test('a mask policy beside a plan that ends with an error leaves no explanation', async () => {
    const engine = await planned(true, 'package system.log\n\nmask := ["/input/x"]\n\nmask := [] if input.input.x == 2\n');
    const { explanation } = await engine.explain('t/allow', { x: 2 });
    expect(explanation).toMatchObject({ missing: 'mask', documents: [] });
  });

  test('a plan alone has no source', async () => {
    const { explanation } = await (await planned(false)).explain('t/allow', { x: 1 });
    expect(explanation).toMatchObject({ outcome: 'value', missing: 'source', documents: [] });
    expect(explanation.summary).toBe(
      'data.t.allow is true; a plan answers it, and there is no policy source beside the plan to explain it with',
    );
  });
});

describe('values that the mask policy hides', () => {
  const mask =
    'package system.log\n\nmask contains "/input/password"\nmask contains {"op": "upsert", "path": "/input/user/admin", "value": 0}\n';

  async function masked(policy: string, input: unknown): Promise<string> {
    const engine = await Engine.open({ policies: { 't.rego': `package t\n\n${policy}`, 'mask.rego': mask } });
    const { explanation } = await engine.explain('t/allow', input);
    return `${explanationText(explanation)}${JSON.stringify(explanation)}`;
  }

  test.each([
    ['a ref', 'allow if input.password == "x"'],
    ['a variable', 'allow if {\n\tp := input.password\n\tp == "x"\n}'],
    ['the document around it', 'allow if count(input) > 9'],
    ['a text around it', 'allow if concat(":", ["pw", input.password]) == "x"'],
    ['an argument', 'allow if f(input.password)\nf(x) if x == 1'],
    ['an error of a built-in', 'allow if to_number(input.password) > 1'],
    ['a member of a set', 'allow if input.password in {"x"}'],
    ['the result', 'allow := input.password'],
  ])('are not shown as %s', async (_title, policy) => {
    const text = await masked(policy, { password: 'hunter2' });
    expect(text).not.toContain('hunter2');
    expect(text).toContain('[masked]');
  });

  test('are known by their place if they are true or false', async () => {
    const policy = 'allow if {\n\tinput.user.admin == false\n\tcount(input.user) > 5\n}';
    const text = await masked(policy, { user: { admin: false, name: 'al' } });
    expect(text).toContain('{"admin": "[masked]", "name": "al"}');
  });

  test('and without such a policy all are shown', async () => {
    expect(await why('allow if input.password == "x"', 't/allow', { password: 'hunter2' })).toContain('hunter2');
  });

  test('a mask policy that fails hides everything', async () => {
    const engine = await Engine.open({ policies: { 't.rego': 'package t\nallow if input.x', 'm.rego': 'package system.log\nmask := 7' } });
    const { result, explanation } = await engine.explain('t/allow', { x: 'secret' });
    expect(result).toBe(true);
    expect(explanation).toMatchObject({ missing: 'mask', documents: [] });
  });
});

test('sizes that are no whole numbers are refused', async () => {
  const engine = await Engine.open({ policies: { 't.rego': 'package t\nallow if input.x' } });
  await expect(engine.explain('t/allow', {}, { depth: -1 })).rejects.toMatchObject({ code: 'invalid_option' });
  await expect(engine.explain('t/allow', {}, { nosuch: 1 } as never)).rejects.toMatchObject({ code: 'invalid_option' });
});

test('other work goes on while a long explanation is made', async () => {
  const policy = 'package t\n\nallow if {\n\tsome x in data.xs\n\tx.a == input.a\n\tx.b == 1\n}\n';
  const data = { xs: Array.from({ length: 30_000 }, () => ({ a: 1, b: 2 })) };
  const engine = await Engine.open({ policies: { 't.rego': policy }, data });
  const turns = async (input: unknown): Promise<number> => {
    let count = 0;
    let timer = setImmediate(function next() {
      count++;
      timer = setImmediate(next);
    });
    await engine.explain('t/allow', input);
    clearImmediate(timer);
    return count;
  };
  // A busy machine only adds turns.
  const fewest = async (input: unknown) => Math.min(await turns(input), await turns(input), await turns(input));
  expect(await fewest({ a: 1 })).toBeGreaterThan((await fewest({})) + 5);
});

interface ShownReads {
  readonly member: string;
  readonly paths: Readonly<Record<string, string | undefined>>;
}

/** The members of a set, with the paths behind the values that their reasons read. */
async function pathsBehind(policy: string, input: unknown, options = {}): Promise<readonly ShownReads[]> {
  const engine = await Engine.open({ policies: { 't.rego': `package t\n\n${policy}` } });
  const { explanation } = await engine.explain('t/deny', input, options);
  expectExplanation(JSON.parse(JSON.stringify(explanation)));
  return explanation.documents[0]!.rules.flatMap(({ member, held = [], others = [] }) =>
    (member === undefined ? [] : [{ member, held }, ...others]).map((one) => ({
      member: one.member.text,
      paths: Object.fromEntries((one.held ?? []).flatMap(({ reads }) => reads.map(({ text, path }) => [text, path] as const))),
    })),
  );
}

test('each of the first members of a set has its own reason, with paths of the input', async () => {
  const policy = `deny contains c.name if {
	some c in input.spec.containers
	not c.security.nonRoot
}`;
  const containers = ['a', 'b', 'c', 'd'].map((name) => ({ name, ...(name === 'b' && { security: { nonRoot: true } }) }));
  const found = await pathsBehind(policy, { spec: { containers } });
  expect(found).toEqual(
    ['a', 'c', 'd'].map((name) => {
      const part = `input.spec.containers[${'abcd'.indexOf(name)}]`;
      const paths = { c: part, 'c.security.nonRoot': `${part}.security.nonRoot`, 'input.spec.containers': 'input.spec.containers' };
      return { member: `"${name}"`, paths };
    }),
  );
});

test.each([
  ['a function', 'bad(n) if startswith(n, "x")\n\ndeny contains "m" if bad(input.users[1])', 'input.users[1]', 'input.users[1]'],
  [
    'a comprehension',
    'names := [u | some u in input.users]\n\ndeny contains n if {\n\tsome n in names\n\tn == "xb"\n}',
    'n',
    'input.users[1]',
  ],
  ['a local', 'deny contains "m" if {\n\tu := input["a-b"]\n\tu.c == 1\n}', 'u.c', 'input["a-b"].c'],
  ['a built-in', 'deny contains "m" if {\n\tn := count(input.users)\n\tn > 1\n}', 'n', 'input.users'],
  ['two parts', 'deny contains "m" if {\n\tn := concat("", [input.users[0], input.users[1]])\n\tn != ""\n}', 'n', undefined],
  ['data', 'x := 1\n\ndeny contains "m" if x > 0', 'x', undefined],
  ['another input', 'deny contains "m" if input.users[0] == "q" with input as {"users": ["q"]}', 'input.users[0]', undefined],
])('the path behind a value, through %s', async (_title, policy, text, path) => {
  const [found] = await pathsBehind(policy, { users: ['a', 'xb'], 'a-b': { c: 1 } });
  expect(found!.paths).toHaveProperty([text]);
  expect(found!.paths[text]).toBe(path);
});

test('the path behind a parameter is that of the argument', async () => {
  const policy = 'package t\n\nbad(n) if startswith(n, "x")\n\nbad(m) if endswith(m, "y")\n\nallow if {\n\tbad(input.a.b)\n}';
  const engine = await Engine.open({ policies: { 't.rego': policy } });
  const { explanation } = await engine.explain('t/allow', { a: { b: 'q' } });
  const [called] = explanation.documents[0]!.rules[0]!.failed!.documents!;
  expect(called!.rules.map(({ failed }) => failed!.reads.map(({ text, path }) => [text, path]))).toEqual([
    [['n', 'input.a.b']],
    [['m', 'input.a.b']],
  ]);
});

test.each([
  ['a rule', 'some n in input.ns\n\thas(n, xs)'],
  ['a comprehension', 'some n in input.ns\n\thas(n, {x | some x in data.xs})'],
  ['a local', 'ys := xs\n\tsome n in input.ns\n\thas(n, ys)'],
])('the last operand of a call takes no value: %s', async (_title, body) => {
  const policy = `package t\n\nxs contains x if some x in data.xs\n\nhas(n, all) if n in all\n\nallow if {\n\t${body}\n}`;
  const engine = await Engine.open({ policies: { 't.rego': policy }, data: { xs: [1, 2] } });
  const { explanation } = await engine.explain('t/allow', { ns: [7] });
  const called = explanation.documents[0]!.rules[0]!.failed!.documents!.find(({ name }) => name.startsWith('data.t.has'))!;
  const paths = called.rules.map(({ failed }) => failed!.reads.map(({ text, path }) => [text, path]));
  expect(paths).toEqual([
    [
      ['n', 'input.ns[0]'],
      ['all', undefined],
    ],
  ]);
});

test('a path with a masked text is left out', async () => {
  const mask = 'package system.log\n\nmask contains "/input/token"';
  const policy = 'package t\n\nallow if input.uses.s3cret > input.uses.other';
  const engine = await Engine.open({ policies: { 't.rego': policy, 'm.rego': mask } });
  const { explanation } = await engine.explain('t/allow', { token: 's3cret', uses: { s3cret: 1, other: 2 } });
  const { reads } = explanation.documents[0]!.rules[0]!.failed!;
  expect(reads.map(({ path }) => path)).toEqual([undefined, 'input.uses.other']);
});
