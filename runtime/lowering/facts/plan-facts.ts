import type { Block, Func, Policy, Stmt } from '../../../ir-schema/index.js';
import { blocksOf, constantFunction, knownConstant, LocalUses, scalarConstant } from '../../../ir-schema/index.js';
import { allAtOnce, internalized, type Steps, type Value } from '../../../values/index.js';
import { SearchedPaths } from './searched-paths.js';
import { SilentCalls } from './silent-calls.js';

const none: ReadonlySet<string> = new Set();

/** Facts of a plan that its functions share, each found when it is first asked for. */
export class PlanFacts {
  /** Functions by name. */
  readonly functions: ReadonlyMap<string, Func>;
  /** Calls that may be left out where they repeat an earlier one. */
  readonly repeatable: RepeatableCalls;
  /** Calls that nobody notices. */
  readonly silent: SilentCalls;
  readonly #policy: Policy;
  /** The constants of functions that were asked for, by name. */
  readonly #constants = new Map<string, Value | undefined>();
  readonly #isAnalysed: boolean;
  readonly #given: readonly { readonly value: string }[];
  /** The given texts, internalized when they are first wanted. */
  readonly #strings: (string | undefined)[];
  #searched: SearchedPaths | undefined;
  #firstReads: ReadonlySet<string> | undefined;

  /** @param isAnalysed whether functions are read to learn what they do */
  constructor(policy: Policy, isAnalysed = true) {
    this.#policy = policy;
    this.#isAnalysed = isAnalysed;
    this.#given = policy.static?.strings ?? [];
    this.#strings = new Array(this.#given.length);
    this.functions = new Map((policy.funcs?.funcs ?? []).map((func) => [func.name, func]));
    this.repeatable = new RepeatableCalls(this.functions);
    this.silent = new SilentCalls(this.functions);
  }

  /** Finds the facts that read the whole plan, in steps. */
  static *over(policy: Policy): Steps<PlanFacts> {
    const facts = new PlanFacts(policy);
    facts.#searched = yield* searchedPaths(facts.functions.values(), facts.string);
    facts.#firstReads = yield* firstReads(policy, facts.string);
    return facts;
  }

  /** The constant of a function that only returns one; undefined for others. */
  constantOf(name: string): Value | undefined {
    if (this.#constants.has(name)) return this.#constants.get(name);
    const func = this.functions.get(name);
    const read = this.#isAnalysed ? constantFunction : knownConstant;
    const constant = func && read(func, this.string);
    this.#constants.set(name, constant);
    return constant;
  }

  /** Paths below elements by which some loop looks for a value. */
  get searched(): SearchedPaths {
    const functions = this.#isAnalysed ? this.functions.values() : [];
    return (this.#searched ??= allAtOnce(searchedPaths(functions, this.string)));
  }

  /** Functions that make an array of which only the first element is read. */
  get firstReads(): ReadonlySet<string> {
    if (!this.#isAnalysed) return none;
    return (this.#firstReads ??= allAtOnce(firstReads(this.#policy, this.string)));
  }

  /** A string of the plan. */
  readonly string = (index: number): string => (this.#strings[index] ??= internalized(this.#given[index]!.value));
}

function* searchedPaths(functions: Iterable<Func>, stringAt: (index: number) => string): Steps<SearchedPaths> {
  const searched = new SearchedPaths(stringAt);
  for (const { blocks } of functions) {
    searched.add(blocks ?? []);
    yield;
  }
  return searched;
}

type Call = Stmt & { readonly type: 'CallStmt' };

/**
 * The functions that make an array of which each call reads element 0 alone: their names. In steps.
 */
function* firstReads(policy: Policy, stringAt: (index: number) => string): Steps<ReadonlySet<string>> {
  const functions = policy.funcs?.funcs ?? [];
  const makers = functions.filter(({ blocks }) => blocks?.[0]?.stmts.some(({ type }) => type === 'MakeArrayStmt'));
  const names = new Set(makers.map(({ name }) => name));
  const plans = (policy.plans?.plans ?? []).map(({ blocks }) => ({ blocks, params: [0, 1] }));
  for (const { blocks, params } of [...functions, ...plans]) {
    if (names.size === 0) return names;
    let uses: LocalUses | undefined;
    const visit = (block: Block, outermost: number): void => {
      for (const node of block.stmts) {
        if (node.type === 'CallDynamicStmt') names.clear();
        if (node.type === 'CallStmt' && names.has(node.stmt.func)) {
          uses ??= new LocalUses(blocks ?? [], params ?? []);
          uses.enter(outermost);
          if (!readsFirst(node, block, uses, stringAt)) names.delete(node.stmt.func);
        }
        for (const inner of blocksOf(node)) visit(inner, outermost);
      }
    };
    blocks?.forEach(visit);
    yield;
  }
  return names;
}

/** Whether the block of a call reads element 0 of the result, and nothing else reads the result. */
function readsFirst(
  { stmt: { result } }: Call,
  { stmts }: Block,
  uses: LocalUses,
  stringAt: (index: number) => string,
): boolean {
  const { firstRead, lastRead } = uses.of(result);
  const read = stmts.find((node) => uses.positions.get(node) === firstRead);
  if (firstRead !== lastRead || read?.type !== 'DotStmt' || !uses.isAssignedOnce(result)) return false;
  const { source, key } = read.stmt;
  if (source.type !== 'local' || source.value !== result || key.type !== 'local' || !uses.isAssignedOnce(key.value))
    return false;
  return stmts.some((node) => {
    const constant = scalarConstant(node, stringAt);
    return constant?.target === key.value && constant.value === 0;
  });
}

/** The compiler's own built-ins that only compute a value; others print, count or record. */
const computing: ReadonlySet<string> = new Set(['internal.member_2', 'internal.member_3', 'internal.template_string']);

function isBuiltinRepeatable(name: string): boolean {
  if (name === 'print' || name === 'trace') return false;
  return !name.startsWith('internal.') || computing.has(name);
}

/**
 * Calls that may be left out where they would repeat an earlier one: the same operands get the
 * same result within an evaluation, and nobody sees how often they were called.
 */
class RepeatableCalls {
  readonly #functions: ReadonlyMap<string, Func>;
  /** Answers by name, as far as it was asked for. */
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
