/** The types of decisions by a map and by schemas, which TypeScript checks in this file. */
import { describe, expect, test } from 'vitest';
import { CompileErrors, Engine, EngineError } from '../index.js';

declare module './decision-map.js' {
  interface Decisions {
    readonly 'typed/allow': { readonly input: { readonly user: string }; readonly result: boolean };
    readonly 'typed/limit': { readonly input: unknown; readonly result: number | undefined };
  }
}

const policy = `package typed

default allow := false

allow if input.user == "ann"

limit := 3 if input.user
`;
const sources = { policies: { 'p.rego': policy } };
const ann = { user: 'ann' };

test('paths of the map have the types of their input and result', async () => {
  await using engine = await Engine.open(sources);
  const allowed: boolean = engine.decide('typed/allow', ann).result;
  const same: boolean = engine.decide<'typed/allow'>('typed/allow', ann, { timeMs: 1000 }).result;
  const limit: number | undefined = engine.decide('typed/limit').result;
  const waited: boolean = (await engine.decideAsync('typed/allow', ann)).result;
  const many: readonly (boolean | undefined)[] = (await engine.decideMany('typed/allow', [ann])).map(({ result }) => result);
  const explained: boolean | undefined = (await engine.explain('typed/allow', ann)).result;
  const prepared: boolean = (await engine.prepare('typed/allow')).decide(ann).result;
  const watch = engine.watch('typed/allow', ann);
  const watched: boolean | undefined = (await watch.next()).value?.result;
  await watch.return?.();
  expect([allowed, same, limit, waited, many, explained, prepared, watched]).toEqual([
    true,
    true,
    undefined,
    true,
    [true],
    true,
    true,
    true,
  ]);
});

test('a wrong input or use of the result does not compile', async () => {
  await using engine = await Engine.open(sources);
  const wrong = async () => {
    // @ts-expect-error the input is missing
    engine.decide('typed/allow');
    // @ts-expect-error a member of another type
    engine.decide('typed/allow', { user: 1 });
    // @ts-expect-error no such member
    engine.decide('typed/allow', { user: 'ann', other: 1 });
    // @ts-expect-error the same where it waits
    await engine.decideAsync('typed/allow', {});
    // @ts-expect-error one of several inputs
    await engine.decideMany('typed/allow', [ann, {}]);
    // @ts-expect-error prepared ones too
    (await engine.prepare('typed/allow')).decide({});
    // @ts-expect-error it may be undefined
    engine.decide('typed/limit').result.toFixed();
    // @ts-expect-error no such option
    engine.decide('typed/allow', ann, { timeout: 1 });
  };
  await expect(wrong()).rejects.toThrow();
});

test('other paths, and those with a type of the result, are as without a map', async () => {
  await using engine = await Engine.open(sources);
  const path: string = 'typed/allow';
  const other: boolean | undefined = engine.decide<boolean>('typed/other', 1).result;
  const given: boolean | undefined = engine.decide<boolean>('typed/allow', 1).result;
  const dynamic: unknown = engine.decide(path, 1).result;
  const text: string | undefined = engine.decide<string>('typed/none').result;
  const query = await engine.prepare<readonly { readonly x: number }[]>({ query: 'x := 1' });
  const x: number | undefined = query.decide().result?.[0]?.x;
  expect([other, given, dynamic, text, x]).toEqual([undefined, false, false, undefined, 1]);
});

interface StandardSchema<Input> {
  readonly '~standard': {
    readonly version: 1;
    readonly vendor: string;
    readonly types?: { readonly input: Input; readonly output: unknown } | undefined;
    readonly jsonSchema: { readonly input: (options: { readonly target: string }) => Record<string, unknown> };
  };
}

/** What a schema of zod gives, as far as it is used. */
function schemaOf<Input>(jsonSchema: Record<string, unknown>): StandardSchema<Input> {
  const input = ({ target }: { readonly target: string }) => ({ $schema: target, ...jsonSchema });
  return { '~standard': { version: 1, vendor: 'test', jsonSchema: { input } } };
}

