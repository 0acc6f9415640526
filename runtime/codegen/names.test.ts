/** The page about generated code tells each name that it uses. */
import { readdirSync, readFileSync } from 'node:fs';
import fc from 'fast-check';
import { expect, test } from 'vitest';
import { compileQuery } from '../../compiler/pipeline.js';
import { plan } from '../../compiler/plan/planner.js';
import { parseQuery } from '../../compiler/syntax/query.js';
import type { Policy } from '../../ir-schema/plan.js';
import { generatePolicy } from '../../test/generators/plans/plan-generator.js';
import { generateSetPolicy, generateShapedPolicy } from '../../test/generators/shaped/rules.js';
import { compileTexts } from '../../test/harness/complaints.js';
import { generatedText } from '../../test/harness/generated-text.js';
import { expandPlan, type ShortBlock, type ShortPolicy } from '../../test/harness/short-plan.js';
import { assemble } from '../bytecode/assemble.js';
import { outerNames } from './program-text.js';
import { support } from './support.js';

const root = new URL('../../', import.meta.url);

/** The names of the page's tables; a number is an N. */
const told = [...readFileSync(new URL('docs/internals/codegen.md', root), 'utf8').matchAll(/^\| (`[\w, `]+`) \|/gm)].flatMap(([, names]) =>
  [...names!.matchAll(/\w+/g)].map(([name]) => name),
);

/** Words of JavaScript, and its objects. */
const words =
  /^(?:break|catch|const|continue|else|false|function|if|instanceof|let|new|null|return|throw|true|try|typeof|undefined|while|for|Array|Math|Number|Object)$/;

/** The names in a listing. */
function namesIn(listing: string): string[] {
  const code = listing
    .replace(/"(?:[^"\\]|\\.)*"/g, '""')
    .replace(/\/\/.*/g, '')
    .replace(/\/\^[^/]+\/\w*(?=\.)/g, '');
  const names = [...code.matchAll(/(?<![\w$.])[A-Za-z_$][\w$]*/g)].map(([name]) => name);
  return names.filter((name) => !words.test(name) && !Object.hasOwn(support, name)).map((name) => name.replace(/\d+/g, 'N'));
}

function* plans(): Generator<Policy> {
  const folder = new URL('fixtures/programs/', root);
  for (const file of readdirSync(folder)) {
    for (const row of JSON.parse(readFileSync(new URL(file, folder), 'utf8')) as { plan: ShortPolicy }[]) yield expandPlan(row.plan);
  }
  const choices = (maxLength: number) => fc.noBias(fc.array(fc.nat(1000), { maxLength, size: 'max' }));
  for (const sample of fc.sample(choices(500), { numRuns: 50, seed: 1 })) {
    yield expandPlan(generatePolicy(sample, { withoutEarlyExit: false }));
  }
  for (const generate of [generateShapedPolicy, generateSetPolicy]) {
    for (const sample of fc.sample(choices(1500), { numRuns: 60, seed: 1 })) {
      const { texts, queries } = generate(sample);
      const compiled = compileTexts(texts);
      if (compiled.diagnostics.length > 0) continue;
      yield plan(
        compiled,
        queries.map((query, i) => ({ name: `q${i}`, query: compileQuery(compiled, parseQuery(query)) })),
      );
    }
  }
  const rules = ['r contains path if walk(input, [path, _])', 'f(x) := 1 if x in r', 'f(x) := 2 if not x in r', 'q := f(input)'];
  const compiled = compileTexts([`package p\n\n${rules.join('\n\n')}\n`]);
  yield plan(compiled, [{ name: 'q', query: compileQuery(compiled, parseQuery('data.p.q')) }]);
  yield longPlan(
    (i) => `key ${i}`,
    () => 'value',
  );
  yield longPlan(
    () => 'key',
    (i) => `value ${i}`,
  );
}

/** A plan whose function is split: by size, or by the constants of its rules. */
function longPlan(key: (i: number) => string, value: (i: number) => string): Policy {
  const rules = Array.from(
    { length: 300 },
    (_, i): ShortBlock => [
      ['Dot', { source: 0, key: key(i), target: 4 }],
      ['Equal', { a: 4, b: value(i) }],
      ['Dot', { source: 0, key: 'result', target: 5 }],
      ['AssignVarOnce', { source: 5, target: i % 2 === 0 ? 3 : 6 }],
    ],
  );
  const main: ShortBlock = [['Call', { func: 'f', args: [0, 1], result: 2 }]];
  return expandPlan({ plans: { main: [main] }, funcs: { f: { return: 3, blocks: [...rules, [['ReturnLocal', { source: 3 }]]] } } });
}

test('the page tells each name of generated code, and no other', () => {
  const used = new Set<string>(outerNames);
  for (const policy of plans()) for (const name of namesIn(generatedText(assemble(policy)))) used.add(name);
  expect([...new Set(told)].sort()).toEqual([...used].sort());
});
