/** Lists and bounds that schemas have for single values of the input, and types do not. */

import type { Value } from '../../../values/index.js';
import type { Rule } from '../../ast/nodes.js';
import type { RuleSchemas } from '../../check/typing/schemas.js';
import type { CompileOptions } from '../../resolve/compile-options.js';
import type { CompiledRule } from '../../resolve/compiled-rule.js';
import { keyPath } from './key-paths.js';
import type { ValueTest } from './value-tests.js';

type Schema = Readonly<Record<string, unknown>>;

/** Tests that a value passes if its schema is kept, and the same in words. */
export interface SchemaFacts {
  readonly tests: readonly ValueTest[];
  readonly says: string;
}

/** The schemas of the input for a link, the nearest first. */
export function inputSchemas(
  schemas: RuleSchemas,
  { schemas: documents }: CompileOptions,
  rule: CompiledRule,
  link: Rule,
): readonly Schema[] {
  const named = schemas.of(rule, link).flatMap(({ path, schema, definition }) => {
    const isWhole = path.terms.length === 1 && path.terms[0].type === 'var' && path.terms[0].name === 'input';
    if (!isWhole) return [];
    return [schema === undefined ? definition : documents?.get(schema.loc.text)];
  });
  return [...named.toReversed(), documents?.get('schema')].filter(isSchema);
}

/** The facts that the nearest schema has of a value with a key such as `input["user"]["role"]`. */
export function schemaFacts(key: string, [schema]: readonly Schema[]): SchemaFacts | undefined {
  const path = keyPath(key);
  if (schema === undefined || path?.[0] !== 'input') return undefined;
  let part: unknown = schema;
  for (const name of path.slice(1)) {
    const properties = isSchema(part) ? part.properties : undefined;
    part = isSchema(properties) && Object.hasOwn(properties, name) ? properties[name] : undefined;
  }
  return isSchema(part) ? factsOf(part) : undefined;
}

function factsOf(schema: Schema): SchemaFacts | undefined {
  const values = 'const' in schema ? [schema.const] : schema.enum;
  if (Array.isArray(values) && values.length > 0 && values.every(isScalar)) {
    const list = values.map((value) => JSON.stringify(value)).join(', ');
    return { tests: [{ op: 'in', values }], says: `is one of ${list} by its schema` };
  }
  if (schema.type !== 'number' && schema.type !== 'integer') return undefined;
  const bounds: ValueTest[] = [];
  const words: string[] = [];
  for (const [keyword, op, word] of bounding) {
    const value = schema[keyword];
    if (typeof value !== 'number') continue;
    bounds.push({ op, value });
    words.push(`${word} ${value}`);
  }
  const tests: readonly ValueTest[] = [
    { op: 'type', types: ['number'] },
    { op: 'gt', value: true },
    { op: 'lt', value: '' },
  ];
  return bounds.length === 0
    ? undefined
    : { tests: [...tests, ...bounds], says: `is ${words.join(' and ')} by its schema` };
}

const bounding = [
  ['minimum', 'gte', 'at least'],
  ['exclusiveMinimum', 'gt', 'above'],
  ['maximum', 'lte', 'at most'],
  ['exclusiveMaximum', 'lt', 'below'],
] as const;

function isScalar(value: unknown): value is Value {
  return value === null || typeof value === 'string' || typeof value === 'number' || typeof value === 'boolean';
}

function isSchema(value: unknown): value is Schema {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}
