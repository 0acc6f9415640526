import { describe, expect, test } from 'vitest';
import { arg, asyncBuiltin, Engine, types } from '../../index.js';
import { type Validator, validator } from './index.js';

async function validate(rule: string, input: unknown): Promise<unknown> {
  await using engine = await Engine.open({ policies: { 'p.rego': `package p\n\n${rule}\n` } });
  return validator(await engine.prepare<object>('p/deny'))['~standard'].validate(input);
}

describe('messages become issues:', () => {
  test.each([
    ['a set of texts', 'deny contains "no name" if not input.name', {}, [{ message: 'no name' }]],
    ['a set without members', 'deny contains "no name" if not input.name', { name: 'Ann' }, undefined],
    ['a list', 'deny := ["a", "b"]', {}, [{ message: 'a' }, { message: 'b' }]],
    ['a text', 'deny := "wrong"', {}, [{ message: 'wrong' }]],
    ['objects with a message', 'deny contains {"message": "a", "path": ["x", 0]}', {}, [{ message: 'a', path: ['x', 0] }]],
    ['objects with msg', 'deny contains {"msg": "a", "severity": 3}', {}, [{ message: 'a' }]],
    ['paths with dots', 'deny contains {"msg": "a", "path": "items.0.name"}', {}, [{ message: 'a', path: ['items', 0, 'name'] }]],
    ['paths with slashes', 'deny contains {"msg": "a", "path": "/a~1b/c.d"}', {}, [{ message: 'a', path: ['a/b', 'c.d'] }]],
    ['messages by members', 'deny.user.name := "is missing"', {}, [{ message: 'is missing', path: ['user', 'name'] }]],
    ['sets by members', 'deny[field] contains "is missing" if some field in ["a"]', {}, [{ message: 'is missing', path: ['a'] }]],
    ['a member named message', 'deny.message := "is too long"', {}, [{ message: 'is too long', path: ['message'] }]],
    ['objects below members', 'deny.a contains {"msg": "b", "path": [1]}', {}, [{ message: 'b', path: ['a', 1] }]],
    ['an object without members', 'deny.user.name := "is missing" if not input.user.name', { user: { name: 'Ann' } }, undefined],
  ])('%s', async (_, rule, input, issues) => {
    expect(await validate(rule, input)).toEqual(issues === undefined ? { value: input } : { issues });
  });
});

describe('what is no message ends the validation:', () => {
  test.each([
    ['a boolean', 'deny := true', 'not true'],
    ['a number in a list', 'deny := ["a", 1]', 'not 1'],
    ['a boolean by a member', 'deny.user := false', 'not false'],
    ['an object without a message', 'deny contains {"code": 1}', '{"code":1}'],
    ['a path that is no list of keys', 'deny contains {"msg": "a", "path": {}}', 'no list of keys'],
    ['an undefined rule', 'deny := "a" if input.x', 'is undefined'],
    ['a misspelt path', 'dney contains "a"', 'is undefined'],
    ['an error of the evaluation', 'deny := "a"\n\ndeny := "b"', 'eval_conflict_error'],
  ])('%s', async (_, rule, message) => {
    await expect(validate(rule, {})).rejects.toThrow(message);
  });
});

test('a rule as a function may be undefined, where nothing is wrong', () => {
  const deny = (input: { readonly name?: string }) => (input.name === undefined ? ['no name'] : undefined);
  expect(validator(deny)['~standard'].validate({ name: 'Ann' })).toEqual({ value: { name: 'Ann' } });
  expect(validator(deny)['~standard']).toMatchObject({ version: 1, vendor: 'writ' });
});

test('decisions that wait are waited for', async () => {
  const lookup = asyncBuiltin('lookup', [arg('name', types.string)], types.string, async (name) => `${name} is taken`);
  await using engine = await Engine.open(
    { policies: { 'p.rego': 'package p\n\ndeny contains lookup(input.name)' } },
    { builtins: [lookup] },
  );
  const waited = validator(await engine.prepare<object>('p/deny'))['~standard'].validate({ name: 'Ann' });
  expect(waited).toBeInstanceOf(Promise);
  expect(await waited).toEqual({ issues: [{ message: 'Ann is taken' }] });
});

interface Standard<Input> {
  readonly '~standard': {
    readonly types?: { readonly input: Input; readonly output: unknown };
    readonly jsonSchema: { input(options: object): object };
  };
}

test('validators have the type of the rule that they are made of, which TypeScript checks here', async () => {
  const deny = (_input: { readonly name: string }, _options?: { readonly timeMs?: number }): readonly string[] => [];
  const errors = (_input?: unknown): { readonly [key: string]: readonly string[] } => ({});
  const allow = (_input?: unknown): boolean => true;
  const ofModule: Validator<{ readonly name: string }> = validator(deny);
  const ofObject: Validator = validator(errors);
  // @ts-expect-error a boolean tells no messages
  expect(() => validator(allow)['~standard'].validate({})).toThrow(TypeError);
  const user: Standard<{ user: string }> = { '~standard': { jsonSchema: { input: () => ({ type: 'object' }) } } };
  await using engine = await Engine.open({ policies: { 'p.rego': 'package p\n\ndeny contains 1 if false' } }, { schemas: { input: user } });
  const ofEngine: Validator<{ user: string }> = validator(await engine.prepare<object>('p/deny'));
  expect([ofModule, ofObject, ofEngine].map((one) => one['~standard'].vendor)).toEqual(['writ', 'writ', 'writ']);
});
