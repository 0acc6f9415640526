/**
 * Decisions of an engine, between which random documents are written, are those of an engine that
 * was opened with the documents as they are.
 */
import fc from 'fast-check';
import { expect, test } from 'vitest';
import { CompileErrors, Engine, EvaluationError } from '../../library/index.js';
import { isLongSearch, randomCases } from '../../test/harness/set-up/random-cases.js';

const keys = ['a', 'b', 'c'];
const key = fc.constantFrom(...keys);
const path = fc.array(key, { minLength: 1, maxLength: 3 });

interface Tree {
  readonly [key: string]: Document;
}
type Document = number | string | readonly number[] | Tree;

const leaf: fc.Arbitrary<Document> = fc.oneof(fc.nat(3), key, fc.array(fc.nat(2), { maxLength: 3 }));
const tree = (depth: number): fc.Arbitrary<Tree> =>
  fc.dictionary(key, depth === 0 ? leaf : fc.oneof({ weight: 3, arbitrary: tree(depth - 1) }, leaf), { maxKeys: 3 });

/** Terms of the data, of a rule declared before, and of the input. */
const term = (rules: number): fc.Arbitrary<string> => {
  const document = path.map((segments) => ['data.d', ...segments].join('.'));
  const rows: fc.WeightedArbitrary<string>[] = [{ weight: 8, arbitrary: document }];
  if (rules > 0) rows.push({ weight: 4, arbitrary: fc.nat(rules - 1).map((i) => `r${i}`) });
  rows.push({ weight: 1, arbitrary: fc.constant('input') }, { weight: 1, arbitrary: fc.constant('data.d[input]') });
  return fc.oneof(...rows);
};

const forms: readonly ((name: string, one: string, other: string) => string)[] = [
  (name, one) => `${name} contains [k, v] if some k, v in ${one}`,
  (name, one, other) => `${name} contains k if { some k, _ in ${one}; some v in ${other}; v != 1 }`,
  (name, one, other) => `${name} := {k: x | some k, v in ${one}; x := object.get(v, "a", ${other})}`,
  (name, one) => `${name}[k] := count(v) if some k, v in ${one}`,
  (name, one, other) => `${name} := all(${one}) if count(all(${one})) > 1\n\nelse := all(${other})`,
  (name, one, other) => `default ${name} := "none"\n${name} := [v.b | some v in ${one}] if ${other} != 2`,
  (name, one, other) => `${name} := x if x := all(data.d.a) with data.d as {"a": [${one}], "b": ${other}}`,
  (name, one) => `${name} := [v | walk(${one}, v)]`,
  (name, one, other) => `${name} if every v in ${one} { some w in ${other}; w == v }`,
];

const policies = fc
  .integer({ min: 2, max: 5 })
  .chain((count) =>
    fc.tuple(
      ...Array.from({ length: count }, (_, i) =>
        fc.tuple(fc.constantFrom(...forms), term(i), term(i)).map(([form, one, other]) => form(`r${i}`, one, other)),
      ),
    ),
  );

const write = fc.tuple(path, fc.option(fc.oneof(leaf, tree(1)), { nil: undefined }));

/** The answer as text, or the error. */
function answerOf(engine: Engine, rule: string, input: string): string {
  try {
    return engine.decideText(`t/${rule}`, JSON.stringify(input));
  } catch (error) {
    if (error instanceof EvaluationError) return `${error.code} ${error.message}`;
    throw error;
  }
}

const runs = randomCases(100);

test('with random policies', async () => {
  let compiled = 0;
  const property = fc.asyncProperty(
    policies,
    tree(2),
    fc.array(write, { minLength: 1, maxLength: 6 }),
    fc.boolean(),
    fc.constantFrom('always', 'never'),
    async (rules, before, writes, ownsData, codegen) => {
      const source = `package t\n\nall(x) := [v | some v in x]\n\n${rules.join('\n\n')}\n`;
      const open = (documents: unknown) =>
        Engine.open([{ policies: { 't.rego': source }, data: structuredClone(documents) as Tree }], { ownsData, codegen });
      const engine = await open({ d: before, beside: 1 }).catch(refused);
      if (engine === undefined) return;
      compiled++;
      for (const [segments, value] of [[[], undefined] as const, ...writes]) {
        if (segments.length > 0) await engine.setData(['d', ...segments].join('/'), structuredClone(value)).catch(ignored);
        const fresh = await open(engine.data);
        for (const input of ['a', 'b', 'a', 'c']) {
          for (const name of [...rules.keys()].map((i) => `r${i}`)) {
            const shown = `${name} ${input} ${JSON.stringify(engine.data)}\n${source}`;
            expect(`${shown}${answerOf(engine, name, input)}`).toBe(`${shown}${answerOf(fresh, name, input)}`);
          }
        }
      }
    },
  );
  await fc.assert(property, { numRuns: runs, endOnFailure: !isLongSearch });
  expect(compiled).toBeGreaterThan(runs / 2);
});

/** A policy whose types cannot agree. */
function refused(error: unknown): undefined {
  if (!(error instanceof CompileErrors)) throw error;
}

/** A write of nothing, or below something that is no object. */
function ignored(error: unknown): void {
  if ((error as { code?: string }).code !== 'invalid_path') throw error;
}
