import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import type {
  Block,
  BuiltinFunc,
  Func,
  Funcs,
  Location,
  Operand,
  Plan,
  Plans,
  Policy,
  Statements,
  Static,
  StmtType,
  StringConst,
  UnplannedRule,
} from './plan.js';

/** The kind of a property of the TypeScript types, in the words of the tables below. */
type Kind<T> = [T] extends [number]
  ? 'int'
  : [T] extends [string]
    ? 'string'
    : [T] extends [Operand]
      ? 'Operand'
      : [T] extends [Funcs]
        ? 'Funcs' | 'Plans' | 'Static'
        : [T] extends [object | null]
          ? string
          : never;
type Shape<T> = { readonly [K in keyof T]-?: undefined extends T[K] ? `${Kind<Exclude<T[K], undefined>>}?` : Kind<T[K]> };
/**
 * The type checker makes each table name exactly the properties of the type, with kinds that can
 * hold them.
 */
type Shapes<Types> = { readonly [K in keyof Types]: Shape<Types[K]> };

const position: Shape<Location> = { file: 'int', row: 'int', col: 'int', end_row: 'int', end_col: 'int' };

const statements: Shapes<Statements> = {
  ArrayAppendStmt: { ...position, array: 'int', value: 'Operand' },
  AssignIntStmt: { ...position, target: 'int', value: 'int' },
  AssignVarOnceStmt: { ...position, source: 'Operand', target: 'int' },
  AssignVarStmt: { ...position, source: 'Operand', target: 'int' },
  BlockStmt: { ...position, blocks: 'Block[]|null' },
  BreakStmt: { ...position, index: 'int' },
  CallDynamicStmt: { ...position, args: 'int[]|null', path: 'Operand[]|null', result: 'int' },
  CallStmt: { ...position, args: 'Operand[]|null', func: 'string', result: 'int' },
  DotStmt: { ...position, key: 'Operand', source: 'Operand', target: 'int' },
  EqualStmt: { ...position, a: 'Operand', b: 'Operand' },
  IsArrayStmt: { ...position, source: 'Operand' },
  IsDefinedStmt: { ...position, source: 'int' },
  IsObjectStmt: { ...position, source: 'Operand' },
  IsSetStmt: { ...position, source: 'Operand' },
  IsUndefinedStmt: { ...position, source: 'int' },
  LenStmt: { ...position, source: 'Operand', target: 'int' },
  MakeArrayStmt: { ...position, capacity: 'int', target: 'int' },
  MakeNullStmt: { ...position, target: 'int' },
  MakeNumberIntStmt: { ...position, target: 'int', value: 'int' },
  MakeNumberRefStmt: { ...position, index: 'int', target: 'int', Index: 'int?' },
  MakeObjectStmt: { ...position, target: 'int' },
  MakeSetStmt: { ...position, target: 'int' },
  NopStmt: position,
  NotEqualStmt: { ...position, a: 'Operand', b: 'Operand' },
  NotStmt: { ...position, block: 'Block|null' },
  ObjectInsertOnceStmt: { ...position, key: 'Operand', object: 'int', value: 'Operand' },
  ObjectInsertStmt: { ...position, key: 'Operand', object: 'int', value: 'Operand' },
  ObjectMergeStmt: { ...position, a: 'int', b: 'int', target: 'int' },
  ResetLocalStmt: { ...position, target: 'int' },
  ResultSetAddStmt: { ...position, value: 'int' },
  ReturnLocalStmt: { ...position, source: 'int' },
  ScanStmt: { ...position, block: 'Block|null', key: 'int', source: 'int', value: 'int' },
  SetAddStmt: { ...position, set: 'int', value: 'Operand' },
  WithStmt: { ...position, block: 'Block|null', local: 'int', path: 'int[]|null', value: 'Operand' },
};

interface Others {
  readonly Policy: Policy;
  readonly Static: Static;
  readonly StringConst: StringConst;
  readonly BuiltinFunc: BuiltinFunc;
  readonly Plans: Plans;
  readonly Plan: Plan;
  readonly Funcs: Funcs;
  readonly Func: Func;
  readonly UnplannedRule: UnplannedRule;
  readonly Location: Location;
  readonly Block: Block;
}

const others: { readonly [K in keyof Others]: Readonly<Record<keyof Others[K], string>> } = {
  Policy: { static: 'Static?', plans: 'Plans?', funcs: 'Funcs?', unplanned_rules: 'UnplannedRule[]?' },
  Static: { strings: 'StringConst[]?', builtin_funcs: 'BuiltinFunc[]?', files: 'StringConst[]?' },
  StringConst: { value: 'string' },
  BuiltinFunc: { name: 'string', decl: 'object|null' },
  Plans: { plans: 'Plan[]|null' },
  Plan: { name: 'string', blocks: 'Block[]|null' },
  Funcs: { funcs: 'Func[]|null' },
  Func: { name: 'string', path: 'string[]?', params: 'int[]|null', return: 'int', blocks: 'Block[]|null' },
  UnplannedRule: { path: 'string', location: 'Location|null' },
  Location: position,
  Block: { stmts: 'Stmt[]' },
};

const operands: { readonly [K in Operand['type']]: string } = { bool: 'boolean', local: 'int', string_index: 'int' };

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

/** A property of the schema in the words of the tables above. */
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

describe('the schema and the types name the same properties, of the same kinds, required in both or in neither', () => {
  test.each(Object.entries({ ...statements, ...others }))('%s', (name, shape) => {
    expect(shapeOf(name)).toEqual(shape);
  });

  test('there are no further definitions', () => {
    expect(Object.keys(schema.$defs).sort()).toEqual([...Object.keys(statements), ...Object.keys(others), 'Operand', 'Stmt'].sort());
    expect(kindOf(schema)).toBe('Policy');
  });

  test('operands', () => {
    const { oneOf, required, additionalProperties } = schema.$defs.Operand!;
    expect({ required, additionalProperties }).toEqual({ required: ['type', 'value'], additionalProperties: false });
    expect(Object.fromEntries(oneOf!.map(({ properties }) => [properties!.type!.const, kindOf(properties!.value!)]))).toEqual(operands);
  });

  test('the 34 statements, each in an envelope with its name', () => {
    const { oneOf, required, additionalProperties } = schema.$defs.Stmt!;
    expect({ required, additionalProperties }).toEqual({ required: ['type', 'stmt'], additionalProperties: false });
    const names: StmtType[] = Object.keys(statements) as StmtType[];
    expect(names).toHaveLength(34);
    expect(Object.fromEntries(oneOf!.map(({ properties }) => [properties!.type!.const, kindOf(properties!.stmt!)]))).toEqual(
      Object.fromEntries(names.map((name) => [name, name])),
    );
  });
});
