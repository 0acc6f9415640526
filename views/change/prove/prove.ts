/** Proves that two versions decide alike, or finds an input that they decide otherwise. */
import type { Compiled } from '../../../compiler/index.js';
import { sourcesOf } from '../../../engine/index.js';
import { EvaluationError, wallClockNs } from '../../../runtime/index.js';
import { rfc3339Text, type Value } from '../../../values/index.js';
import type { InputSchema } from '../input-schema.js';
import type { PolicyVersion, VersionPair } from '../policy-version.js';
import type { DifferenceGroup, ProofReport } from '../report.js';
import { type SearchOptions, search } from '../search/search.js';
import { shrunk } from '../search/shrink.js';
import { clockName, VersionDecisions } from '../version-decisions.js';
import { type Confirmed, confirmed } from './confirm.js';
import type { Formula } from './formulas.js';
import { KnownCalls } from './known-calls.js';
import { lemmaOf, type ModelNames } from './lemmas.js';
import { type Model, modelOf } from './model.js';
import { exclusionOf, graceMs, questionFor, reasonOf, type Solve } from './solver-question.js';
import { defaultBound, SymbolicPair } from './symbolic-pair.js';
import { Unprovable } from './unprovable.js';

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

type Answer = Omit<ProofReport, 'question' | 'path' | 'ms'>;

/** Models that the engine does not confirm, before the question is given up. */
const mostRefuted = 32;
/** Models that are excluded as they are: no result of a built-in explains them. */
const mostExcluded = 8;

/** Inputs with conflicts of values that are tried, and the time to find each. */
const mostConflicting = 4;
const conflictMs = 2000;

const decisionMs = 5000;

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
  const question = isImplied ? `${path} allows nothing new` : `${path} is the same`;
  return await reported({ question, path }, async () => {
    let inputs: readonly Value[] = [];
    const answer = await provable(options, async () => {
      let proving = await Proving.of(pair, path, options);
      let found = await proving.equality(path, isImplied);
      if (found.answer === 'unknown' && proving.hasFormats) {
        proving = await Proving.of(pair, path, options, true);
        found = await proving.equality(path, isImplied);
      }
      if (found.answer === 'equal') inputs = await proving.conflicting(path);
      return found;
    });
    const searched = { isImplied, filters: options.schemas, inputs };
    return (await foundBySearch(pair, path, answer, searched)) ?? answer;
  });
}

/** Looks for an input for which an expression holds in the new version. */
export async function proveNever(pair: VersionPair, expression: string, options: ProofOptions): Promise<ProofReport> {
  return await reported({ question: `never ${expression}`, path: expression }, async () =>
    provable(options, async () => (await Proving.of(pair, undefined, options)).never(expression)),
  );
}

async function reported(
  asked: Pick<ProofReport, 'question' | 'path'>,
  answer: () => Promise<Answer>,
): Promise<ProofReport> {
  const started = performance.now();
  const found = await answer();
  return { ...found, ...asked, ms: Math.round(performance.now() - started) };
}

/** The answer, or the reason why there is no proof. */
async function provable({ bound = defaultBound }: ProofOptions, prove: () => Promise<Answer>): Promise<Answer> {
  try {
    return await prove();
  } catch (error) {
    if (!(error instanceof Unprovable)) throw error;
    const { message, expression, place } = error;
    return {
      answer: 'unknown',
      reason: message,
      assumptions: [],
      bound,
      ...(expression !== '' && { expression, place }),
    };
  }
}

interface SearchTask extends Pick<SearchOptions, 'filters' | 'inputs'> {
  readonly isImplied: boolean;
}

const checking = { tries: 3000, ms: 2000 };
const seeking = { tries: 20_000, ms: 5000 };

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

/** A proof: questions to the solver, until the engine confirms a model or there is none. */
class Proving {
  readonly #pair: VersionPair;
  readonly #builtins: Compiled['builtins'];
  readonly #symbolic: SymbolicPair;
  readonly #calls: KnownCalls;
  readonly #schema: InputSchema | undefined;
  readonly #options: ProofOptions;
  readonly #timeNs = wallClockNs();
  /** Whether rules of both versions may have two values. */
  #mayConflict = false;
  /** Refs of an expression at which nothing is: a name may be misspelt. */
  #emptyRefs: readonly string[] = [];

