/** Checks explanations against the published schema. */

import { readFileSync } from 'node:fs';
import { Ajv2020 } from 'ajv/dist/2020.js';
import { expect } from 'vitest';

const schema = JSON.parse(readFileSync(new URL('../../../docs/why.schema.json', import.meta.url), 'utf8')) as object;
const validate = new Ajv2020({ strict: true, allErrors: true }).compile(schema);

/** Asserts that a JSON document is an explanation. */
export function expectExplanation(document: unknown): void {
  validate(document);
  expect(validate.errors ?? []).toEqual([]);
}
