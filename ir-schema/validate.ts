import { isPresentForm } from './form/present-form.js';
import { type SchemaViolation, validate, validateBlock } from './generated/validate-plan.js';
import { blockDepth, elements, hasBlocks, isJson } from './nesting.js';
import { normalizePlan } from './normalize.js';
import type { Policy } from './plan.js';
import { PlanError, pointTo, quoteName } from './plan-error.js';
import type { UnknownMembers } from './unknown-members.js';

/**
 * Reads a plan of any release or compiler. One that has the present form is the document itself,
 * any other one is converted by {@link normalizePlan} first.
 * @param value the document as a JSON parser gave it
 * @param unknown receives the members that are not known, and are ignored
 * @throws PlanError
 */
export function loadPlan(value: unknown, unknown?: UnknownMembers): Policy {
  return hasPresentForm(value) ? (value as Policy) : validatePlan(normalizePlan(value, unknown));
}

function hasPresentForm(value: unknown): boolean {
  if (isPresentForm(value, pieceDepth)) return true;
  if (blockDepth(value) <= pieceDepth) return validate(value);
  return pieces(value).every(({ piece, pointer }) => (pointer === '' ? validate(piece) : validateBlock(piece)));
}

/**
 * Holds a document against the plan schema.
 * @returns the same document
 * @throws PlanError with the first violation
 */
export function validatePlan(value: unknown): Policy {
  if (blockDepth(value) <= pieceDepth) {
    check(validate, value, '');
  } else
    for (const { piece, pointer } of pieces(value)) check(pointer === '' ? validate : validateBlock, piece, pointer);
  return value as Policy;
}

/**
 * The generated validator needs a kilobyte of stack a level, so deeper plans are checked in
 * pieces of this many levels.
 */
const pieceDepth = 100;

interface Piece {
  readonly piece: unknown;
  readonly pointer: string;
}

/** A document with the blocks below some level emptied, followed by these blocks, treated alike. */
function pieces(policy: unknown): Piece[] {
  const found: Piece[] = [];
  const cut = (holder: unknown, pointer: string, depth: number): unknown => {
    if (!isJson(holder)) return holder;
    const copy: Record<string, unknown> = { ...holder };
    if (Array.isArray(copy.blocks))
      copy.blocks = elements(copy.blocks).map((block, i) => cutBlock(block, pointTo(pointer, 'blocks', i), depth));
    if (copy.block) copy.block = cutBlock(copy.block, pointTo(pointer, 'block'), depth);
    return copy;
  };
  const cutBlock = (block: unknown, pointer: string, depth: number): unknown => {
    if (!isJson(block)) return block;
    const atEdge = depth === pieceDepth;
    const stmts = Array.isArray(block.stmts)
      ? elements(block.stmts).map((stmt, i) =>
          isJson(stmt) && hasBlocks(stmt.stmt)
            ? { ...stmt, stmt: cut(stmt.stmt, pointTo(pointer, 'stmts', i, 'stmt'), atEdge ? 1 : depth + 1) }
            : stmt,
        )
      : block.stmts;
    const copy = Object.hasOwn(block, 'stmts') ? { ...block, stmts } : block;
    if (!atEdge) return copy;
    found.push({ piece: copy, pointer });
    return { stmts: [] };
  };
  const top: Record<string, unknown> = isJson(policy) ? { ...policy } : {};
  for (const key of ['plans', 'funcs']) {
    const list = top[key];
    if (isJson(list) && Array.isArray(list[key])) {
      top[key] = { ...list, [key]: elements(list[key]).map((body, i) => cut(body, pointTo('', key, key, i), 1)) };
    }
  }
  return [{ piece: top, pointer: '' }, ...found];
}

function check(validator: typeof validate, value: unknown, pointer: string): void {
  if (!validator(value)) throw planError(validator.errors ?? [], pointer);
}

/**
 * The error of the deepest violation: where a block may be null, the validator also reports that
 * it is not null, next to the mistake inside it.
 */
function planError(violations: readonly SchemaViolation[], pointer: string): PlanError {
  const depth = Math.max(...violations.map(({ instancePath }) => instancePath.length));
  const deepest = violations.filter(({ instancePath }) => instancePath.length === depth);
  // A validator that refuses says why.
  const first = deepest[0]!;
  // Only a value that is neither of the two is reported so; a block with a fault of its own comes
  // first in the list.
  const { keyword, params, instancePath } =
    (first.keyword === 'type' && deepest.find((violation) => violation.keyword === 'anyOf')) || first;
  const at = pointer + instancePath;
  switch (keyword) {
    case 'required':
      return new PlanError(at, `property ${quoteName(params.missingProperty)} is missing`);
    case 'additionalProperties':
      return new PlanError(pointTo(at, String(params.additionalProperty)), 'no such property is known here');
    case 'discriminator':
      return discriminatorError(at, params);
    case 'anyOf':
      return new PlanError(at, 'must be object or null');
    case 'type':
      return new PlanError(at, `must be ${[params.type].flat().join(' or ')}`);
    default:
      return new PlanError(at, `violates ${quoteName(keyword)} of the plan schema`);
  }
}

function discriminatorError(at: string, { error, tag, tagValue }: SchemaViolation['params']): PlanError {
  const what = /\/stmts\/\d+$/.test(at) ? 'statement' : 'operand';
  return new PlanError(
    pointTo(at, String(tag)),
    error === 'mapping' ? `${quoteName(tagValue)} is not a kind of ${what}` : 'must be string',
  );
}
