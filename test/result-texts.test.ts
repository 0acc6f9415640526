/** Results of decisions on objects are those on texts, bytes that are no UTF-8 included. */
import { describe, expect, test } from 'vitest';
import { Engine } from '../library/index.js';

const policy = `package t

byte := base64.decode("/w==")

text := concat("", ["a", byte, "é😀"])

nested := {"list": [byte, {"in": [text]}], "set": {byte, "z"}, "plain": "p"}

keys := {byte: 1, "b": {text: byte}}

mixed := {1: byte, byte: 2, [byte]: 3}

halves := {"x": input.half, input.half: "x"}

whole := "é😀"
`;

const half = '\ud83d';
const paths = ['byte', 'text', 'nested', 'keys', 'mixed', 'halves', 'whole'];

async function* answersOf(engine: Engine, path: string, input: unknown): AsyncIterable<unknown> {
  yield engine.decide(path, input).result;
  yield (await engine.decideAsync(path, input)).result;
  yield (await engine.prepare(path)).decide(input).result;
  yield (await engine.decideMany(path, [input]))[0]!.result;
  // Warm decisions run in generated code.
  for (let i = 0; i < 200; i++) engine.decide(path, input);
  yield engine.decide(path, input).result;
}

describe.each(paths)('t/%s', (name) => {
  test('is one result in all ways', async () => {
    const engine = await Engine.open({ policies: { 't.rego': policy } });
    const wanted = JSON.parse(engine.decideText(`t/${name}`, JSON.stringify({ half }))).result;
    expect(JSON.stringify(wanted)).not.toMatch(/\\ud/i);
    for await (const result of answersOf(engine, `t/${name}`, { half })) expect(result).toEqual(wanted);
  });
});

describe('of equal numbers in several forms', () => {
  test.each([
    ['an object has the first key and the last value', 'p := {1.0: "c", 1: "a"}', '{"1.0":"a"}'],
    ['with a value that is known at run time', 'p := {1.0: input.x, 1: "a", 1e0: "b"}', '{"1.0":"b"}'],
    ['as parts of keys', 'p := {[1.0]: "c", [1]: "a"}', '{"[1.0]":"a"}'],
    ['a comprehension has the first key', 'p := {k: 1 | some k in [1.0, 1]}', '{"1.0":1}'],
    ['a set has the first member', 'p := {1.0, 1}', '[1.0]'],
    ['a member is shown as it was asked for', 'p := [{1, 2}[2.0], {[1]}[[1.0]], {1.0, 2}[1]]', '[2.0,[1.0],1]'],
    ['so it is by a key known at run time', 'p := {1, 2}[input.x]', '1.0'],
  ])('%s', async (_title, rule, wanted) => {
    for (const codegen of ['always', 'never'] as const) {
      const engine = await Engine.open({ policies: { 't.rego': `package t\n\n${rule}` } }, { codegen });
      expect(engine.decideText('t/p', '{"x": 1.0}')).toBe(`{"result":${wanted}}`);
    }
  });
});
