/**
 * Rules whose value depends on the base documents alone. An engine keeps the value for later
 * decisions, with the documents that the rule and its callees read: `evaluation/kept-results.ts`.
 */
import { effectsOf } from '../../../ir-schema/effects.js';
import type { Block, Func, Operand, Stmt } from '../../../ir-schema/plan.js';
import { operators, relations } from '../../operations/operators.js';
import { quickBuiltins } from './quick-functions.js';
import { computing, longer } from './silent-calls.js';

/** Paths into the base documents. */
type Reads = readonly (readonly string[])[];

/** Built-ins whose result depends on their operands alone, next to those of `silent-calls.ts`. */
const furtherPure: ReadonlySet<string> = new Set([
  ...['array.flatten', 'array.slice', 'bits.and', 'bits.lsh', 'bits.negate', 'bits.or', 'bits.rsh', 'bits.xor', 'ceil', 'div'],
  ...['floor', 'product', 'rem', 'round', 'set_diff', 'numbers.range', 'numbers.range_step', 'walk', 'graph.reachable_paths'],
  ...['object.subset', 'object.union_n', 'json.filter', 'json.remove', 'json.marshal', 'json.unmarshal', 'json.patch'],
  ...['base64.encode', 'base64.decode', 'base64url.encode', 'base64url.decode', 'hex.encode', 'hex.decode'],
  ...['urlquery.encode', 'urlquery.decode', 'semver.compare', 'semver.is_valid'],
  ...['units.parse', 'units.parse_bytes', 'indexof_n', 'strings.any_prefix_match', 'strings.any_suffix_match', 'strings.count'],
  ...['strings.replace_n', 'regex.is_valid', 'regex.replace', 'regex.split', 'regex.find_n', 'glob.quote_meta'],
  ...['net.cidr_expand', 'net.cidr_intersects', 'net.cidr_is_valid', 'net.cidr_merge', 'net.cidr_contains_matches'],
  ...['internal.template_string', 'cast_array', 'cast_set'],
]);

const isPure = (name: string): boolean =>
  computing.has(name) || longer.has(name) || furtherPure.has(name) || relations.has(name) || operators.has(name);

/** Built-ins that take no longer than to find a value that was kept. */
const isQuick = (name: string): boolean =>
  quickBuiltins.has(name) || relations.has(name) || operators.has(name) || name.startsWith('internal.member');

/** Rules that read more documents are computed again. */
const mostPaths = 8;

/** Calls that nest deeper are not looked at. */
const maxDepth = 100;

/** What a function of the data alone reads. */
interface DataUse {
  readonly paths: Reads;
  /** Whether there is a loop, or a call that takes longer than to find a value that was kept. */
  readonly isLong: boolean;
}

/** The functions of a plan that depend on the data alone. */
export class DataRules {
  readonly #functions: ReadonlyMap<string, Func>;
  readonly #string: (index: number) => string;
  /** By name, as far as it was asked for; undefined for others, and while it is looked at. */
  readonly #known = new Map<string, DataUse | undefined>();
  #depth = 0;

  constructor(functions: ReadonlyMap<string, Func>, string: (index: number) => string) {
    this.#functions = functions;
    this.#string = string;
  }

  /**
   * The documents that a rule reads, if its value depends on nothing else and takes long to
   * compute.
   * @param blocks those of the rule as they run
   */
  readsOf({ params }: Func, blocks: readonly Block[]): Reads | undefined {
    if (params?.length !== 2) return undefined;
    const use = this.#useOf(params, blocks);
    return use?.isLong === true ? use.paths : undefined;
  }

