/**
 * Calls that may be left out where they would repeat an earlier one: the same operands get the
 * same result within an evaluation, and nobody sees how often they were called.
 */
import type { Block, Func } from '../../../ir-schema/index.js';
import { blocksOf } from '../../../ir-schema/index.js';

/** The compiler's own built-ins that only compute a value; others print, count or record. */
const computing: ReadonlySet<string> = new Set(['internal.member_2', 'internal.member_3', 'internal.template_string']);

function isBuiltinRepeatable(name: string): boolean {
  if (name === 'print' || name === 'trace') return false;
  return !name.startsWith('internal.') || computing.has(name);
}

export class RepeatableCalls {
  readonly #functions: ReadonlyMap<string, Func>;
  /** By name, as far as it was asked for. */
  readonly #known = new Map<string, boolean>();

  constructor(functions: ReadonlyMap<string, Func>) {
    this.#functions = functions;
  }

  /** Whether calls of a function or built-in may be left out. Linear in the functions below it. */
  has(name: string): boolean {
    const known = this.#known.get(name);
    if (known !== undefined) return known;
    const visited = new Set([name]);
    let answer = true;
    // A set grows while it is walked.
    for (const one of visited) {
      const func = this.#functions.get(one);
      const repeatable =
        this.#known.get(one) ?? (func === undefined ? isBuiltinRepeatable(one) : (func.blocks ?? []).every(addCalls));
      if (!repeatable) {
        answer = false;
        break;
      }
    }
    function addCalls(block: Block): boolean {
      return block.stmts.every((node) => {
        if (node.type === 'CallDynamicStmt') return false;
        if (node.type === 'CallStmt') visited.add(node.stmt.func);
        return blocksOf(node).every(addCalls);
      });
    }
    if (answer) for (const one of visited) this.#known.set(one, true);
    else this.#known.set(name, false);
    return answer;
  }
}
