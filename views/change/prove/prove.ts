/** Proves that two versions decide alike, or finds an input that they decide otherwise. */
import type { Body, Compiled } from '../../../compiler/index.js';
import { compileErrors, compileQuery, parseQuery, walk } from '../../../compiler/index.js';
import { sourcesOf } from '../../../engine/index.js';
import { EvaluationError, wallClockNs } from '../../../runtime/index.js';
import type { Value } from '../../../values/index.js';
import { CauseFinder, type DecidingPair } from '../cause-finder.js';
import { DifferenceGroups } from '../difference-groups.js';
import type { InputSchema } from '../input-schema.js';
import { differenceOf } from '../outcome.js';
import { type PolicyVersion, segmentsFor, type VersionPair } from '../policy-version.js';
import { answerOf } from '../replay.js';
import type { DifferenceGroup, ProofReport } from '../report.js';
import { type SearchOptions, search } from '../search/search.js';
import { shrunk } from '../search/shrink.js';
import { VersionDecisions } from '../version-decisions.js';
import { definitionsOf, type Formula, Formulas } from './formulas.js';
import { KnownCalls } from './known-calls.js';
import { lemmaOf, operandFormulas } from './lemmas.js';
import { modelOf } from './model.js';
import { keyedMember } from './rule-values.js';
import { type Part, SymbolicInput } from './symbolic-input.js';
import { type SymbolicDocument, SymbolicRules } from './symbolic-rules.js';
import {
  Comparing,
  type FreeCall,
  type Guarded,
  known,
  type SymbolicSettings,
  type SymbolicValue,
} from './symbolic-value.js';
import { Unprovable } from './unprovable.js';

/**
 * Answers a question in SMT-LIB as a solver prints it.
 * @param ms after which it must have ended
 */
type Solve = (question: string, ms: number) => Promise<string>;

export interface ProofOptions {
  readonly solve: Solve;
  /**
   * The most elements of a list, and unknown members of an object. Default: 3, and more where the
   * rules count further.
   */
  readonly bound?: number | undefined;
  /** Milliseconds for each question. Default: 30,000. */
  readonly ms?: number | undefined;
  /** Schemas of inputs by paths, which are assumed. */
  readonly schemas?: ReadonlyMap<string, InputSchema> | undefined;
}

/** Models that the engine does not confirm, before the question is given up. */
const mostRefuted = 32;
/** Models that are excluded as they are: no result of a built-in explains them. */
const mostExcluded = 8;

/** Inputs with conflicts of values that are tried, and the time to find each. */
const mostConflicting = 4;
const conflictMs = 2000;

const decisionMs = 5000;

const mostRounds = 8;

/**
 * Proves, or refutes, that the versions decide a path alike; with `isImplied`, that the new one
 * allows nothing that the old one does not.
 */
export async function provePath(
  pair: VersionPair,
  path: string,
  options: ProofOptions,
  isImplied = false,
): Promise<ProofReport> {
  const started = performance.now();
  const question = isImplied ? `${path} allows nothing new` : `${path} is the same`;
  try {
    const proving = await Proving.of(pair, path, options);
    const answer = await proving.equality(isImplied);
    const inputs = answer.answer === 'equal' ? await proving.conflicting() : [];
    const found = await foundBySearch(pair, path, answer, { isImplied, filters: options.schemas, inputs });
    return { ...(found ?? answer), question, path, ms: since(started) };
  } catch (error) {
    const answer = { ...unknownBy(error), bound: options.bound ?? defaultBound };
    const found = await foundBySearch(pair, path, answer, { isImplied, filters: options.schemas, inputs: [] });
    return { ...(found ?? answer), question, path, ms: since(started) };
  }
}

/**
 * Inputs that are made show a difference where the solver finds none: beyond the bound, or by
 * built-ins that it does not know. They also check its proofs.
 */
async function foundBySearch(
  pair: VersionPair,
  path: string,
  { answer, bound }: Answer,
  { isImplied, ...options }: SearchTask,
): Promise<Answer | undefined> {
  if (answer === 'differs') return undefined;
  const { groups } = await search(pair, [path], { ...(answer === 'equal' ? checking : seeking), ...options });
  const group = groups.find((one) => !isImplied || isNewlyAllowed(one));
  if (group === undefined) return undefined;
  const { kind, old, new: next, example } = group;
  return { answer: 'differs', bound, kind, old, new: next, example, assumptions: [] };
}

