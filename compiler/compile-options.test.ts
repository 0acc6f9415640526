import { expect, test } from 'vitest';
import { type CompileRequest, compile } from './compile.js';

const request: CompileRequest = { policies: { 'p.rego': 'package p\n\na := 1\n' }, entrypoints: ['p/a'] };

test.each(['optimization', 'Strict', 'entryPoints', 'toString', '__proto__'])('compile knows no option %s', (name) => {
  const options = JSON.parse(`{${JSON.stringify(name)}: true}`) as object;
  const given = Object.defineProperty({ ...request }, name, { value: Object.values(options)[0], enumerable: true });
  expect(() => compile(given)).toThrow(
    expect.objectContaining({
      name: 'CompileOptionError',
      code: 'invalid_option',
      message: expect.stringContaining(`there is no option ${name}; options are policies, entrypoints, regoVersion,`) as string,
    }),
  );
});

test('options that there are have their effect', () => {
  const policies = { 'p.rego': 'package p\n\nimport data.unused\n\na := 1\n' };
  expect(compile({ ...request, policies, strict: false }).plans).toBeDefined();
  expect(() => compile({ ...request, policies, strict: true })).toThrow('unused');
});

test('schemas may be those of libraries, by the names that annotations have for them', () => {
  const order = { '~standard': { jsonSchema: { input: () => ({ type: 'object', properties: { sum: { type: 'number' } } }) } } };
  const text = 'package a\n\n# METADATA\n# schemas:\n#   - input.order: schema.order\np if input.order.total > 3';
  const request = { policies: { 'a.rego': text }, entrypoints: ['a/p'] };
  expect(() => compile({ ...request, schemas: { order } })).toThrow('undefined ref: input.order.total');
  expect(() => compile({ ...request, schemas: { order }, schemaAnnotations: false })).not.toThrow();
  expect(() => compile({ ...request, schemas: new Map([['schema.order', { type: 'object' }]]) })).not.toThrow();
  expect(() => compile({ ...request, schemas: { order: 1 as never } })).toThrow('option schemas: schema order is no schema');
});
