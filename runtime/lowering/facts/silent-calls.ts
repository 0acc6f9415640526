/**
 * Calls that nobody notices: to make one more or one less changes no answer, no error that ends an
 * evaluation and nothing that is printed. Errors of built-ins in them are noticed only where these
 * are looked for.
 */
import { type Block, blocksOf, type Func, type Operand, type Stmt } from '../../../ir-schema/index.js';
import { operators, relations } from '../../operations/operators.js';

/** Built-ins that only compute a value. */
const computing: ReadonlySet<string> = new Set([
  ...[
    'split',
    'trim',
    'trim_left',
    'trim_right',
    'trim_prefix',
    'trim_suffix',
    'trim_space',
    'lower',
    'upper',
    'concat',
  ],
  ...[
    'startswith',
    'endswith',
    'contains',
    'indexof',
    'substring',
    'replace',
    'sprintf',
    'strings.reverse',
    'format_int',
  ],
  ...[
    'is_string',
    'is_number',
    'is_boolean',
    'is_null',
    'is_array',
    'is_set',
    'is_object',
    'type_name',
    'abs',
    'to_number',
  ],
  ...['glob.match', 'regex.match', 'net.cidr_contains', 'count', 'sum', 'max', 'min', 'sort', 'any', 'all'],
  ...['array.concat', 'array.reverse', 'array.slice', 'and', 'or', 'intersection', 'union', 'graph.reachable'],
  ...[
    'object.get',
    'object.keys',
    'object.union',
    'object.remove',
    'object.filter',
    'internal.member_2',
    'internal.member_3',
  ],
]);

/** Calls that nest deeper are not known to be silent: a chain of rules may be very long. */
const maxDepth = 100;

type Once = Stmt & { readonly type: 'AssignVarOnceStmt' };

/** Statements that change their own locals alone, and those of inner blocks that do. */
export const quietStatements: ReadonlySet<Stmt['type']> = new Set<Stmt['type']>([
  ...(['ArrayAppendStmt', 'AssignIntStmt', 'AssignVarStmt', 'BlockStmt', 'BreakStmt', 'DotStmt', 'EqualStmt'] as const),
  ...(['IsArrayStmt', 'IsDefinedStmt', 'IsObjectStmt', 'IsSetStmt', 'IsUndefinedStmt', 'LenStmt'] as const),
  ...(['MakeArrayStmt', 'MakeNullStmt', 'MakeNumberIntStmt', 'MakeNumberRefStmt', 'MakeObjectStmt'] as const),
  ...(['MakeSetStmt', 'NopStmt', 'NotEqualStmt', 'NotStmt', 'ObjectInsertStmt', 'ResetLocalStmt'] as const),
  'SetAddStmt',
]);

/** Statements of functions that are silent, next to calls, loops and to `AssignVarOnce`. */
const silent: ReadonlySet<Stmt['type']> = new Set<Stmt['type']>([...quietStatements, 'ReturnLocalStmt']);

export class SilentCalls {
  readonly #functions: ReadonlyMap<string, Func>;
  /** Answers by name, as far as it was asked for; false while it is looked at. */
  readonly #known = new Map<string, boolean>();
  #depth = 0;

  constructor(functions: ReadonlyMap<string, Func>) {
    this.#functions = functions;
  }

  /** Whether calls of a function or built-in are silent. */
  has(name: string): boolean {
    const known = this.#known.get(name);
    if (known !== undefined) return known;
    const func = this.#functions.get(name);
    if (func !== undefined && this.#depth >= maxDepth) return false;
    this.#known.set(name, false);
    this.#depth++;
    const isSilent = func === undefined ? isSilentBuiltin(name) : this.#isSilentFunction(func);
    this.#depth--;
    this.#known.set(name, isSilent);
    return isSilent;
  }

  #isSilentFunction({ params, blocks }: Func): boolean {
    const assigned = new Map<number, Operand>();
    const written = new Set<number>(params);
    const isSilentBlock = ({ stmts }: Block, isInLoop: boolean): boolean =>
      stmts.every((node) => {
        const { type, stmt } = node;
        if (type === 'CallStmt') {
          written.add(stmt.result);
          return this.has(stmt.func);
        }
        if (type === 'ScanStmt') written.add(stmt.key).add(stmt.value);
        else if (type === 'AssignVarOnceStmt') return agrees(node, stmts, assigned, isInLoop);
        else if (!silent.has(type)) return false;
        if ('target' in stmt && type !== 'ResetLocalStmt') written.add(stmt.target);
        return blocksOf(node).every((inner) => isSilentBlock(inner, isInLoop || type === 'ScanStmt'));
      });
    return (
      (blocks ?? []).every((block) => isSilentBlock(block, false)) &&
      assigned.keys().every((local) => !written.has(local))
    );
  }
}

function isSilentBuiltin(name: string): boolean {
  return computing.has(name) || relations.has(name) || operators.has(name);
}

/** Whether an assignment cannot conflict with those before it. */
function agrees(node: Once, block: readonly Stmt[], assigned: Map<number, Operand>, isInLoop: boolean): boolean {
  const { source, target } = node.stmt;
  const [first] = block;
  const other = assigned.get(target);
  const isSame =
    other !== undefined && source.type !== 'local' && source.type === other.type && source.value === other.value;
  // A local stands for any value: later assignments may differ from it.
  assigned.set(target, other === undefined || isSame ? source : { type: 'local', value: target });
  const isFirst = first?.type === 'IsUndefinedStmt' && first.stmt.source === target && block.at(-1) === node;
  // Rounds of a loop may assign different values of a local.
  const isOnly = other === undefined && !(isInLoop && source.type === 'local');
  return isOnly || isSame || isFirst;
}
