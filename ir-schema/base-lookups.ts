/**
 * Look-ups in base documents. A `Dot` on the data local of a function, or on what such a `Dot` has
 * found, is the look-up of a ref that begins with `data`, whose keys are texts: `"1"` finds an
 * element of an array, 1 finds the key `"1"`. A value that a variable holds is another local: a
 * copy, an element of a loop, an argument.
 */
import { effectsOf } from './effects.js';
import type { Block, Operand, Stmt } from './plan.js';
import { blocksOf } from './walk.js';

const indexForm = /^[+-]?0*\d{1,15}(?:\.0+)?$/;

/**
 * The index that a text denotes in an array of a base document, as the reference's storage reads
 * it: `"1"`, `"01"`, `"+1"` and `"1.0"` are 1; undefined for others, `"1e0"` and `"-1"` among them.
 */
export function indexOfText(text: string): number | undefined {
  // Most keys are names.
  if (text > ':' || !indexForm.test(text)) return undefined;
  const index = Number(text);
  // Not the zero with a sign.
  return index > 0 ? index : index === 0 ? 0 : undefined;
}

type Dot = Stmt & { readonly type: 'DotStmt' };

/** Whether a key finds something else in a base document than in a value. */
export function isTextKey(key: Operand, stringAt: (index: number) => string): boolean {
  return key.type === 'local' || (key.type === 'string_index' && indexOfText(stringAt(key.value)) !== undefined);
}

export class BaseLookups {
  readonly #locals = new Set<number>();
  readonly #aboveTextKeys = new Set<number>();

  /** @param dataLocal of the plan or function; undefined if it has none */
  constructor(blocks: readonly Block[], dataLocal: number | undefined, stringAt: (index: number) => string) {
    if (dataLocal === undefined) return;
    const dots: (readonly [source: number, dot: Dot])[] = [];
    const others = new Set<number>();
    const visit = (block: Block): void => {
      for (const node of block.stmts) {
        if (node.type === 'DotStmt' && node.stmt.source.type === 'local') dots.push([node.stmt.source.value, node]);
        else if (node.type !== 'ResetLocalStmt' && node.type !== 'WithStmt')
          for (const local of effectsOf(node).writes) others.add(local);
        blocksOf(node).forEach(visit);
      }
    };
    blocks.forEach(visit);
    if (dots.length === 0) return;
    const locals = this.#locals;
    if (!others.has(dataLocal)) locals.add(dataLocal);
    grow(dots, ([source, { stmt }]) => locals.has(source) && !others.has(stmt.target) && add(locals, stmt.target));
    // A local that is also found in something else is none.
    grow(dots, ([source, { stmt }]) => !locals.has(source) && locals.delete(stmt.target));
    const above = this.#aboveTextKeys;
    grow(dots, ([source, { stmt }]) => (isTextKey(stmt.key, stringAt) || above.has(stmt.target)) && add(above, source));
  }

  /** Whether a local only holds base documents that a ref into `data` has found so far. */
  has(local: number): boolean {
    return this.#locals.has(local);
  }

  /** Whether such look-ups follow from a local: no copy can stand for it. */
  leadTo(local: number): boolean {
    return this.#aboveTextKeys.has(local);
  }
}

function add(locals: Set<number>, local: number): boolean {
  if (locals.has(local)) return false;
  locals.add(local);
  return true;
}

/** Visits all until no visit changes anything. */
function grow<T>(all: readonly T[], visit: (one: T) => boolean): void {
  for (let isChanged = true; isChanged; ) {
    isChanged = false;
    for (const one of all) if (visit(one)) isChanged = true;
  }
}
