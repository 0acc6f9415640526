/** Proves that two versions decide alike, or finds an input that they decide otherwise. */
import type { Body, Compiled } from '../../../compiler/index.js';
import { compileErrors, compileQuery, parseQuery } from '../../../compiler/index.js';
import { sourcesOf } from '../../../engine/index.js';
import { wallClockNs } from '../../../runtime/index.js';
import type { Value } from '../../../values/index.js';
import { CauseFinder, type DecidingPair } from '../cause-finder.js';
import { DifferenceGroups } from '../difference-groups.js';
import { differenceOf } from '../outcome.js';
import { type PolicyVersion, segmentsFor, type VersionPair } from '../policy-version.js';
import { answerOf } from '../replay.js';
import type { ProofReport } from '../report.js';
import { shrunk } from '../search/shrink.js';
import { VersionDecisions } from '../version-decisions.js';
import { definitionsOf, type Formula, Formulas } from './formulas.js';
import { modelOf } from './model.js';
import { SymbolicInput } from './symbolic-input.js';
import { type SymbolicDocument, SymbolicRules } from './symbolic-rules.js';
import { Comparing, type Guarded, known, Unprovable } from './symbolic-value.js';

/**
 * Answers a question in SMT-LIB as a solver prints it.
 * @param ms after which it must have ended
 */
type Solve = (question: string, ms: number) => Promise<string>;

export interface ProofOptions {
  readonly solve: Solve;
  /** The most elements of a list, and unknown members of an object. Default: 3. */
  readonly bound?: number | undefined;
  /** Milliseconds for each question. Default: 30,000. */
  readonly ms?: number | undefined;
}

/** Models that the engine does not confirm are excluded, so often. */
const mostRefuted = 8;

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
    return { ...(await proving.equality(isImplied)), question, path, ms: since(started) };
  } catch (error) {
    return { ...unknownBy(error), question, path, bound: options.bound ?? 3, ms: since(started) };
  }
}

