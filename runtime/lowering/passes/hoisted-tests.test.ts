import { describe, expect, test } from 'vitest';
import { Engine } from '../../../library/index.js';
import type { PlainObject } from '../../../values/value.js';

const rows = (count: number, kind: string) => Array.from({ length: count }, (_, i) => ({ id: i, kind }));

/** The work of a decision: the least limit of instructions, to a fifth, that it does not reach. */
async function workOf(body: string, input: PlainObject): Promise<number> {
  const text = `package t\n\npairs contains [a.id, b.id] if {\n${body}\n}\n`;
  const engine = await Engine.open([{ policies: { 't.rego': text } }], { codegen: 'always' });
  for (let instructions = 10; ; instructions = Math.ceil(instructions * 1.2)) {
    try {
      engine.decide('t/pairs', input, { instructions });
      return instructions;
    } catch {
      // More.
    }
  }
}

describe('tests that are the same in each round', () => {
  const input = { xs: rows(40, 'x'), ys: rows(40, 'y'), wanted: 'z', list: ['z'] };

  test.each([
    ['a comparison', 'a.kind == input.wanted'],
    ['a relation', 'a.id > 100'],
    ['a negation', 'not a.kind'],
    ['a member', 'a.kind in input.list'],
  ])('%s stands before the loop', async (_title, condition) => {
    const written = await workOf(`some a in input.xs\nsome b in input.ys\nb.kind != 1\n${condition}`, input);
    // Of 1,600 rounds of both loops, the 40 of the outer one are left.
    expect(written).toBeLessThan(400);
  });

  test.each([
    ['a test of the round', 'a.kind == b.kind', '[[0,0]]'],
    ['a test below a call that may fail', 'to_number(b.kind) > 0\na.kind == "y"', '[]'],
    ['a test of a value that is missing', 'a.other == "x"', '[]'],
    ['a test that holds', 'a.kind == "x"', '[[0,0]]'],
  ])('%s has the result that it has in the loop', async (_title, condition, pairs) => {
    const text = `package t\n\npairs contains [a.id, b.id] if {\nsome a in input.xs\nsome b in input.ys\n${condition}\n}\n`;
    for (const codegen of ['always', 'never'] as const) {
      const engine = await Engine.open([{ policies: { 't.rego': text } }], { codegen });
      const given = { xs: rows(1, 'x'), ys: rows(1, 'x') };
      expect(engine.decideText('t/pairs', JSON.stringify(given))).toBe(`{"result":${pairs}}`);
      expect(engine.decideText('t/pairs', JSON.stringify({ ...given, ys: [] }))).toBe('{"result":[]}');
    }
  });

  test('errors of built-ins before them are told', async () => {
    const text = 'package t\n\nallow if {\nsome a in input.xs\nsome b in input.ys\nto_number(b.kind) > 0\na.kind == "z"\n}\n';
    const engine = await Engine.open([{ policies: { 't.rego': text } }], { codegen: 'always' });
    expect(() => engine.decide('t/allow', input, { strictBuiltinErrors: true })).toThrow(/to_number/);
  });

  test('a loop under `not`, and what stands behind a loop, are as before', async () => {
    const text = `package t

none if not some_pair

some_pair if {
	some a in input.xs
	some b in input.ys
	a.kind == input.wanted
	b.id == a.id
}

counted := [count([b | some b in input.ys; a.kind == input.wanted]) | some a in input.xs]

all_same if every b in input.ys { input.wanted == "z"; b.kind == "y" }
`;
    const engine = await Engine.open([{ policies: { 't.rego': text } }], { codegen: 'always' });
    expect(engine.decide('t/none', input)).toEqual({ result: true });
    expect(engine.decide('t/none', { ...input, wanted: 'x' })).toEqual({});
    expect(engine.decide('t/counted', { ...input, xs: rows(2, 'z') })).toEqual({ result: [40, 40] });
    expect(engine.decide('t/counted', { ...input, xs: rows(2, 'y') })).toEqual({ result: [0, 0] });
    expect(engine.decide('t/all_same', input)).toEqual({ result: true });
    expect(engine.decide('t/all_same', { ...input, wanted: 'y' })).toEqual({});
    expect(engine.decide('t/all_same', { ys: [] })).toEqual({ result: true });
  });
});
