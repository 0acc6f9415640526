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
