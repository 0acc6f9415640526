/**
 * Whether a document has the form of `plan.schema.json`, in one walk over tables: the generated
 * validator is fifty long functions, which a process that loads one plan would compile for nothing.
 * It decides about every document that this refuses, and says what is wrong.
 */
import { isJson, type JsonMembers } from '../nesting.js';
import { type FieldKind, statementFields } from './statement-fields.js';

const fieldsOfLocation = 5;

/**
 * False for every document that violates the schema, and for those whose blocks nest deeper than
 * `depth`.
 */
export function isPresentForm(policy: unknown, depth: number): boolean {
  if (!isJson(policy)) return false;
  for (const [name, value] of Object.entries(policy)) {
    if (name === 'plans') {
      if (!isList(value, 'plans', (plan) => hasSize(plan, 2) && isBody(plan, depth))) return false;
    } else if (name === 'funcs') {
      if (!isList(value, 'funcs', (func) => isFunction(func, depth))) return false;
    } else if (name === 'unplanned_rules') {
      if (!isArrayOf(value, isUnplannedRule)) return false;
    } else if (name !== 'static' || !isStatic(value)) return false;
  }
  return true;
}

function isStatic(value: unknown): boolean {
  if (!isJson(value)) return false;
  return Object.entries(value).every(([name, list]) => {
    if (name === 'builtin_funcs') return isArrayOf(list, isBuiltin);
    return (name === 'strings' || name === 'files') && isArrayOf(list, isStringConst);
  });
}

function isBuiltin({ name, decl, ...rest }: JsonMembers): boolean {
  return typeof name === 'string' && (decl === null || isJson(decl)) && hasSize(rest, 0);
}

function isUnplannedRule({ path, location, ...rest }: JsonMembers): boolean {
  const isAt = location === null || (isJson(location) && isPlaced(location, 0));
  return typeof path === 'string' && isAt && hasSize(rest, 0);
}

function isStringConst(value: JsonMembers): boolean {
  return typeof value.value === 'string' && hasSize(value, 1);
}

/** An object with one member, which is a list or null. */
function isList(value: unknown, name: string, isElement: (element: JsonMembers) => boolean): boolean {
  return isJson(value) && hasSize(value, 1) && (value[name] === null || isArrayOf(value[name], isElement));
}

function isFunction(func: JsonMembers, depth: number): boolean {
  const { path, params } = func;
  const isAt = path === undefined || isTexts(path);
  return (
    isAt &&
    hasSize(func, path === undefined ? 4 : 5) &&
    isIntegers(params) &&
    Number.isInteger(func.return) &&
    isBody(func, depth)
  );
}

/** Whether the members are the name and blocks of a plan or function. */
function isBody({ name, blocks }: JsonMembers, depth: number): boolean {
  return typeof name === 'string' && isBlocks(blocks, depth);
}

function isBlocks(value: unknown, depth: number): boolean {
  if (value === null) return true;
  if (!Array.isArray(value)) return false;
  for (let i = 0; i < value.length; i++) if (!isBlock(value[i], depth)) return false;
  return true;
}

function isBlock(value: unknown, depth: number): boolean {
  if (depth === 0 || !isJson(value) || !hasSize(value, 1)) return false;
  const { stmts } = value;
  if (!Array.isArray(stmts)) return false;
  for (let i = 0; i < stmts.length; i++) if (!isStatement(stmts[i], depth)) return false;
  return true;
}

function isStatement(value: unknown, depth: number): boolean {
  if (!isJson(value) || !hasSize(value, 2)) return false;
  const { type, stmt } = value;
  const own = statementFields.get(type);
  if (own === undefined || !isJson(stmt)) return false;
  const hasFormerName = type === 'MakeNumberRefStmt' && Number.isInteger(stmt.Index);
  if (!isPlaced(stmt, own.length + (hasFormerName ? 1 : 0))) return false;
  for (let i = 0; i < own.length; i++) {
    const [name, kind] = own[i]!;
    if (!isOfKind(stmt[name], kind, depth)) return false;
  }
  return true;
}

/** Whether an object has a location and `more` other members. */
function isPlaced(value: JsonMembers, more: number): boolean {
  const { file, row, col, end_row, end_col } = value;
  return (
    hasSize(value, fieldsOfLocation + more) &&
    Number.isInteger(file) &&
    Number.isInteger(row) &&
    Number.isInteger(col) &&
    Number.isInteger(end_row) &&
    Number.isInteger(end_col)
  );
}

function isOfKind(value: unknown, kind: FieldKind, depth: number): boolean {
  switch (kind) {
    case 'integer':
    case 'local':
    case 'string':
      return Number.isInteger(value);
    case 'text':
      return typeof value === 'string';
    case 'operand':
      return isOperand(value);
    case 'operands':
      return value === null || (Array.isArray(value) && value.every(isOperand));
    case 'locals':
    case 'strings':
      return isIntegers(value);
    case 'block':
      return value === null || isBlock(value, depth - 1);
    case 'blocks':
      return isBlocks(value, depth - 1);
  }
}

function isOperand(value: unknown): boolean {
  if (!isJson(value) || !hasSize(value, 2)) return false;
  const { type } = value;
  if (type === 'local' || type === 'string_index') return Number.isInteger(value.value);
  return type === 'bool' && typeof value.value === 'boolean';
}

function isIntegers(value: unknown): boolean {
  return value === null || (Array.isArray(value) && value.every(Number.isInteger));
}

function isTexts(value: unknown): boolean {
  return Array.isArray(value) && value.every((element) => typeof element === 'string');
}

function isArrayOf(value: unknown, isElement: (element: JsonMembers) => boolean): boolean {
  return Array.isArray(value) && value.every((element: unknown) => isJson(element) && isElement(element));
}

/** Whether an object has `size` members. */
function hasSize(value: JsonMembers, size: number): boolean {
  let count = 0;
  for (const _ in value) count++;
  return count === size;
}