  #ofFunction(name: string): DataUse | undefined {
    if (this.#known.has(name)) return this.#known.get(name);
    this.#known.set(name, undefined);
    const { params, blocks } = this.#functions.get(name)!;
    if (this.#depth >= maxDepth || params === null || params.length < 2) return undefined;
    this.#depth++;
    const use = this.#useOf(params, blocks ?? []);
    this.#depth--;
    this.#known.set(name, use);
    return use;
  }

  #useOf(params: readonly number[], blocks: readonly Block[]): DataUse | undefined {
    // Most rules read the input in their first statements: nothing else is looked at.
    let isLong = false;
    const isOfData = (stmt: Stmt): boolean => {
      if (!this.#isOfData(stmt, params)) return false;
      isLong ||= this.#takesLong(stmt);
      return effectsOf(stmt).blocks.every((block) => block.stmts.every(isOfData));
    };
    if (!blocks.every((block) => block.stmts.every(isOfData))) return undefined;
    const paths = this.#pathsOf(params[1]!, blocks);
    return paths.length > mostPaths ? undefined : { paths, isLong };
  }

  /** Whether a statement, without its blocks, neither reads the input nor changes the documents. */
  #isOfData(stmt: Stmt, [input, data]: readonly number[]): boolean {
    if (stmt.type === 'WithStmt' || stmt.type === 'CallDynamicStmt') return false;
    const { reads, writes } = effectsOf(stmt);
    if (writes.includes(input!) || writes.includes(data!)) return false;
    if (stmt.type !== 'CallStmt') return !reads.includes(input!);
    const { func, args } = stmt.stmt;
    if (!this.#functions.has(func)) return isPure(func) && !reads.includes(input!);
    const [first, second, ...more] = args ?? [];
    if (!isLocal(first, input!) || !isLocal(second, data!) || more.some((operand) => isLocal(operand, input!))) return false;
    return this.#ofFunction(func) !== undefined;
  }

  #takesLong({ type, stmt }: Stmt): boolean {
    if (type !== 'CallStmt') return type === 'ScanStmt';
    if (!this.#functions.has(stmt.func)) return !isQuick(stmt.func);
    // A rule that takes long is kept itself.
    return stmt.args!.length > 2 && this.#ofFunction(stmt.func)!.isLong;
  }

  #pathsOf(data: number, blocks: readonly Block[]): Reads {
    const uses = new DocumentUses(data, blocks, this.#string);
    const note = (stmt: Stmt): void => {
      const { reads, blocks: inner } = effectsOf(stmt);
      const callee = stmt.type === 'CallStmt' && this.#functions.has(stmt.stmt.func) ? this.#ofFunction(stmt.stmt.func) : undefined;
      for (const path of callee?.paths ?? []) uses.add(path);
      uses.readBy(stmt, callee === undefined ? reads : reads.slice(2));
      for (const block of inner) block.stmts.forEach(note);
    };
    for (const block of blocks) block.stmts.forEach(note);
    return uses.paths();
  }
}

function isLocal(operand: Operand | undefined, local: number): boolean {
  return operand?.type === 'local' && operand.value === local;
}

/** The parts of the base documents that a function reads. */
class DocumentUses {
  /** The paths of locals that are such parts. */
  readonly #places: Map<number, readonly string[]>;
  readonly #definitions = new Map<number, number>();
  /** The locals below which constant keys were looked up. */
  readonly #passed = new Set<number>();
  /** Locals that are read before the statement that writes them: in a later round of a loop. */
  readonly #early = new Set<number>();
  readonly #found = new Map<string, readonly string[]>();
  readonly #string: (index: number) => string;
  readonly #data: number;

  constructor(data: number, blocks: readonly Block[], string: (index: number) => string) {
    this.#places = new Map([[data, []]]);
    this.#data = data;
    this.#string = string;
    const visit = (block: Block): void => {
      for (const stmt of block.stmts) {
        const effects = effectsOf(stmt);
        for (const local of effects.writes) this.#definitions.set(local, (this.#definitions.get(local) ?? 0) + 1);
        effects.blocks.forEach(visit);
      }
    };
    blocks.forEach(visit);
  }

  add(path: readonly string[]): void {
    this.#found.set(JSON.stringify(path), path);
  }

  /** Notes that a local is read as a whole. */
  read(local: number): void {
    const path = this.#places.get(local);
    if (path === undefined) this.#early.add(local);
    else this.add(path);
  }

  /** Notes the reads of a statement. */
  readBy({ type, stmt }: Stmt, reads: readonly number[]): void {
    const above = type === 'DotStmt' && stmt.source.type === 'local' ? this.#places.get(stmt.source.value) : undefined;
    if (type !== 'DotStmt' || above === undefined || stmt.source.type !== 'local' || stmt.key.type !== 'string_index') {
      for (const local of reads) this.read(local);
      return;
    }
    const path = [...above, this.#string(stmt.key.value)];
    this.#passed.add(stmt.source.value);
    // A local that is written elsewhere, too, may hold something else.
    if (this.#definitions.get(stmt.target) === 1 && !this.#early.has(stmt.target)) this.#places.set(stmt.target, path);
    else this.add(path);
  }

  /** The paths read, but those below others. */
  paths(): Reads {
    // Whether there is something at a path counts as read.
    for (const [local, path] of this.#places) if (local !== this.#data && !this.#passed.has(local)) this.add(path);
    const all = [...this.#found.values()];
    return all.filter((path) => !all.some((other) => other.length < path.length && other.every((key, i) => key === path[i])));
  }
}
