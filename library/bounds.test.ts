/**
 * Policies of a few lines whose values have no end. Opening them takes as long as their text,
 * deciding as long as the caller's limit.
 */
import { describe, expect, test } from 'vitest';
import { compile } from '../compiler/compile.js';
import { emptyBundle } from '../engine/bundle/bundle.js';
import { Engine, EvaluationError } from './index.js';

const doublings = 59;

/** Ways to double a value: the text of a term that holds the last one twice. */
const forms: readonly (readonly [title: string, double: (last: string) => string])[] = [
  ['arrays', (last) => `[${last}, ${last}]`],
  ['objects', (last) => `{"a": ${last}, "b": ${last}}`],
  ['sets', (last) => `{${last}, [${last}]}`],
  ['sets of sets', (last) => `{${last}, {${last}}}`],
  ['objects with such keys', (last) => `{${last}: 1, [${last}]: 2}`],
];

/** A rule whose body doubles a constant again and again, and looks at the last. */
function policyOf(double: (last: string) => string): string {
  const lines = Array.from({ length: doublings }, (_, i) => `  x${i + 1} := ${double(`x${i}`)}`);
  return `package p\nq if {\n  x0 := {1}\n${lines.join('\n')}\n  x${doublings} == input\n}\n`;
}

async function ends(engine: Engine): Promise<void> {
  try {
    expect(engine.decide('p/q', [1], { timeMs: 50 })).toEqual({});
  } catch (error) {
    expect(error).toBeInstanceOf(EvaluationError);
    expect(error).toMatchObject({ code: 'eval_cancel_error', detail: 'query execution timed out' });
  }
}

describe.each(forms)('%s that double a constant again and again', (_title, double) => {
  const policies = { 'p.rego': policyOf(double) };

  test('end in a module', async () => {
    await ends(await Engine.open([{ policies }]));
  });

  test('end in a plan', async () => {
    const policy = compile({ policies, entrypoints: ['p/q'] });
    const plan = { path: 'plan.json', url: 'plan.json', bundlePath: '/plan.json', policy };
    await ends(await Engine.open([{ ...emptyBundle, plans: [plan] }]));
  });
});

test.each(['never', 'warm', 'always'] as const)(
  'literals of a plan, made ready in the first decision, take none of its limits (codegen %s)',
  async (codegen) => {
    const entries = Array.from({ length: 1000 }, (_, i) => `["a${i}"]: ${i}`);
    const policies = { 'p.rego': `package p\n\nq := {${entries}}[input]\n` };
    const policy: unknown = JSON.parse(JSON.stringify(compile({ policies, entrypoints: ['p/q'] })));
    const plan = { path: 'plan.json', url: 'plan.json', bundlePath: '/plan.json', policy };
    const engine = await Engine.open([{ ...emptyBundle, plans: [plan] }], { codegen });
    expect(engine.decide('p/q', ['a7'], { instructions: 2000 })).toEqual({ result: 7 });
  },
);

test('keys within keys within keys are found', async () => {
  const policy = `package p
q := x3[[x2]] if {
  x0 := {1}
  x1 := {x0: 1, [x0]: 2}
  x2 := {x1: 1, [x1]: 2}
  x3 := {x2: 1, [x2]: 2}
}`;
  const engine = await Engine.open([{ policies: { 'p.rego': policy } }]);
  expect(engine.decide('p/q')).toEqual({ result: 2 });
});