/** An error allows nothing. */
function isNewlyAllowed({ kind, example }: Pick<DifferenceGroup, 'kind' | 'example'>): boolean {
  return kind === 'allowed' || (kind === 'recovered' && example.new.value === true);
}

interface SearchTask extends Pick<SearchOptions, 'filters' | 'inputs'> {
  readonly isImplied: boolean;
}

const checking = { tries: 3000, ms: 2000 };
const seeking = { tries: 20_000, ms: 5000 };

/** Looks for an input for which an expression holds in the new version. */
export async function proveNever(pair: VersionPair, expression: string, options: ProofOptions): Promise<ProofReport> {
  const started = performance.now();
  const question = `never ${expression}`;
  try {
    const proving = await Proving.of(pair, undefined, options);
    return { ...(await proving.never(expression)), question, path: expression, ms: since(started) };
  } catch (error) {
    return {
      ...unknownBy(error),
      question,
      path: expression,
      bound: options.bound ?? defaultBound,
      ms: since(started),
    };
  }
}

function since(started: number): number {
  return Math.round(performance.now() - started);
}

function unknownBy(error: unknown): Pick<ProofReport, 'answer' | 'reason' | 'expression' | 'place' | 'assumptions'> {
  if (!(error instanceof Unprovable)) throw error;
  const { message, expression, place } = error;
  return { answer: 'unknown', reason: message, assumptions: [], ...(expression !== '' && { expression, place }) };
}

type Answer = Omit<ProofReport, 'question' | 'path' | 'ms'>;

class Proving {
  #formulas = new Formulas();
  #input: SymbolicInput;
  #comparing: Comparing;
  #freeCalls = new Map<Part, FreeCall>();
  #bound: number;
  /** Whether the bound stands: lemmas are about parts within it. */
  #isBounded: boolean;
  readonly #options: ProofOptions;
  readonly #pair: VersionPair;
  readonly #path: string | undefined;
  readonly #schema: InputSchema | undefined;
  readonly #compiled: readonly [Compiled, Compiled];
  readonly #calls: KnownCalls;
  readonly #timeNs = wallClockNs();
  /** Whether rules of both versions may have two values. */
  #mayConflict = false;

  private constructor(
    pair: VersionPair,
    path: string | undefined,
    compiled: readonly [Compiled, Compiled],
    options: ProofOptions,
  ) {
    this.#pair = pair;
    this.#path = path;
    this.#compiled = compiled;
    this.#options = options;
    this.#schema = path === undefined ? undefined : options.schemas?.get(path);
    this.#bound = options.bound ?? defaultBound;
    this.#isBounded = options.bound !== undefined;
    this.#input = new SymbolicInput(this.#formulas, this.#bound, this.#schema?.shape);
    this.#comparing = new Comparing(this.#formulas, this.#input);
    this.#calls = new KnownCalls(pair.new.engine, this.#timeNs);
  }

  static async of(pair: VersionPair, path: string | undefined, options: ProofOptions): Promise<Proving> {
    const compiled = await Promise.all([pair.old, pair.new].map((version) => compiledOf(version, path)));
    const [old, next] = compiled;
    if (old === undefined || next === undefined) throw new Unprovable('a plan without policies answers');
    return new Proving(pair, path, [old, next], options);
  }

