/**
 * Calls that nobody notices: to make one more or one less changes no answer, no error that ends an
 * evaluation and nothing that is printed. Errors of built-ins in them are noticed only where these
 * are looked for.
 */
import type { Block, Func, Operand, Stmt } from '../../../ir-schema/plan.js';
import { operators, relations } from '../../operations/operators.js';

/** Built-ins that only compute a value, in a time that their operands' length bounds. */
const computing: ReadonlySet<string> = new Set([
  ...['split', 'trim', 'trim_left', 'trim_right', 'trim_prefix', 'trim_suffix', 'trim_space', 'lower', 'upper'],
  ...['startswith', 'endswith', 'contains', 'indexof', 'substring', 'count', 'object.get', 'array.slice', 'internal.member_2'],
  ...['is_string', 'is_number', 'is_boolean', 'is_null', 'is_array', 'is_set', 'is_object', 'type_name', 'abs'],
]);

function isComputing(name: string): boolean {
  return computing.has(name) || relations.has(name) || operators.has(name);
}

type Once = Stmt & { readonly type: 'AssignVarOnceStmt' };

/** Statements of functions that are silent, next to calls and to `AssignVarOnce`. */
const quiet: ReadonlySet<Stmt['type']> = new Set<Stmt['type']>([
  ...(['AssignIntStmt', 'AssignVarStmt', 'ArrayAppendStmt', 'BlockStmt', 'BreakStmt', 'DotStmt', 'EqualStmt'] as const),
  ...(['IsArrayStmt', 'IsDefinedStmt', 'IsObjectStmt', 'IsSetStmt', 'IsUndefinedStmt', 'LenStmt', 'MakeArrayStmt'] as const),
  ...(['MakeNullStmt', 'MakeNumberIntStmt', 'MakeNumberRefStmt', 'NopStmt', 'NotEqualStmt', 'NotStmt', 'ResetLocalStmt'] as const),
  ...(['ReturnLocalStmt', 'SetAddStmt', 'MakeSetStmt'] as const),
]);

export class SilentCalls {
  readonly #functions: ReadonlyMap<string, Func>;
  /** By name, as far as it was asked for; false while it is looked at. */
  readonly #known = new Map<string, boolean>();

  constructor(functions: ReadonlyMap<string, Func>) {
    this.#functions = functions;
  }

  /** Whether calls of a function or built-in are silent; those of functions with loops are not. */
  has(name: string): boolean {
    let known = this.#known.get(name);
    if (known === undefined) {
      this.#known.set(name, false);
      const func = this.#functions.get(name);
      known = func === undefined ? isComputing(name) : this.#isSilent(func);
      this.#known.set(name, known);
    }
    return known;
  }

  #isSilent({ params, blocks }: Func): boolean {
    const assigned = new Map<number, Operand>();
    const written = new Set<number>(params);
    const isSilentBlock = ({ stmts }: Block): boolean =>
      stmts.every((node) => {
        if (node.type === 'CallStmt') written.add(node.stmt.result);
        if (node.type === 'CallStmt') return this.has(node.stmt.func);
        if (node.type === 'AssignVarOnceStmt') return agrees(node, stmts, assigned);
        if (!quiet.has(node.type)) return false;
        if ('target' in node.stmt && node.type !== 'ResetLocalStmt') written.add(node.stmt.target);
        if (node.type === 'BlockStmt') return (node.stmt.blocks ?? []).every(isSilentBlock);
        return node.type !== 'NotStmt' || node.stmt.block === null || isSilentBlock(node.stmt.block);
      });
    return (blocks ?? []).every(isSilentBlock) && assigned.keys().every((local) => !written.has(local));
  }
}

/** Whether an assignment cannot conflict with those before it. */
function agrees(node: Once, block: readonly Stmt[], assigned: Map<number, Operand>): boolean {
  const { source, target } = node.stmt;
  const [first] = block;
  const other = assigned.get(target);
  const isSame = other !== undefined && source.type !== 'local' && source.type === other.type && source.value === other.value;
  // A local stands for any value: later assignments may differ from it.
  assigned.set(target, other === undefined || isSame ? source : { type: 'local', value: target });
  const isFirst = first?.type === 'IsUndefinedStmt' && first.stmt.source === target && block.at(-1) === node;
  return other === undefined || isSame || isFirst;
}
