import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { operandKinds, otherKinds, statementKinds } from './form/plan-forms.js';
import type { StmtType } from './plan.js';

interface Schema {
  readonly $ref?: string;
  readonly type?: string | readonly string[];
  readonly const?: string;
  readonly items?: Schema;
  readonly anyOf?: readonly Schema[];
  readonly oneOf?: readonly Schema[];
  readonly properties?: Readonly<Record<string, Schema>>;
  readonly required?: readonly string[];
  readonly additionalProperties?: boolean;
}

const schema = JSON.parse(readFileSync(join(import.meta.dirname, 'plan.schema.json'), 'utf8')) as Schema & {
  readonly $defs: Readonly<Record<string, Schema>>;
};

/** A property of the schema in the words of the tables. */
function kindOf({ $ref, type, items, anyOf }: Schema): string {
  if ($ref) return $ref.replace('#/$defs/', '');
  if (anyOf) return anyOf.map(kindOf).join('|');
  return [type]
    .flat()
    .map((name) => (name === 'array' ? `${kindOf(items!)}[]` : name === 'integer' ? 'int' : name))
    .join('|');
}

function shapeOf(name: string): Record<string, string> {
  const { type, properties, required = [], additionalProperties } = schema.$defs[name]!;
  expect({ name, type, additionalProperties }).toEqual({ name, type: 'object', additionalProperties: false });
  return Object.fromEntries(
    Object.entries(properties!).map(([key, property]) => [key, kindOf(property) + (required.includes(key) ? '' : '?')]),
  );
}

describe('the schema and the tables name the same properties, of the same kinds, required in both or in neither', () => {
  test.each(Object.entries({ ...statementKinds, ...otherKinds }))('%s', (name, shape) => {
    expect(shapeOf(name)).toEqual(shape);
  });

  test('there are no further definitions', () => {
    expect(Object.keys(schema.$defs).sort()).toEqual(
      [...Object.keys(statementKinds), ...Object.keys(otherKinds), 'Operand', 'Stmt'].sort(),
    );
    expect(kindOf(schema)).toBe('Policy');
  });

  test('operands', () => {
    const { oneOf, required, additionalProperties } = schema.$defs.Operand!;
    expect({ required, additionalProperties }).toEqual({ required: ['type', 'value'], additionalProperties: false });
    expect(Object.fromEntries(oneOf!.map(({ properties }) => [properties!.type!.const, kindOf(properties!.value!)]))).toEqual(operandKinds);
  });

  test('the 34 statements, each in an envelope with its name', () => {
    const { oneOf, required, additionalProperties } = schema.$defs.Stmt!;
    expect({ required, additionalProperties }).toEqual({ required: ['type', 'stmt'], additionalProperties: false });
    const names: StmtType[] = Object.keys(statementKinds) as StmtType[];
    expect(names).toHaveLength(34);
    expect(Object.fromEntries(oneOf!.map(({ properties }) => [properties!.type!.const, kindOf(properties!.stmt!)]))).toEqual(
      Object.fromEntries(names.map((name) => [name, name])),
    );
  });
});
