import { expect, test } from 'vitest';
import { Engine } from '../../engine/engine.js';
import { PreparedDecisions } from './prepared-decisions.js';

async function decisions() {
  const engine = new Engine();
  await engine.commit({ policies: new Map([['p.rego', 'package p\nx := 1']]) });
  return { engine, prepared: new PreparedDecisions(engine, { timeMs: 1000 }) };
}

test('a decision is kept by the path of its request, for each name by itself', async () => {
  const { prepared } = await decisions();
  let made = 0;
  const at = (name: string, path: string) =>
    prepared.at(name, path, () => {
      made++;
      return path.slice(1).split('/');
    });
  const first = at('GET', '/p/x');
  expect(at('GET', '/p/x')).toBe(first);
  expect(at('POST', '/p/x')).not.toBe(first);
  expect(at('GET', '/p')).not.toBe(first);
  expect(made).toBe(3);
  expect(first).toMatchObject({ path: ['p', 'x'], text: 'p/x' });
  expect(await first.decision.decide(undefined, ({ value }) => value)).toBe(1);
});

test('a kept decision is made by the policies as they are', async () => {
  const { engine, prepared } = await decisions();
  const value = () => prepared.at('GET', '/p/x', () => ['p', 'x']).decision.decide(undefined, (decided) => decided.value);
  expect(await value()).toBe(1);
  await engine.commit({ policies: new Map([['p.rego', 'package p\nx := 2']]) });
  expect(await value()).toBe(2);
  await engine.commit({ policies: new Map([['p.rego', undefined]]) });
  expect(await value()).toBeUndefined();
});

test('a long path is not kept', async () => {
  const { prepared } = await decisions();
  const path = `/p/${'x'.repeat(2000)}`;
  expect(prepared.at('GET', path, () => ['p'])).not.toBe(prepared.at('GET', path, () => ['p']));
});

test('a path that no document can have is refused each time', async () => {
  const { prepared } = await decisions();
  for (let i = 0; i < 2; i++) {
    expect(() =>
      prepared.at('GET', '/%', () => {
        throw new Error('no such path');
      }),
    ).toThrow('no such path');
  }
});
