/**
 * Plans in a short form, for tests: `['Dot', { source: 0, key: 'user', target: 2 }]`. An operand
 * is a number (a local), a string or a boolean; statements have no `Stmt` in their names, strings
 * stand for their indexes, and each statement is in a row of its own, counted from 1 in the order
 * of the text.
 */
import type { Policy, Stmt } from '../../ir-schema/plan.js';

export type ShortStmt = readonly [type: string, fields?: { readonly [field: string]: unknown }];
export type ShortBlock = readonly ShortStmt[];

export interface ShortFunc {
  readonly params?: readonly number[];
  /** The local that the format names; statements decide the result. 2 if left out. */
  readonly return?: number;
  readonly path?: readonly string[];
  readonly blocks: readonly ShortBlock[];
}

export interface ShortPolicy {
  readonly plans: { readonly [name: string]: readonly ShortBlock[] };
  readonly funcs?: { readonly [name: string]: ShortFunc };
}

/** Fields that hold operands, by statement. */
const operands: { readonly [type: string]: readonly string[] } = {
  ArrayAppend: ['value'],
  SetAdd: ['value'],
  AssignVar: ['source'],
  AssignVarOnce: ['source'],
  Dot: ['source', 'key'],
  Equal: ['a', 'b'],
  NotEqual: ['a', 'b'],
  IsArray: ['source'],
  IsObject: ['source'],
  IsSet: ['source'],
  Len: ['source'],
  ObjectInsert: ['key', 'value'],
  ObjectInsertOnce: ['key', 'value'],
  With: ['value'],
  Call: ['args'],
  CallDynamic: ['path'],
};

/** The plan in full. */
export function expandPlan(short: ShortPolicy): Policy {
  const strings: string[] = [];
  const indexOf = (text: string): number => {
    const known = strings.indexOf(text);
    return known >= 0 ? known : strings.push(text) - 1;
  };
  let row = 0;
  const operand = (value: unknown): unknown => {
    if (Array.isArray(value)) return value.map(operand);
    if (typeof value === 'number') return { type: 'local', value };
    if (typeof value === 'boolean') return { type: 'bool', value };
    return typeof value === 'string' ? { type: 'string_index', value: indexOf(value) } : value;
  };
  const field = (type: string, name: string, value: unknown): unknown => {
    if (name === 'block') return value === null ? null : block(value as ShortBlock);
    if (name === 'blocks') return value === null ? null : (value as readonly ShortBlock[]).map(block);
    if (operands[type]?.includes(name)) return operand(value);
    if (type === 'With' && name === 'path') return value === null ? null : (value as readonly string[]).map(indexOf);
    return type === 'MakeNumberRef' && name === 'index' && typeof value === 'string' ? indexOf(value) : value;
  };
  const stmt = ([type, fields = {}]: ShortStmt): Stmt => {
    const place = { file: 0, row: ++row, col: 1, end_row: row, end_col: 2 };
    const defaults = type === 'MakeArray' ? { capacity: 0 } : {};
    const full = Object.fromEntries(Object.entries(fields).map(([name, value]) => [name, field(type, name, value)]));
    return { type: `${type}Stmt`, stmt: { ...defaults, ...full, ...place } } as unknown as Stmt;
  };
  const block = (stmts: ShortBlock) => ({ stmts: stmts.map(stmt) });
  const funcs = Object.entries(short.funcs ?? {}).map(([name, func]) => ({
    name,
    ...(func.path !== undefined && { path: func.path }),
    params: func.params ?? [0, 1],
    return: func.return ?? 2,
    blocks: func.blocks.map(block),
  }));
  const plans = Object.entries(short.plans).map(([name, blocks]) => ({ name, blocks: blocks.map(block) }));
  return {
    static: { strings: strings.map((value) => ({ value })), builtin_funcs: [], files: [{ value: 'test.rego' }] },
    plans: { plans },
    funcs: { funcs },
  };
}
