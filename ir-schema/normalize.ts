import { isJson, type Json } from './nesting.js';

type Copy = Record<string, unknown>;

/**
 * Converts a plan of an older compiler release to the present form; anything else is left for the
 * validator. Older releases differ in this:
 * - positions have a start only: it becomes the end too;
 * - `MakeNumberRefStmt` has `Index` only: it becomes `index`;
 * - empty tables may be null rather than absent, a block's statements null rather than empty, a
 *   built-in's `decl` absent.
 *
 * Returns a copy, and takes any depth.
 */
export function normalizePlan(policy: unknown): unknown {
  if (!isJson(policy)) return policy;
  const blocks: Copy[] = [];
  const normal = replaceIn(withoutNulls(policy, ['static', 'plans', 'funcs', 'unplanned_rules']), {
    static: normalizeStatic,
    plans: (plans) => replaceIn(plans, { plans: (list) => mapElements(list, (plan) => normalizeBody(plan, blocks)) }),
    funcs: (funcs) =>
      replaceIn(funcs, { funcs: (list) => mapElements(list, (func) => normalizeBody(withoutNulls(func, ['path']), blocks)) }),
  });
  for (let block = blocks.pop(); block; block = blocks.pop()) normalizeStatements(block, blocks);
  return normal;
}

function normalizeStatic(tables: unknown): unknown {
  return replaceIn(withoutNulls(tables, ['strings', 'builtin_funcs', 'files']), {
    builtin_funcs: (list) =>
      mapElements(list, (builtin) => (isJson(builtin) && !Object.hasOwn(builtin, 'decl') ? { ...builtin, decl: null } : builtin)),
  });
}

/** @param waiting receives the blocks' copies, whose statements are still the old ones */
function normalizeBody(body: unknown, waiting: Copy[]): unknown {
  return replaceIn(body, { blocks: (blocks) => mapElements(blocks, (block) => copyBlock(block, waiting)) });
}

function copyBlock(block: unknown, waiting: Copy[]): unknown {
  if (!isJson(block)) return block;
  const copy = { ...block };
  waiting.push(copy);
  return copy;
}

function normalizeStatements(block: Copy, waiting: Copy[]): void {
  if (block.stmts === null) block.stmts = [];
  else if (Object.hasOwn(block, 'stmts')) block.stmts = mapElements(block.stmts, (envelope) => normalizeEnvelope(envelope, waiting));
}

function normalizeEnvelope(envelope: unknown, waiting: Copy[]): unknown {
  if (!isJson(envelope) || !isJson(envelope.stmt)) return envelope;
  return { ...envelope, stmt: normalizeStatement(envelope.type, envelope.stmt, waiting) };
}

function normalizeStatement(type: unknown, stmt: Json, waiting: Copy[]): Json {
  const copy: Copy = { ...stmt };
  if (copy.end_row === undefined && copy.end_col === undefined && copy.row !== undefined && copy.col !== undefined) {
    copy.end_row = copy.row;
    copy.end_col = copy.col;
  }
  if (type === 'MakeNumberRefStmt' && copy.index === undefined && copy.Index !== undefined) copy.index = copy.Index;
  if (copy.block) copy.block = copyBlock(copy.block, waiting);
  if (copy.blocks) copy.blocks = mapElements(copy.blocks, (block) => copyBlock(block, waiting));
  return copy;
}

function mapElements(value: unknown, map: (element: unknown) => unknown): unknown {
  return Array.isArray(value) ? value.map((element) => map(element)) : value;
}

/** A copy in which each named property, where present, is replaced by its function's result. */
function replaceIn(value: unknown, replacements: Readonly<Record<string, (value: unknown) => unknown>>): unknown {
  if (!isJson(value)) return value;
  const copy: Copy = { ...value };
  for (const [key, replace] of Object.entries(replacements)) {
    if (Object.hasOwn(copy, key)) copy[key] = replace(copy[key]);
  }
  return copy;
}

function withoutNulls(value: unknown, keys: readonly string[]): unknown {
  if (!isJson(value)) return value;
  return Object.fromEntries(Object.entries(value).filter(([key, property]) => property !== null || !keys.includes(key)));
}
