/** The members of objects in a plan, as `plan.schema.json` has them: a test compares the two. */
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
  StringConst,
  UnplannedRule,
} from '../plan.js';

/**
 * The kind of a member: an object by its name below, or a plain value. `[]` is a list, `|null` may
 * be null, `?` may be absent.
 */
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
type Kinds<T> = { readonly [K in keyof T]-?: undefined extends T[K] ? `${Kind<Exclude<T[K], undefined>>}?` : Kind<T[K]> };
/**
 * The type checker makes each table name exactly the properties of the type, with kinds that can
 * hold them.
 */
type Tables<Types> = { readonly [K in keyof Types]: Kinds<Types[K]> };

const position: Kinds<Location> = { file: 'int', row: 'int', col: 'int', end_row: 'int', end_col: 'int' };

export const statementKinds: Tables<Statements> = {
  ArrayAppendStmt: { array: 'int', value: 'Operand', ...position },
  AssignIntStmt: { target: 'int', value: 'int', ...position },
  AssignVarOnceStmt: { source: 'Operand', target: 'int', ...position },
  AssignVarStmt: { source: 'Operand', target: 'int', ...position },
  BlockStmt: { blocks: 'Block[]|null', ...position },
  BreakStmt: { index: 'int', ...position },
  CallDynamicStmt: { args: 'int[]|null', path: 'Operand[]|null', result: 'int', ...position },
  CallStmt: { args: 'Operand[]|null', func: 'string', result: 'int', ...position },
  DotStmt: { key: 'Operand', source: 'Operand', target: 'int', ...position },
  EqualStmt: { a: 'Operand', b: 'Operand', ...position },
  IsArrayStmt: { source: 'Operand', ...position },
  IsDefinedStmt: { source: 'int', ...position },
  IsObjectStmt: { source: 'Operand', ...position },
  IsSetStmt: { source: 'Operand', ...position },
  IsUndefinedStmt: { source: 'int', ...position },
  LenStmt: { source: 'Operand', target: 'int', ...position },
  MakeArrayStmt: { capacity: 'int', target: 'int', ...position },
  MakeNullStmt: { target: 'int', ...position },
  MakeNumberIntStmt: { target: 'int', value: 'int', ...position },
  MakeNumberRefStmt: { index: 'int', target: 'int', Index: 'int?', ...position },
  MakeObjectStmt: { target: 'int', ...position },
  MakeSetStmt: { target: 'int', ...position },
  NopStmt: position,
  NotEqualStmt: { a: 'Operand', b: 'Operand', ...position },
  NotStmt: { block: 'Block|null', ...position },
  ObjectInsertOnceStmt: { key: 'Operand', object: 'int', value: 'Operand', ...position },
  ObjectInsertStmt: { key: 'Operand', object: 'int', value: 'Operand', ...position },
  ObjectMergeStmt: { a: 'int', b: 'int', target: 'int', ...position },
  ResetLocalStmt: { target: 'int', ...position },
  ResultSetAddStmt: { value: 'int', ...position },
  ReturnLocalStmt: { source: 'int', ...position },
  ScanStmt: { block: 'Block|null', key: 'int', source: 'int', value: 'int', ...position },
  SetAddStmt: { set: 'int', value: 'Operand', ...position },
  WithStmt: { block: 'Block|null', local: 'int', path: 'int[]|null', value: 'Operand', ...position },
};

/** The objects that are no statements. */
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

export const otherKinds: { readonly [K in keyof Others]: Readonly<Record<keyof Others[K], string>> } = {
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

/** What an operand holds, by its type. */
export const operandKinds: { readonly [K in Operand['type']]: string } = { bool: 'boolean', local: 'int', string_index: 'int' };

/** A member of an object in a plan. */
export interface Member {
  /** Of itself, or of the elements of its list. */
  readonly kind: string;
  readonly isList: boolean;
  readonly isNullable: boolean;
  readonly isOptional: boolean;
}

/** A kind of object in a plan. */
export interface Form {
  readonly name: string;
  /** As a map: a plan may name properties that every object has. */
  readonly members: ReadonlyMap<string, Member>;
  readonly required: readonly string[];
}

export const forms: { readonly statements: ReadonlyMap<string, Form>; readonly others: ReadonlyMap<string, Form> } = {
  statements: new Map(Object.entries(statementKinds).map(([name, kinds]) => [name, formOf(name, kinds)])),
  others: new Map(Object.entries(otherKinds).map(([name, kinds]) => [name, formOf(name, kinds)])),
};

/** Objects whose member `type` says what the other member holds. */
export const operand = formOf('Operand', { type: 'any', value: 'any' });
export const envelope = formOf('Stmt', { type: 'any', stmt: 'any' });

function formOf(name: string, kinds: Readonly<Record<string, string>>): Form {
  const members = Object.entries(kinds);
  return {
    name,
    members: new Map(members.map(([member, kind]) => [member, memberOf(kind)])),
    required: members.filter(([, kind]) => !kind.endsWith('?')).map(([member]) => member),
  };
}

function memberOf(kind: string): Member {
  return { kind: /^\w+/.exec(kind)![0], isList: kind.includes('[]'), isNullable: kind.endsWith('|null'), isOptional: kind.endsWith('?') };
}
