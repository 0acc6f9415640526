/** Rules whose result depends on the base documents alone, and takes long to compute. */
import { type Block, effectsOf, type Func, isLocalOperand, type Stmt } from '../../../ir-schema/index.js';
import { operators, relations } from '../../operations/operators.js';
import type { SilentCalls } from '../facts/silent-calls.js';
import { quickBuiltins } from './quick-functions.js';

/** Built-ins whose result depends on their operands alone, next to those that are silent. */
const pure: ReadonlySet<string> = new Set([
  ...['walk', 'graph.reachable_paths', 'numbers.range', 'product', 'set_diff', 'ceil', 'floor', 'round', 'rem', 'div'],
  ...['object.subset', 'object.union_n', 'json.filter', 'json.remove', 'internal.template_string', 'strings.replace_n'],
]);

/** Calls that nest deeper are not looked at: a chain of rules may be very long. */
const maxDepth = 100;

/** `short`: it takes no longer than to find a result that was kept. */
type DataUse = 'long' | 'short' | undefined;

export class DataRules {
  readonly #functions: ReadonlyMap<string, Func>;
  readonly #silent: SilentCalls;
  /** Uses by name, as far as it was asked for; undefined for others, and while it is looked at. */
  readonly #known = new Map<string, DataUse>();
  #depth = 0;

  constructor(functions: ReadonlyMap<string, Func>, silent: SilentCalls) {
    this.#functions = functions;
    this.#silent = silent;
  }

  /** Whether a rule's result is worth keeping with the documents. */
  has({ name, params }: Func): boolean {
    return params?.length === 2 && this.#useOf(name) === 'long';
  }

  #useOf(name: string): DataUse {
    if (this.#known.has(name)) return this.#known.get(name);
    this.#known.set(name, undefined);
    const { params, blocks } = this.#functions.get(name)!;
    if (this.#depth >= maxDepth || params === null || params.length < 2) return undefined;
    this.#depth++;
    const use = this.#bodyUse(params, blocks ?? []);
    this.#depth--;
    this.#known.set(name, use);
    return use;
  }

  /** Most rules read the input in their first statements: nothing else is looked at. */
  #bodyUse(params: readonly number[], blocks: readonly Block[]): DataUse {
    let use: DataUse = 'short';
    const isOfData = (block: Block): boolean =>
      block.stmts.every((stmt) => {
        const found = this.#statementUse(stmt, params);
        if (found === 'long') use = 'long';
        return found !== undefined && effectsOf(stmt).blocks.every(isOfData);
      });
    return blocks.every(isOfData) ? use : undefined;
  }

  /** The documents that a statement reads, its blocks left out. */
  #statementUse(node: Stmt, [input, data]: readonly number[]): DataUse {
    if (node.type === 'WithStmt' || node.type === 'CallDynamicStmt') return undefined;
    const { reads, writes } = effectsOf(node);
    if (writes.includes(input!) || writes.includes(data!)) return undefined;
    if (node.type !== 'CallStmt') {
      if (reads.includes(input!)) return undefined;
      return node.type === 'ScanStmt' ? 'long' : 'short';
    }
    const { func, args } = node.stmt;
    if (!this.#functions.has(func)) return reads.includes(input!) ? undefined : this.#builtinUse(func);
    const [first, second, ...more] = args ?? [];
    if (
      !isLocalOperand(first, input!) ||
      !isLocalOperand(second, data!) ||
      more.some((arg) => isLocalOperand(arg, input!))
    )
      return undefined;
    const use = this.#useOf(func);
    // A rule that takes long is kept itself.
    return use === 'long' && more.length === 0 ? 'short' : use;
  }

  #builtinUse(name: string): DataUse {
    if (relations.has(name) || operators.has(name) || quickBuiltins.has(name)) return 'short';
    if (name.startsWith('internal.member') || name.startsWith('is_'))
      return this.#silent.has(name) ? 'short' : undefined;
    return this.#silent.has(name) || pure.has(name) ? 'long' : undefined;
  }
}