  private constructor(
    pair: VersionPair,
    compiled: readonly [old: Compiled, next: Compiled],
    schema: InputSchema | undefined,
    options: ProofOptions,
    readsFormats: boolean,
  ) {
    this.#pair = pair;
    this.#builtins = compiled[1].builtins;
    this.#schema = schema;
    this.#options = options;
    this.#calls = new KnownCalls(pair.new.engine, this.#timeNs);
    this.#symbolic = new SymbolicPair(pair, compiled, this.#calls, { bound: options.bound, schema, readsFormats });
  }

  /** @param path whose schema is assumed; undefined for a proof about an expression */
  static async of(
    pair: VersionPair,
    path: string | undefined,
    options: ProofOptions,
    readsFormats = false,
  ): Promise<Proving> {
    const [old, next] = await Promise.all([pair.old, pair.new].map((version) => compiledOf(version, path)));
    if (old === undefined || next === undefined) throw new Unprovable('a plan without policies answers');
    const schema = path === undefined ? undefined : options.schemas?.get(path);
    return new Proving(pair, [old, next], schema, options, readsFormats);
  }

  /** Whether texts are made by formats that were not told. */
  get hasFormats(): boolean {
    return this.#symbolic.freeCalls.some(({ name }) => name === 'sprintf');
  }

