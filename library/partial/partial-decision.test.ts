import { describe, expect, test } from 'vitest';
import { Engine } from '../index.js';

const policy = 'package authz\n\nallow if input.record.owner == input.user\n\ndefault level := 1\n\nlevel := 2 if input.record.open';

test('what is left of a query is text', async () => {
  const engine = await Engine.open({ policies: { 'authz.rego': policy } });
  const options = { unknowns: ['input.record'], input: { user: 'alice' } };
  expect(await engine.partial('data.authz.allow', options)).toEqual({ queries: ['"alice" = input.record.owner'], modules: [] });
  expect(await engine.partial('data.authz.level > 1', options)).toEqual({
    queries: ['data.partial.authz.level > 1'],
    modules: ['package partial.authz\n\ndefault level := 1\n\nlevel := 2 if input.record.open\n'],
  });
  expect(await engine.partial('1 < 0')).toEqual({ queries: [], modules: [] });
  expect(await engine.partial('1 > 0')).toEqual({ queries: [''], modules: [] });
});

test('built-ins that may differ from call to call are evaluated where that is wanted', async () => {
  const engine = await Engine.open({ policies: { 'p.rego': 'package p\n\nlate if time.now_ns() > 0\n' } });
  expect(await engine.partial('data.p.late')).toEqual({ queries: ['time.now_ns() > 0'], modules: [] });
  expect(await engine.partial('data.p.late', { nondeterministicBuiltins: true })).toEqual({ queries: [''], modules: [] });
});

test.each<[string, unknown, object | undefined, string, string]>([
  ['a query that is no text', 5, undefined, 'invalid_path', 'a query is a text, not number'],
  ['an unknown option', 'true', { unknown: ['input'] }, 'invalid_option', 'there is no option unknown'],
  ['a wrong type of an option', 'true', { timeMs: '5' }, 'invalid_option', 'option timeMs must be a number'],
  ['unknowns that are no list', 'true', { unknowns: 'input' }, 'invalid_option', 'option unknowns must be an array of texts'],
  ['an unknown that is no text', 'true', { unknowns: ['input', 5] }, 'invalid_option', 'option unknowns must be an array of texts'],
  [
    'an unknown that is no ref',
    'true',
    { unknowns: ['input.('] },
    'invalid_option',
    'option unknowns: 1 error occurred: 1:7: rego_parse_error',
  ],
  ['a rule that is no ref', 'true', { disableInlining: ['1'] }, 'invalid_option', 'option disableInlining: '],
  ['a flag that is none', 'true', { nondeterministicBuiltins: 1 }, 'invalid_option', 'option nondeterministicBuiltins must be a boolean'],
  ['an input that is no JSON', 'true', { input: { at: new Date(0) } }, 'invalid_input', 'input.at is a Date'],
])('%s is refused', async (_title, query, options, code, message) => {
  const engine = await Engine.open([]);
  const partial = engine.partial(query as string, options as never);
  await expect(partial).rejects.toMatchObject({ name: 'EngineError', code });
  await expect(partial).rejects.toThrow(message);
});

describe('an evaluation that takes long ends', () => {
  const long = 'package p\n\nx if {\n\tsome i in numbers.range(1, 20000)\n\tsome j in numbers.range(1, 20000)\n\ti * j == input.n\n}\n';

  test.each<[string, (engine: Engine) => Promise<unknown>]>([
    ['with its time', (engine) => engine.partial('data.p.x', { timeMs: 50 })],
    ['with its signal', (engine) => engine.partial('data.p.x', { signal: AbortSignal.timeout(50) })],
    [
      'with the engine',
      async (engine) => {
        const partial = engine.partial('data.p.x');
        setTimeout(() => void engine.close(), 50);
        return await partial;
      },
    ],
  ])('%s', async (_title, run) => {
    const engine = await Engine.open({ policies: { 'p.rego': long } });
    await expect(run(engine)).rejects.toMatchObject({ code: 'eval_cancel_error' });
  });
});