/** Looks for an input for which an expression holds in the new version. */
export async function proveNever(pair: VersionPair, expression: string, options: ProofOptions): Promise<ProofReport> {
  const started = performance.now();
  const question = `never ${expression}`;
  try {
    const proving = await Proving.of(pair, undefined, options);
    return { ...(await proving.never(expression)), question, path: expression, ms: since(started) };
  } catch (error) {
    return { ...unknownBy(error), question, path: expression, bound: options.bound ?? 3, ms: since(started) };
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
  readonly #formulas = new Formulas();
  readonly #input: SymbolicInput;
  readonly #comparing: Comparing;
  readonly #options: ProofOptions;
  readonly #pair: VersionPair;
  readonly #path: string | undefined;
  readonly #compiled: readonly [Compiled, Compiled];

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
    this.#input = new SymbolicInput(this.#formulas, options.bound ?? 3);
    this.#comparing = new Comparing(this.#formulas, this.#input);
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
      formulas: this.#formulas,
      input: this.#input,
      comparing: this.#comparing,
    });
  }

  /** @param isImplied whether only what the new version allows and the old one does not differs */
  async equality(isImplied: boolean): Promise<Answer> {
    const path = this.#path!;
    const f = this.#formulas;
    const wanted = this.#settled(() => {
      const [old, next] = [this.#documentOf(0), this.#documentOf(1)];
      if (isImplied) return f.butNot(this.#allows(next.document), this.#allows(old.document));
      const conflicts = [f.butNot(old.conflict, next.conflict), f.butNot(next.conflict, old.conflict)];
      return f.or(this.#differ(old.document, next.document), ...conflicts);
    });
    const decisions = {
      old: new VersionDecisions(this.#pair.old, decisionMs),
      new: new VersionDecisions(this.#pair.new, decisionMs),
    };
    return await this.#ask(wanted, async (input) => {
      const found = await confirmed(decisions, path, input);
      return isImplied && found?.kind !== 'allowed' ? undefined : found;
    });
  }

  /**
   * A formula that is made until it names no further part of the input: the members that one rule
   * names are members in the iterations of all.
   */
  #settled(make: () => Formula): Formula {
    for (let round = 0; round < mostRounds; round++) {
      const before = this.#input.parts.length;
      this.#input.facts.length = 0;
      const formula = make();
      if (this.#input.parts.length === before) return formula;
    }
    throw new Unprovable('the rules name ever more parts of the input');
  }

  #documentOf(which: 0 | 1): { readonly document: SymbolicDocument | undefined; readonly conflict: Formula } {
    const rules = this.#rules(which);
    const document = rules.at(segmentsFor(which === 0 ? this.#pair.old : this.#pair.new, this.#path!));
    return { document, conflict: this.#formulas.or(...rules.conflicts) };
  }

  #allows(document: SymbolicDocument | undefined): Formula {
    if (document !== undefined && document.kind !== 'single') throw new Unprovable('the rules make no truth value');
    const f = this.#formulas;
    return f.or(
      ...(document?.values ?? []).map(({ guard, value }) => f.and(guard, this.#comparing.equals(value, known(true)))),
    );
  }

  async never(expression: string): Promise<Answer> {
    const compiled = this.#compiled[1];
    const body = bodyOf(compiled, expression);
    const holds = this.#settled(() => this.#rules(1).holds(body));
    const { engine } = this.#pair.new;
    const prepared = await engine.prepareQuery(expression);
    return await this.#ask(holds, async (input) => {
      const solutions = prepared.atOnce(input, { timeMs: decisionMs });
      if (!Array.isArray(solutions) || solutions.length === 0) return undefined;
      const small = await shrunk(input, async (smaller) => {
        const found = prepared.atOnce(smaller, { timeMs: decisionMs });
        return Array.isArray(found) && found.length > 0;
      });
      return {
        example: { path: expression, ...(small !== undefined && { input: small }), old: {}, new: { value: true } },
      };
    });
  }

  /** The formula under which two documents differ. */
  #differ(old: SymbolicDocument | undefined, next: SymbolicDocument | undefined): Formula {
    const f = this.#formulas;
    const [a, b] = [old?.values ?? [], next?.values ?? []];
    const kindsOf = [old?.kind ?? next?.kind, next?.kind ?? old?.kind];
    if (kindsOf[0] !== kindsOf[1]) throw new Unprovable('the rules of the versions are of different kinds');
    if (kindsOf[0] !== 'single' && (old === undefined || next === undefined)) return f.yes;
    return f.or(this.#lacks(a, b), this.#lacks(b, a));
  }

  /** Some value of the first ones is none of the others. */
  #lacks(some: readonly Guarded[], others: readonly Guarded[]): Formula {
    const f = this.#formulas;
    return f.or(...some.map(({ guard, value }) => f.butNot(guard, this.#comparing.memberOf(value, others))));
  }

  async #ask(
    wanted: Formula,
    confirm: (input: Value | undefined) => Promise<Pick<ProofReport, 'example' | 'kind' | 'old' | 'new'> | undefined>,
  ): Promise<Answer> {
    const { solve, ms = 30_000, bound = 3 } = this.#options;
    const f = this.#formulas;
    const base = { bound, assumptions: this.#assumptions() };
    if (wanted === f.no) return { ...base, answer: 'equal' };
    const { definitions, name } = definitionsOf(f.and(wanted, ...this.#input.facts));
    const lines = [...this.#input.axioms(), ...definitions, `(assert ${name})`];
    const variables = this.#input.variables().join(' ');
    const until = performance.now() + ms;
    for (let refuted = 0; refuted < mostRefuted; refuted++) {
      const left = Math.max(1, Math.round(until - performance.now()));
      const text = `(set-option :timeout ${left})\n${lines.join('\n')}\n(check-sat)\n(get-value (${variables}))\n`;
      const said = await solve(text, left + graceMs);
      if (said.startsWith('unsat'))
        return refuted === 0 ? { ...base, answer: 'equal' } : { ...base, answer: 'unknown', reason: unconfirmed };
      if (!said.startsWith('sat')) return { ...base, answer: 'unknown', reason: reasonOf(said, ms) };
      const model = modelOf(said);
      const found = await confirm(this.#input.inputOf(model));
      if (found !== undefined) return { ...base, answer: 'differs', ...found };
      // Another input, by the kinds of its parts or one of its values.
      lines.push(`(assert (not (and ${this.#pinned(model)})))`);
      if (performance.now() > until) break;
    }
    return { ...base, answer: 'unknown', reason: unconfirmed };
  }

  #pinned(model: ReadonlyMap<string, string | number>): string {
    return this.#input.parts.map(({ id }) => `(= k${id} ${model.get(`k${id}`) ?? 0})`).join(' ');
  }

  #assumptions(): readonly string[] {
    const { bound, iterated, free } = this.#input;
    const lists = [...iterated].filter(({ name }) => name.startsWith('input')).map(({ name }) => name);
    const functions = [
      ...new Set(
        [...free.keys()]
          .map((call) => /^[\w.]+(?=\()/.exec(call)?.[0])
          .filter((name) => name !== undefined && name !== 'count'),
      ),
    ];
    return [
      ...(lists.length === 0 ? [] : [`at most ${bound} elements in ${lists.join(', ')}`]),
      ...(functions.length === 0 ? [] : [`any results of ${functions.join(', ')}, equal for equal operands`]),
    ];
  }
}

/** The solver keeps to its own time limit; it is ended so much later. */
const graceMs = 3000;

const unconfirmed = 'the engine confirms no input that the solver finds';

function reasonOf(said: string, ms: number): string {
  const [first = ''] = said.split('\n');
  if (first === 'unknown' || first === 'timeout' || first === '') return `the solver gives up, after at most ${ms} ms`;
  return `the solver fails: ${first}`;
}

async function confirmed(deciding: DecidingPair, path: string, input: Value | undefined) {
  const timeNs = wallClockNs();
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
  const small = await shrunk(input, async (smaller) => decide(smaller)?.kind === found.kind);
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