  /** @param isImplied whether only what the new version allows and the old one does not differs */
  async equality(path: string, isImplied: boolean): Promise<Answer> {
    const symbolic = this.#symbolic;
    const make = () => {
      const f = symbolic.formulas;
      const { old, next } = symbolic.documents(path);
      this.#mayConflict = f.and(old.conflict, next.conflict) !== f.no;
      // Two values of a rule are an error, which allows nothing.
      if (isImplied) return f.butNot(symbolic.allows(next), f.and(symbolic.allows(old), f.not(old.conflict)));
      const conflicts = [f.butNot(old.conflict, next.conflict), f.butNot(next.conflict, old.conflict)];
      return f.or(symbolic.differ(old, next), ...conflicts);
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
   * Inputs for which rules of both versions have two values. An evaluation may end before it meets
   * them, so these are tried, and inputs near them.
   */
  async conflicting(path: string): Promise<readonly Value[]> {
    const found: Value[] = [];
    if (!this.#mayConflict) return found;
    const symbolic = this.#symbolic;
    const wanted = await symbolic.settled(() => {
      const { old, next } = symbolic.documents(path);
      return symbolic.formulas.and(old.conflict, next.conflict);
    });
    const excluded: string[] = [];
    while (found.length < mostConflicting) {
      const asked = symbolic.formulas.and(wanted, ...symbolic.input.facts);
      const { text } = questionFor(symbolic.settings, asked, excluded, conflictMs);
      const said = await this.#options.solve(text, conflictMs + graceMs);
      if (!said.startsWith('sat')) break;
      const model = modelOf(said);
      const input = symbolic.input.inputOf(model);
      if (input !== undefined) found.push(input);
      excluded.push(exclusionOf(symbolic.settings, model));
    }
    return found;
  }

  async never(expression: string): Promise<Answer> {
    const make = this.#symbolic.expression(expression);
    this.#emptyRefs = this.#symbolic.emptyRefs(expression);
    const { engine } = this.#pair.new;
    const prepared = await engine.prepareQuery(expression);
    let asksTime = false;
    const onNondeterministic = (name: string) => {
      asksTime ||= name === clockName;
    };
    /** An evaluation that ends with an error holds for nothing. */
    const holds = (input: Value | undefined) => {
      asksTime = false;
      try {
        const solutions = prepared.atOnce(input, { timeMs: decisionMs, timeNs: this.#timeNs, onNondeterministic });
        return Array.isArray(solutions) && solutions.length > 0;
      } catch (error) {
        if (error instanceof EvaluationError) return false;
        throw error;
      }
    };
    return await this.#ask(make, async (input) => {
      if (!holds(input)) return undefined;
      const small = await shrunk(input, async (smaller) => holds(smaller));
      holds(small);
      const timestamp = asksTime ? rfc3339Text(this.#timeNs) : undefined;
      return {
        example: {
          path: expression,
          ...(small !== undefined && { input: small }),
          ...(timestamp !== undefined && { timestamp }),
          old: {},
          new: { value: true },
        },
      };
    });
  }

  /**
   * Asks for a model of a formula, until the engine confirms one: those that it refutes teach
   * lemmas about built-ins, or are excluded.
   * @param confirm the difference that the engine shows for an input; undefined where it shows none
   */
  async #ask(
    make: () => Formula,
    confirm: (input: Value | undefined) => Promise<Partial<Confirmed> | undefined>,
  ): Promise<Answer> {
    const { solve, ms = 30_000 } = this.#options;
    const symbolic = this.#symbolic;
    const until = performance.now() + ms;
    const lemmas = new Set<Formula>();
    const excluded: string[] = [];
    for (let refuted = 0; refuted < mostRefuted && excluded.length < mostExcluded; refuted++) {
      const wanted = await symbolic.settled(make);
      symbolic.keepBound();
      const f = symbolic.formulas;
      if (wanted === f.no && excluded.length === 0) return this.#answer({ answer: 'equal' });
      const left = Math.max(1, Math.round(until - performance.now()));
      const asked = f.and(wanted, ...symbolic.input.facts, ...lemmas);
      const { text, names } = questionFor(symbolic.settings, asked, excluded, left);
      const said = await solve(text, left + graceMs);
      if (said.startsWith('unsat')) {
        if (excluded.length === 0) return this.#answer({ answer: 'equal' });
        break;
      }
      if (!said.startsWith('sat')) return this.#answer({ answer: 'unknown', reason: reasonOf(said, ms) });
      const model = modelOf(said);
      const found = await confirm(symbolic.input.inputOf(model));
      if (found !== undefined) return this.#answer({ answer: 'differs', ...found });
      const before = lemmas.size;
      for (const lemma of await this.#lemmasAgainst(model, names)) lemmas.add(lemma);
      // Without one, another input: by the kinds of its parts.
      if (lemmas.size === before) excluded.push(exclusionOf(symbolic.settings, model));
      if (performance.now() > until) break;
    }
    return this.#answer({ answer: 'unknown', reason: 'the engine confirms no input that the solver finds' });
  }

  #answer(found: Omit<Answer, 'bound' | 'assumptions'>): Answer {
    return { bound: this.#symbolic.bound, assumptions: this.#assumptions(), ...found };
  }

  /** Results of built-ins that a model has otherwise than the engine. */
  async #lemmasAgainst(model: Model, names: ModelNames): Promise<readonly Formula[]> {
    const symbolic = this.#symbolic;
    const resultOf = (name: string, operands: readonly Value[]) => {
      const row = this.#builtins.get(name);
      return row && this.#calls.result(row, operands, true);
    };
    const all = () => symbolic.freeCalls.flatMap((call) => lemmaOf(call, model, names, symbolic.settings, resultOf));
    // The first round tells which calls are asked for.
    all();
    await this.#calls.prepare();
    return all();
  }

  #assumptions(): readonly string[] {
    const { bound, freeCalls, input } = this.#symbolic;
    const lists = [...input.iterated].map(({ name }) => name);
    const functions = [...new Set(freeCalls.map(({ name }) => name))];
    return [
      ...(this.#schema === undefined ? [] : ['inputs of the schema']),
      ...(lists.length === 0 ? [] : [`at most ${bound} elements in ${lists.join(', ')}`]),
      ...(functions.length === 0 ? [] : [`any results of ${functions.join(', ')}, equal for equal operands`]),
      ...(this.#mayConflict ? ['an error of both versions where a rule that they read has two values'] : []),
      ...(this.#emptyRefs.length === 0 ? [] : [`nothing at ${this.#emptyRefs.join(', ')}`]),
      ...(input.roundings.size === 0 ? [] : ['results of arithmetic that are not rounded']),
    ];
  }
}

async function compiledOf({ engine, beside }: PolicyVersion, path: string | undefined): Promise<Compiled | undefined> {
  if (path === undefined) return (await beside?.()) ?? (await engine.compiled());
  return await sourcesOf(engine, engine.version, path.split('/'), beside);
}