  #rules(which: 0 | 1): SymbolicRules {
    const version = which === 0 ? this.#pair.old : this.#pair.new;
    return new SymbolicRules(this.#compiled[which], version.engine.store.root, {
      ...this.#settings,
      calls: this.#calls,
    });
  }

  get #settings(): SymbolicSettings {
    return {
      formulas: this.#formulas,
      input: this.#input,
      comparing: this.#comparing,
      freeCalls: this.#freeCalls,
    };
  }

  /** @param isImplied whether only what the new version allows and the old one does not differs */
  async equality(isImplied: boolean): Promise<Answer> {
    const path = this.#path!;
    const make = () => {
      const f = this.#formulas;
      const [old, next] = [this.#documentOf(0), this.#documentOf(1)];
      this.#mayConflict = f.and(old.conflict, next.conflict) !== f.no;
      // Two values of a rule are an error, which allows nothing.
      if (isImplied) return f.butNot(this.#allows(next), f.and(this.#allows(old), f.not(old.conflict)));
      const conflicts = [f.butNot(old.conflict, next.conflict), f.butNot(next.conflict, old.conflict)];
      return f.or(this.#differ(old, next), ...conflicts);
    };
    const decisions = {
      old: new VersionDecisions(this.#pair.old, decisionMs),
      new: new VersionDecisions(this.#pair.new, decisionMs),
    };
    return await this.#ask(make, async (input) => {
      const found = await confirmed(decisions, path, input, { timeNs: this.#timeNs, schema: this.#schema });
      return found === undefined || (isImplied && !isNewlyAllowed(found)) ? undefined : found;
    });
  }

  /**
   * A formula that is made until it names no further part of the input: the members that one rule
   * names are members in the iterations of all. Lists are as long as the rules count.
   */
  async #settled(make: () => Formula): Promise<Formula> {
    for (let round = 0; round < mostRounds; round++) {
      const before = this.#input.parts.length;
      this.#input.facts.length = 0;
      const formula = make();
      const isNew = await this.#calls.prepare();
      if (this.#input.parts.length !== before || isNew) continue;
      const bound = this.#isBounded ? this.#bound : Math.max(this.#bound, this.#countedBound());
      if (bound === this.#bound) return formula;
      this.#bound = bound;
      this.#formulas = new Formulas();
      this.#freeCalls = new Map();
      this.#input = new SymbolicInput(this.#formulas, bound, this.#schema?.shape);
      this.#comparing = new Comparing(this.#formulas, this.#input);
      round = 0;
    }
    throw new Unprovable('the rules name ever more parts of the input');
  }

  /** The length of lists that tells the counts and indexes of both versions apart. */
  #countedBound(): number {
    const indexes = [...this.#input.iterated].flatMap(({ children }) =>
      [...children.keys()].map((key) => (typeof key === 'number' ? key + 1 : 0)),
    );
    const counts = this.#input.counted.size === 0 ? [] : this.#compiled.flatMap(smallNumbersOf);
    return Math.max(0, ...[...indexes, ...counts.map((count) => count + 1)].filter((length) => length <= mostBound));
  }

  /**
   * Inputs for which rules of both versions have two values. An evaluation may end before it meets
   * them, so these are tried, and inputs near them.
   */
  async conflicting(): Promise<readonly Value[]> {
    const found: Value[] = [];
    if (!this.#mayConflict) return found;
    const wanted = await this.#settled(() =>
      this.#formulas.and(this.#documentOf(0).conflict, this.#documentOf(1).conflict),
    );
    const excluded: string[] = [];
    while (found.length < mostConflicting) {
      const asked = this.#formulas.and(wanted, ...this.#input.facts);
      const { text } = this.#question(asked, excluded, conflictMs);
      const said = await this.#options.solve(text, conflictMs + graceMs);
      if (!said.startsWith('sat')) break;
      const model = modelOf(said);
      const input = this.#input.inputOf(model);
      if (input !== undefined) found.push(input);
      excluded.push(`(assert (not (and ${this.#pinned(model)})))`);
    }
    return found;
  }

  #documentOf(which: 0 | 1): SymbolicDocument {
    return this.#rules(which).at(segmentsFor(which === 0 ? this.#pair.old : this.#pair.new, this.#path!));
  }

  #allows(document: SymbolicDocument): Formula {
    if (document.kind !== 'single') throw new Unprovable('the rules make no truth value');
    const f = this.#formulas;
    return f.or(...document.values.map(({ guard, value }) => f.and(guard, this.#comparing.equals(value, known(true)))));
  }

  async never(expression: string): Promise<Answer> {
    const compiled = this.#compiled[1];
    const body = bodyOf(compiled, expression);
    const make = () => this.#rules(1).holds(body);
    const { engine } = this.#pair.new;
    const prepared = await engine.prepareQuery(expression);
    /** An evaluation that ends with an error holds for nothing. */
    const holds = (input: Value | undefined) => {
      try {
        const solutions = prepared.atOnce(input, { timeMs: decisionMs, timeNs: this.#timeNs });
        return Array.isArray(solutions) && solutions.length > 0;
      } catch (error) {
        if (error instanceof EvaluationError) return false;
        throw error;
      }
    };
    return await this.#ask(make, async (input) => {
      if (!holds(input)) return undefined;
      const small = await shrunk(input, async (smaller) => holds(smaller));
      return {
        example: { path: expression, ...(small !== undefined && { input: small }), old: {}, new: { value: true } },
      };
    });
  }

  /** The formula under which two documents differ. */
  #differ(old: SymbolicDocument, next: SymbolicDocument): Formula {
    const f = this.#formulas;
    if (old.kind !== next.kind) {
      // Sets and objects are there without a member.
      if (old.kind === 'deep' || next.kind === 'deep')
        throw new Unprovable('the rules of the versions are of different kinds');
      return this.#differ(singleOf(old, f.yes), singleOf(next, f.yes));
    }
    return f.or(this.#lacks(old.values, next.values), this.#lacks(next.values, old.values));
  }

  /** Some value of the first ones is none of the others. */
  #lacks(some: readonly Guarded[], others: readonly Guarded[]): Formula {
    const f = this.#formulas;
    return f.or(...some.map(({ guard, value }) => f.butNot(guard, this.#comparing.memberOf(value, others))));
  }

  async #ask(
    make: () => Formula,
    confirm: (input: Value | undefined) => Promise<Pick<ProofReport, 'example' | 'kind' | 'old' | 'new'> | undefined>,
  ): Promise<Answer> {
    const { solve, ms = 30_000 } = this.#options;
    const until = performance.now() + ms;
    const lemmas = new Set<Formula>();
    const excluded: string[] = [];
    for (let refuted = 0; refuted < mostRefuted && excluded.length < mostExcluded; refuted++) {
      const wanted = await this.#settled(make);
      this.#isBounded = true;
      const f = this.#formulas;
      const base = { bound: this.#bound, assumptions: this.#assumptions() };
      if (wanted === f.no && excluded.length === 0) return { ...base, answer: 'equal' };
      const left = Math.max(1, Math.round(until - performance.now()));
      const { text, readModel } = this.#question(f.and(wanted, ...this.#input.facts, ...lemmas), excluded, left);
      const said = await solve(text, left + graceMs);
      if (said.startsWith('unsat')) {
        if (excluded.length === 0) return { ...base, answer: 'equal' };
        break;
      }
      if (!said.startsWith('sat')) return { ...base, answer: 'unknown', reason: reasonOf(said, ms) };
      const model = modelOf(said);
      const found = await confirm(this.#input.inputOf(model));
      if (found !== undefined) return { ...base, answer: 'differs', ...found };
      const before = lemmas.size;
      for (const lemma of await this.#lemmasAgainst(model, readModel)) lemmas.add(lemma);
      // Without one, another input: by the kinds of its parts.
      if (lemmas.size === before) excluded.push(`(assert (not (and ${this.#pinned(model)})))`);
      if (performance.now() > until) break;
    }
    return { bound: this.#bound, assumptions: this.#assumptions(), answer: 'unknown', reason: unconfirmed };
  }

  /** The question for the solver, with names for the operands of free calls. */
  #question(formula: Formula, excluded: readonly string[], ms: number) {
    const terms = operandFormulas(this.#settings);
    const { definitions, nameOf } = definitionsOf([formula, ...terms.guards]);
    const lines = [...this.#input.axioms(), ...definitions];
    const names = new Map<string, string>();
    for (const [i, { type, term }] of terms.terms.entries()) {
      lines.push(`(define-fun t${i} () ${type === 'number' ? 'Real' : 'String'} ${term})`);
      names.set(term, `t${i}`);
    }
    lines.push(`(assert ${nameOf(formula)})`, ...excluded);
    const asked = [...this.#input.variables(), ...names.values(), ...terms.guards.map(nameOf)].filter(
      (name) => !name.startsWith('('),
    );
    const atoms = terms.guards.map(nameOf).filter((name) => name.startsWith('('));
    for (const [i, atom] of atoms.entries()) lines.push(`(define-fun g${i} () Bool ${atom})`);
    const wanted = [...new Set([...asked, ...atoms.map((_, i) => `g${i}`)])].join(' ');
    const text = `(set-option :timeout ${ms})\n${lines.join('\n')}\n(check-sat)\n(get-value (${wanted}))\n`;
    const guardName = (guard: Formula) => {
      const name = nameOf(guard);
      return name.startsWith('(') ? `g${atoms.indexOf(name)}` : name;
    };
    return { text, readModel: { guardName, termName: (term: string) => names.get(term) } };
  }

  /** Results of built-ins that a model has otherwise than the engine. */
  async #lemmasAgainst(
    model: ReadonlyMap<string, string | number>,
    reading: Parameters<typeof lemmaOf>[2],
  ): Promise<readonly Formula[]> {
    const settings = this.#settings;
    const { builtins } = this.#compiled[1];
    const resultOf = (name: string, operands: readonly Value[]) => {
      const row = builtins.get(name);
      return row && this.#calls.result(row, operands, true);
    };
    const all = () =>
      [...this.#freeCalls.values()].flatMap((call) => lemmaOf(call, model, reading, settings, resultOf));
    all();
    await this.#calls.prepare();
    return all();
  }

  #pinned(model: ReadonlyMap<string, string | number>): string {
    return this.#input.parts.map(({ id }) => `(= k${id} ${model.get(`k${id}`) ?? 0})`).join(' ');
  }

  #assumptions(): readonly string[] {
    const { iterated, roundings } = this.#input;
    const lists = [...iterated].map(({ name }) => name);
    const functions = [...new Set([...this.#freeCalls.values()].map(({ name }) => name))];
    return [
      ...(this.#schema === undefined ? [] : ['inputs of the schema']),
      ...(lists.length === 0 ? [] : [`at most ${this.#bound} elements in ${lists.join(', ')}`]),
      ...(functions.length === 0 ? [] : [`any results of ${functions.join(', ')}, equal for equal operands`]),
      ...(this.#mayConflict ? ['an error of both versions where a rule that they read has two values'] : []),
      ...(roundings.size === 0 ? [] : ['results of arithmetic that are not rounded']),
    ];
  }
}

const defaultBound = 3;
/** Lists are not made longer than this where rules count further. */
const mostBound = 8;

/** Whole numbers in the rules of a version that a list may be as long as. */
function smallNumbersOf({ modules }: Compiled): readonly number[] {
  const found = new Set<number>();
  for (const { rules } of modules.values())
    for (const { rule } of rules)
      walk(rule, (node) => {
        if (node.type === 'number' && /^\d$/.test(node.text)) found.add(Number(node.text));
      });
  return [...found];
}

/** A set or an object of rules as one value. */
function singleOf(document: SymbolicDocument, yes: Formula): SymbolicDocument {
  const { kind, values, conflict } = document;
  if (kind === 'single') return document;
  const value: SymbolicValue =
    kind === 'set' ? { type: 'set', members: values } : { type: 'object', members: values.map(keyedMember) };
  return { kind: 'single', values: [{ guard: yes, value }], conflict };
}

/** The solver keeps to its own time limit; it is ended so much later. */
const graceMs = 3000;

const unconfirmed = 'the engine confirms no input that the solver finds';

function reasonOf(said: string, ms: number): string {
  const [first = ''] = said.split('\n');
  if (first === 'unknown' || first === 'timeout' || first === '') return `the solver gives up, after at most ${ms} ms`;
  return `the solver fails: ${first}`;
}

async function confirmed(
  deciding: DecidingPair,
  path: string,
  input: Value | undefined,
  { timeNs, schema }: { readonly timeNs: bigint; readonly schema: InputSchema | undefined },
) {
  if (schema?.accepts(input) === false) return undefined;
  const question = (own: Value | undefined) => ({
    path,
    query: undefined,
    input: own,
    timeNs,
    known: new Map<string, Value>(),
  });
  await deciding.old.prepare(question(input));
  await deciding.new.prepare(question(input));
  const decide = (own: Value | undefined) => {
    const [before, after] = [deciding.old.decide(question(own)), deciding.new.decide(question(own))];
    if (before.kind === 'unknown' || after.kind === 'unknown') return undefined;
    const kind = differenceOf(segmentsFor(deciding.old.version, path), before, after);
    return kind && { kind, before, after };
  };
  const found = decide(input);
  if (found === undefined) return undefined;
  const small = await shrunk(
    input,
    async (smaller) => schema?.accepts(smaller) !== false && decide(smaller)?.kind === found.kind,
  );
  const { kind, before, after } = decide(small)!;
  const [old, next] = await new CauseFinder(deciding, 5000).find(question(small));
  const groups = new DifferenceGroups();
  groups.add(kind, path, [old, next], () => ({
    path,
    ...(small !== undefined && { input: small }),
    old: answerOf(before),
    new: answerOf(after),
  }));
  const [group] = groups.list();
  return { kind, old, new: next, example: group!.example };
}

async function compiledOf({ engine, beside }: PolicyVersion, path: string | undefined): Promise<Compiled | undefined> {
  if (path === undefined) return (await beside?.()) ?? (await engine.compiled());
  return await sourcesOf(engine, engine.version, path.split('/'), beside);
}

function bodyOf(compiled: Compiled, expression: string): Body {
  const query = compileQuery(compiled, parseQuery(expression));
  if (query.diagnostics.length > 0) throw compileErrors(query.diagnostics);
  return query.body;
}
