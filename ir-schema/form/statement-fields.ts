/** The fields of each kind of statement, as `plan.schema.json` has them. */
import type { Stmt } from '../plan.js';

/** Numbers of locals, indexes of strings, and other values. */
export type FieldKind =
  | 'local'
  | 'locals'
  | 'string'
  | 'strings'
  | 'operand'
  | 'operands'
  | 'block'
  | 'blocks'
  | 'integer'
  | 'text';

type Fields = readonly (readonly [name: string, kind: FieldKind])[];

const fields = (names: Readonly<Record<string, FieldKind>>): Fields => Object.entries(names);

const target: Fields = fields({ target: 'local' });
const sourceOperand: Fields = fields({ source: 'operand' });
const compared: Fields = fields({ a: 'operand', b: 'operand' });
const inserted: Fields = fields({ object: 'local', key: 'operand', value: 'operand' });

/** The fields of statements next to those of their location. */
export const statementFields: ReadonlyMap<unknown, Fields> = new Map<Stmt['type'], Fields>([
  ['ArrayAppendStmt', fields({ array: 'local', value: 'operand' })],
  ['AssignIntStmt', fields({ target: 'local', value: 'integer' })],
  ['AssignVarOnceStmt', fields({ target: 'local', source: 'operand' })],
  ['AssignVarStmt', fields({ target: 'local', source: 'operand' })],
  ['BlockStmt', fields({ blocks: 'blocks' })],
  ['BreakStmt', fields({ index: 'integer' })],
  ['CallDynamicStmt', fields({ args: 'locals', path: 'operands', result: 'local' })],
  ['CallStmt', fields({ func: 'text', args: 'operands', result: 'local' })],
  ['DotStmt', fields({ source: 'operand', key: 'operand', target: 'local' })],
  ['EqualStmt', compared],
  ['IsArrayStmt', sourceOperand],
  ['IsDefinedStmt', fields({ source: 'local' })],
  ['IsObjectStmt', sourceOperand],
  ['IsSetStmt', sourceOperand],
  ['IsUndefinedStmt', fields({ source: 'local' })],
  ['LenStmt', fields({ source: 'operand', target: 'local' })],
  ['MakeArrayStmt', fields({ capacity: 'integer', target: 'local' })],
  ['MakeNullStmt', target],
  ['MakeNumberIntStmt', fields({ target: 'local', value: 'integer' })],
  ['MakeNumberRefStmt', fields({ target: 'local', index: 'string' })],
  ['MakeObjectStmt', target],
  ['MakeSetStmt', target],
  ['NopStmt', []],
  ['NotEqualStmt', compared],
  ['NotStmt', fields({ block: 'block' })],
  ['ObjectInsertOnceStmt', inserted],
  ['ObjectInsertStmt', inserted],
  ['ObjectMergeStmt', fields({ a: 'local', b: 'local', target: 'local' })],
  ['ResetLocalStmt', target],
  ['ResultSetAddStmt', fields({ value: 'local' })],
  ['ReturnLocalStmt', fields({ source: 'local' })],
  ['ScanStmt', fields({ source: 'local', key: 'local', value: 'local', block: 'block' })],
  ['SetAddStmt', fields({ set: 'local', value: 'operand' })],
  ['WithStmt', fields({ local: 'local', path: 'strings', value: 'operand', block: 'block' })],
]);
