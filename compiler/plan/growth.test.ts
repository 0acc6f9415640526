/**
 * The size of plans grows as policies do. So does the time to plan, which `WRIT_SHOW_GROWTH=1`
 * shows beside it.
 */
import { expect, test } from 'vitest';
import { compileFor, queryFor, statementsOf } from '../../test/harness/plans.js';
import { plan } from './planner.js';

type Generate = (size: number) => { readonly texts: readonly string[]; readonly query?: string };

function lines(size: number, line: (i: number) => string): string {
  return Array.from({ length: size }, (_, i) => line(i)).join('\n');
}

const library = lines(20, (i) => `allow if { input.a == ${i}; data.users[input.b]; http.send({"url": "u"}).status == ${i} }`);

const cases: readonly (readonly [title: string, size: number, generate: Generate])[] = [
  ['rules under one head', 1000, (n) => ({ texts: [lines(n, (i) => `p if input.x == ${i}`)], query: 'data.t.p' })],
  ['names in the path of a rule', 300, (n) => ({ texts: [`p.${Array.from({ length: n }, (_, i) => `s${i}`).join('.')} := 1`] })],
  ['members of a set', 1000, (n) => ({ texts: [lines(n, (i) => `p contains ${i} if input.x[${i}]`)], query: 'data.t.p' })],
  ['bodies of a function', 1000, (n) => ({ texts: [lines(n, (i) => `p(${i}) := "a${i}"`)], query: 'data.t.p(1)' })],
  ['rules in a package', 1000, (n) => ({ texts: [lines(n, (i) => `p${i} if input.x == ${i}`)], query: 'data.t' })],
  ['rules that read the one before', 500, (n) => ({ texts: [`p0 := 1\n${lines(n, (i) => `p${i + 1} := p${i}`)}`], query: `data.t.p${n}` })],
  ['a literal', 1000, (n) => ({ texts: [`p := {\n${lines(n, (i) => `"k${i}": [${i}, "x", {"y": null}],`)}\n}`], query: 'data.t.p' })],
  ['literals', 500, (n) => ({ texts: [lines(n, (i) => `p contains x if { x := {"a": ${i}, "b": [${i}, 1, 2]} }`)], query: 'data.t.p' })],
  ['expressions of a body', 500, (n) => ({ texts: [`p if {\n${lines(n, (i) => `input.x${i} == ${i}`)}\n}`], query: 'data.t.p' })],
  ['variables of a body', 500, (n) => ({ texts: [`p if {\n${lines(n, (i) => `x${i} := input.x${i}`)}\n}`], query: 'data.t.p' })],
  [
    'modifiers in a body',
    500,
    (n) => ({ texts: [`p if {\n${lines(n, (i) => `x${i} := data.x with data.x as input.y${i}`)}\n}`], query: 'data.t.p' }),
  ],
  [
    'comprehensions in a body',
    500,
    (n) => ({ texts: [`p if {\n${lines(n, (i) => `x${i} := [y | y := input.a[_]; y > ${i}]`)}\n}`], query: 'data.t.p' }),
  ],
  ['else', 200, (n) => ({ texts: [`p := 0 if input.x\n${lines(n, (i) => `else := ${i} if input.x${i}`)}`], query: 'data.t.p' })],
  ['unified arrays', 500, (n) => ({ texts: [`p if [${lines(n, (i) => `x${i},`)}] = [${lines(n, (i) => `${i},`)}]`], query: 'data.t.p' })],
  [
    'packages enumerated',
    200,
    (n) => ({
      texts: Array.from({ length: n }, (_, i) => `package e.p${i}\ndeny contains "${i}" if input.x == ${i}`),
      query: 'data.e[x].deny[y]',
    }),
  ],
  [
    'packages of packages enumerated',
    200,
    (n) => ({
      texts: Array.from({ length: n }, (_, i) => `package e.k${i % 7}.p${i}\ndeny contains "${i}"`),
      query: 'data.e[x][y].deny[z]',
    }),
  ],
  [
    'packages by a key that is known at run time',
    200,
    (n) => ({
      texts: Array.from({ length: n }, (_, i) => `package e.p${i}\ndeny contains "${i}"`),
      query: 'k = input.k; data.e[k].deny[y]',
    }),
  ],
  [
    'tests under the same modifiers',
    200,
    (n) => ({
      texts: [
        `package lib\n${library}`,
        lines(
          n,
          (i) =>
            `test_${i} if { data.lib.allow with input.a as ${i} with input.b as "b${i}" with data.users as {"u${i}": 1} with http.send as {"status": 1} with time.now_ns as 5 }`,
        ),
      ],
      query: 'data.t',
    }),
  ],
  [
    'tests under modifiers of their own',
    100,
    (n) => ({
      texts: [
        `package lib\n${library}`,
        lines(
          n,
          (i) => `test_${i} if { data.lib.allow with input.a as ${i} with http.send as {"status": ${i}} with data.lib.none as ${i} }`,
        ),
      ],
      query: 'data.t',
    }),
  ],
];

function measure(generate: Generate, size: number): { readonly statements: number; readonly time: number } {
  const { texts, query = 'data.t' } = generate(size);
  const compiled = compileFor(texts, { errorLimit: 0 });
  const request = { name: 'eval', query: queryFor(compiled, query) };
  const times: number[] = [];
  for (let i = 0; i < 3; i++) {
    const start = performance.now();
    plan(compiled, [request]);
    times.push(performance.now() - start);
  }
  return { statements: statementsOf(plan(compiled, [request])).length, time: Math.min(...times) };
}

test.each(cases)('%s: plans grow as they do', (title, size, generate) => {
  const small = measure(generate, size);
  const large = measure(generate, size * 4);
  if (process.env.WRIT_SHOW_GROWTH) {
    console.log(`${title}: ${small.statements} → ${large.statements} statements, ${small.time.toFixed(1)} → ${large.time.toFixed(1)} ms`);
  }
  expect(large.statements / small.statements).toBeLessThan(4.5);
});

test.each([
  ['iterations', lines(600, (i) => `input.x${i}[_] == ${i}`)],
  ['modifiers', `input.x == 1${Array.from({ length: 600 }, (_, i) => ` with input.x${i} as ${i}`).join('')}`],
])('%s that nest deeper than plans may are complained about at their place', (_title, body) => {
  const compiled = compileFor(`p if {\n${body}\n}`);
  expect(() => plan(compiled, [{ name: 'p', path: ['t', 'p'] }])).toThrow(/0\.rego:\d+: rego_compile_error: .*nested more than 500/);
});
