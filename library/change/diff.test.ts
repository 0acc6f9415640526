import { expect, test } from 'vitest';
import { diff, Engine } from '../index.js';

const policy = (least: number) => ({ policies: { 'p.rego': `package p\n\nallow if input.n > ${least}\n` } });

test('two versions are compared by inputs that are made', async () => {
  const { outcome, search } = await diff(policy(3), policy(4), { entrypoints: ['p/allow'] });
  expect(outcome).toBe('differs');
  expect(search?.groups).toMatchObject([{ kind: 'denied', example: { input: { n: 4 }, old: { value: true }, new: {} } }]);
});

test('an engine is compared with other policies by the events of a log', async () => {
  await using engine = await Engine.open(policy(3));
  const events = [4, 5].map((n) => ({ path: 'p/allow', input: { n }, result: true }));
  const report = await diff(engine, policy(4), { events });
  expect(report).toMatchObject({ outcome: 'differs', replay: { same: 1, different: 1, kinds: { denied: 1 } } });
  expect(report.search).toBeUndefined();
  // It is open still.
  expect(engine.decide('p/allow', { n: 4 })).toEqual({ result: true });
});

test('what cannot be compared is refused', async () => {
  await expect(diff(policy(3), policy(4))).rejects.toMatchObject({ code: 'invalid_option' });
  await expect(diff(policy(3), { policies: { 'p.rego': 'package p\n\nallow if x\n' } })).rejects.toThrow('rego_unsafe_var_error');
  for (const more of [{}, { events: [] }])
    await expect(diff(policy(3), policy(4), { entrypoints: ['p/allow', 'p/alow'], ...more })).rejects.toMatchObject({
      code: 'invalid_option',
      message: expect.stringContaining('neither version has anything at p/alow'),
    });
  const events = [{ path: 'p/allow', input: { n: () => 1 } }];
  await expect(diff(policy(3), policy(4), { events })).rejects.toMatchObject({ code: 'invalid_data' });
});
