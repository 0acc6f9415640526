/**
 * Calls that nobody notices: to make one more or one less changes no answer, no error that ends an
 * evaluation and nothing that is printed. Errors of built-ins in them are noticed only where these
 * are looked for.
 */
import type { Block, Func, Operand, Stmt } from '../../../ir-schema/plan.js';
import { blocksOf } from '../../../ir-schema/walk.js';
import { operators, relations } from '../../operations/operators.js';

/** Built-ins that only compute a value, in a time that their operands' length bounds. */
export const computing: ReadonlySet<string> = new Set([
  ...['split', 'trim', 'trim_left', 'trim_right', 'trim_prefix', 'trim_suffix', 'trim_space', 'lower', 'upper'],
  ...['startswith', 'endswith', 'contains', 'indexof', 'substring', 'count', 'object.get', 'array.slice', 'internal.member_2'],
  ...['is_string', 'is_number', 'is_boolean', 'is_null', 'is_array', 'is_set', 'is_object', 'type_name', 'abs'],
]);

/** Others that only compute a value. */
export const longer: ReadonlySet<string> = new Set([
  ...['concat', 'format_int', 'glob.match', 'net.cidr_contains', 'regex.match', 'replace', 'sprintf', 'strings.reverse', 'to_number'],
  ...['array.concat', 'array.reverse', 'object.keys', 'and', 'or', 'intersection', 'union', 'sum', 'max', 'min', 'sort', 'any', 'all'],
  ...['internal.member_3', 'object.union', 'object.remove', 'object.filter', 'graph.reachable'],
]);

/** Built-ins that are defined for all operands. */
const total: ReadonlySet<string> = new Set([
  ...['internal.member_2', 'internal.member_3', 'type_name'],
  ...['is_string', 'is_number', 'is_boolean', 'is_null', 'is_array', 'is_set', 'is_object'],
]);

/** Built-ins that print a number, or take one that is written as 1 or 1.0, but not 1e0. */
const readingNumbers: ReadonlySet<string> = new Set(['sprintf', 'substring', 'array.slice']);

/** What is known of a silent call. */
interface Silence {
  /** Whether there are loops in it. */
  readonly hasLoops: boolean;
  /** Whether built-ins in it may take longer than the length of their operands asks for. */
  readonly isLong: boolean;
  /** Whether built-ins in it may have errors, where these are looked for. */
  readonly mayFail: boolean;
  /** Whether built-ins in it may tell equal numbers apart, as 1 and 1.0. */
  readonly showsNumbers: boolean;
}

function ofBuiltin(name: string): Silence | undefined {
  const isShort = computing.has(name) || relations.has(name) || operators.has(name);
  if (!isShort && !longer.has(name)) return undefined;
  const mayFail = !total.has(name) && !relations.has(name);
  return { hasLoops: false, isLong: !isShort, mayFail, showsNumbers: readingNumbers.has(name) };
}

/** Calls that nest deeper are not known to be silent: a chain of rules may be very long. */
const maxDepth = 100;

type Once = Stmt & { readonly type: 'AssignVarOnceStmt' };

/** Statements of functions that are silent, next to calls, loops and to `AssignVarOnce`. */
const quiet: ReadonlySet<Stmt['type']> = new Set<Stmt['type']>([
  ...(['AssignIntStmt', 'AssignVarStmt', 'ArrayAppendStmt', 'BlockStmt', 'BreakStmt', 'DotStmt', 'EqualStmt'] as const),
  ...(['IsArrayStmt', 'IsDefinedStmt', 'IsObjectStmt', 'IsSetStmt', 'IsUndefinedStmt', 'LenStmt', 'MakeArrayStmt'] as const),
  ...(['MakeNullStmt', 'MakeNumberIntStmt', 'MakeNumberRefStmt', 'NopStmt', 'NotEqualStmt', 'NotStmt', 'ResetLocalStmt'] as const),
  ...(['ReturnLocalStmt', 'SetAddStmt', 'MakeSetStmt', 'MakeObjectStmt', 'ObjectInsertStmt'] as const),
]);

export class SilentCalls {
  readonly #functions: ReadonlyMap<string, Func>;
  /** By name, as far as it was asked for; undefined for others, and while it is looked at. */
  readonly #known = new Map<string, Silence | undefined>();
  #depth = 0;

  constructor(functions: ReadonlyMap<string, Func>) {
    this.#functions = functions;
  }

  /** Whether calls of a function or built-in are silent; those that may take long are not. */
  has(name: string): boolean {
    const silence = this.of(name);
    return silence !== undefined && !silence.hasLoops && !silence.isLong;
  }

  /** What is known of calls of a function or built-in; undefined where they are not silent. */
  of(name: string): Silence | undefined {
    if (this.#known.has(name)) return this.#known.get(name);
    const func = this.#functions.get(name);
    if (func !== undefined && this.#depth >= maxDepth) return undefined;
    this.#known.set(name, undefined);
    this.#depth++;
    const silence = func === undefined ? ofBuiltin(name) : this.#ofFunction(func);
    this.#depth--;
    this.#known.set(name, silence);
    return silence;
  }

  #ofFunction({ params, blocks }: Func): Silence | undefined {
    const assigned = new Map<number, Operand>();
    const written = new Set<number>(params);
    let hasLoops = false;
    let isLong = false;
    let mayFail = false;
    let showsNumbers = false;
    const isSilentBlock = ({ stmts }: Block, isInLoop: boolean): boolean =>
      stmts.every((node) => {
        const { type, stmt } = node;
        if (type === 'CallStmt') {
          const silence = this.of(stmt.func);
          written.add(stmt.result);
          hasLoops ||= silence?.hasLoops === true;
          isLong ||= silence?.isLong === true;
          mayFail ||= silence?.mayFail === true;
          showsNumbers ||= silence?.showsNumbers === true;
          return silence !== undefined;
        }
        if (type === 'ScanStmt') {
          hasLoops = true;
          written.add(stmt.key).add(stmt.value);
        } else if (type === 'AssignVarOnceStmt') return agrees(node, stmts, assigned, isInLoop);
        else if (!quiet.has(type)) return false;
        if ('target' in stmt && type !== 'ResetLocalStmt') written.add(stmt.target);
        return blocksOf(node).every((inner) => isSilentBlock(inner, isInLoop || type === 'ScanStmt'));
      });
    const isSilent = (blocks ?? []).every((block) => isSilentBlock(block, false)) && assigned.keys().every((local) => !written.has(local));
    return isSilent ? { hasLoops, isLong, mayFail, showsNumbers } : undefined;
  }
}

/** Whether an assignment cannot conflict with those before it. */
function agrees(node: Once, block: readonly Stmt[], assigned: Map<number, Operand>, isInLoop: boolean): boolean {
  const { source, target } = node.stmt;
  const [first] = block;
  const other = assigned.get(target);
  const isSame = other !== undefined && source.type !== 'local' && source.type === other.type && source.value === other.value;
  // A local stands for any value: later assignments may differ from it.
  assigned.set(target, other === undefined || isSame ? source : { type: 'local', value: target });
  const isFirst = first?.type === 'IsUndefinedStmt' && first.stmt.source === target && block.at(-1) === node;
  // Rounds of a loop may assign different values of a local.
  const isOnly = other === undefined && !(isInLoop && source.type === 'local');
  return isOnly || isSame || isFirst;
}