const user = schemaOf<{ readonly user: string; readonly age?: number }>({
  type: 'object',
  properties: { user: { type: 'string' }, age: { type: 'number' } },
  required: ['user'],
});

describe('a schema of the input', () => {
  test('gives inputs their type', async () => {
    await using engine = await Engine.open(sources, { schemas: { input: user } });
    const same: Engine<{ readonly user: string; readonly age?: number }> = engine;
    const wrong = () => {
      // @ts-expect-error the input is missing
      same.decide('typed/none');
      // @ts-expect-error another type
      same.decide('typed/none', { user: 1 });
      // @ts-expect-error the map and the schema both count
      same.decide('typed/allow', { user: 'ann', age: 'old' });
    };
    expect(wrong).not.toThrow();
    expect(engine.decide('typed/allow', { user: 'ann', age: 3 }).result).toBe(true);
    expect(engine.decide<boolean>('typed/none', ann)).toEqual({});
  });

  test('checks policies', async () => {
    const misspelt = { policies: { 'p.rego': 'package p\n\nallow if input.usr == "ann"' } };
    await expect(Engine.open(misspelt, { schemas: { input: user } })).rejects.toThrow(/undefined ref: input\.usr/);
    await expect(Engine.open(misspelt, { schemas: { input: user } })).rejects.toBeInstanceOf(CompileErrors);
    await using engine = await Engine.open(sources, { schemas: { input: user } });
    await expect(engine.setPolicy('q.rego', 'package q\n\nallow if input.age == "old"')).rejects.toThrow('rego_type_error');
  });

  test('may be a JSON Schema, or the function that a library makes of it', async () => {
    const misspelt = { policies: { 'p.rego': 'package p\n\nallow if input.usr == "ann"' } };
    const jsonSchema = { type: 'object', properties: { user: { type: 'string' } } };
    await expect(Engine.open(misspelt, { schemas: { input: jsonSchema } })).rejects.toThrow(/undefined ref: input\.usr/);
    const callable = Object.assign(() => {}, schemaOf<object>(jsonSchema));
    await expect(Engine.open(misspelt, { schemas: { input: callable } })).rejects.toThrow(/undefined ref: input\.usr/);
    await using engine = await Engine.open(misspelt, { schemas: { input: true } });
    expect(engine.decide('p/allow', { usr: 'ann' })).toEqual({ result: true });
  });
});

test('schemas have the names that annotations of policies use', async () => {
  const named = (name: string) => ({
    policies: { 'p.rego': `package p\n\n# METADATA\n# schemas:\n#   - input.order: schema.${name}\nallow if input.order.total > 3` },
  });
  const schemas = { order: { type: 'object', properties: { sum: { type: 'number' } }, additionalProperties: false } };
  await expect(Engine.open(named('order'), { schemas })).rejects.toThrow('undefined ref: input.order.total');
  await expect(Engine.open(named('ordr'), { schemas })).rejects.toThrow('undefined schema: schema.ordr');
});

test.each([
  ['a text', 'object', 'schema input is no schema'],
  ['a list', [], 'schema input is no schema'],
  ['a function', () => {}, 'schema input cannot tell its JSON Schema'],
  ['a schema that only validates', { '~standard': { version: 1, validate: () => ({}) } }, 'schema input cannot tell its JSON Schema'],
  [
    'a schema that has no JSON Schema',
    {
      '~standard': {
        jsonSchema: {
          input: () => {
            throw new Error('dates cannot be JSON');
          },
        },
      },
    },
    'dates cannot be JSON',
  ],
])('%s as a schema is an invalid option', async (_, schema, message) => {
  const opened = Engine.open(sources, { schemas: { input: schema as never } });
  await expect(opened).rejects.toThrow(message);
  await expect(opened).rejects.toMatchObject({ constructor: EngineError, code: 'invalid_option' });
});
