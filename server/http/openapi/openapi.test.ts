import { Ajv2020 } from 'ajv/dist/2020.js';
import { expect, test } from 'vitest';
import { testServer } from '../../../test/harness/server/app.js';
import { routes } from '../route-table.js';
import { openApiDocument, operations } from './openapi.js';

test('every route is described, and nothing else is', () => {
  const served = routes.flatMap(({ path, methods, below = {} }) => [
    ...Object.keys(methods).map((method) => `${method} ${path}`),
    ...Object.keys(below).map((method) => `${method} ${path}/{path}`),
  ]);
  expect(Object.keys(operations).toSorted()).toEqual(served.toSorted());
});

test('the document refers to schemas that it has', () => {
  const text = JSON.stringify(openApiDocument());
  const { components } = openApiDocument() as { components: { schemas: object } };
  for (const [, name] of text.matchAll(/#\/components\/schemas\/(\w+)/g)) expect(Object.keys(components.schemas)).toContain(name);
});

test.each([
  ['GET', '/v1/data/p/allow', undefined, 'Decision'],
  ['POST', '/v1/data/p?metrics&provenance', '{"input": {"user": "alice"}}', 'Decision'],
  ['POST', '/v1/data/p', '{', 'Error'],
  ['GET', '/v1/policies', undefined, 'PolicyList'],
  ['GET', '/v1/policies/p.rego', undefined, 'PolicyAnswer'],
  ['PUT', '/v1/policies/q', 'package q\n\nx if y', 'Error'],
  ['GET', '/v1/query?q=x%20%3D%201&metrics', undefined, 'QueryAnswer'],
  ['PUT', '/v1/data/x?metrics', '1', 'DataChange'],
  ['GET', '/v1/config', undefined, 'ConfigAnswer'],
  ['GET', '/health', undefined, 'Health'],
  ['POST', '/v1/compile', '{"query": "input.x = 1"}', 'CompileAnswer'],
])('%s %s answers what the document says', async (method, path, body, schema) => {
  const { ask } = await testServer({ policies: { 'p.rego': 'package p\n\nallow if input.user == "alice"\n' } });
  const { text } = await ask(method, path, body);
  const ajv = new Ajv2020({ strict: false });
  ajv.addSchema(openApiDocument() as object, 'api');
  expect(ajv.validate({ $ref: `api#/components/schemas/${schema}` }, JSON.parse(text)), text).toBe(true);
});
