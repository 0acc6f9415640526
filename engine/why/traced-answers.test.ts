import { expect, test } from 'vitest';
import type { Value } from '../../values/value.js';
import { Engine } from '../engine.js';
import type { TraceOptions } from '../evaluation/trace.js';

type Decided = NonNullable<TraceOptions['decided']>;

const policy = `package p

x := false

y := {"a"}

conflict := x if some x in [1, 2]

now if time.now_ns() > 0
`;

async function traced(rule: string, decided: Pick<Decided, 'as' | 'value'>): Promise<void> {
  const engine = new Engine({});
  await engine.commit(() => ({ policies: new Map([['p.rego', policy]]) }));
  const options: TraceOptions = { mode: 'fails', known: new Map(), prints: false, decided: { asked: `data.p.${rule}`, ...decided } };
  await engine.trace({ path: ['p', rule] }, undefined, options);
}

test.each<readonly [string, Decided['as'], Value | undefined, Value | undefined]>([
  ['x', 'document', false, undefined],
  ['x', 'truth', undefined, true],
  ['x', 'solution', true, undefined],
  ['y', 'truth', undefined, true],
  ['none', 'truth', undefined, true],
])('a trace of %s as a %s is compared with the answer', async (rule, as, right, wrong) => {
  await traced(rule, { as, value: right });
  await expect(traced(rule, { as, value: wrong })).rejects.toThrow(/^internal fault: the explanation of data\.p\.\w+ comes to /);
});

test('a conflict in a trace may stand where the program did not come to', async () => {
  await traced('conflict', { as: 'truth', value: true });
});

test('results that the decision did not note are other ones', async () => {
  await traced('now', { as: 'truth', value: undefined });
});
