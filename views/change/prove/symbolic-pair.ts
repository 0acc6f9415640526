/** Two versions over one unknown input: formulas about the documents of both. */
import type { Body, Compiled, Node } from '../../../compiler/index.js';
import {
  compileErrors,
  compileQuery,
  isRoot,
  parseQuery,
  printTerm,
  rulesRead,
  walk,
} from '../../../compiler/index.js';
import { baseAt } from '../../../runtime/index.js';
import type { Value } from '../../../values/index.js';
import type { InputSchema } from '../input-schema.js';
import { segmentsFor, type VersionPair } from '../policy-version.js';
import { type Formula, Formulas } from './formulas.js';
import type { KnownCalls } from './known-calls.js';
import { type Part, SymbolicInput } from './symbolic-input.js';
import { type SymbolicDocument, SymbolicRules, wholeOf } from './symbolic-rules.js';
import { Comparing, type FreeCall, type Guarded, known, type SymbolicSettings } from './symbolic-value.js';
import { Unprovable } from './unprovable.js';

export const defaultBound = 3;

/** Lists are not made longer than this where rules count further. */
const mostBound = 8;

const mostRounds = 8;

interface SymbolicPairOptions {
  /** See `ProofOptions`. */
  readonly bound: number | undefined;
  readonly schema: InputSchema | undefined;
  /** See `SymbolicSettings`. */
  readonly readsFormats: boolean;
}

export class SymbolicPair {
  readonly #pair: VersionPair;
  readonly #compiled: readonly [old: Compiled, next: Compiled];
  readonly #calls: KnownCalls;
  readonly #schema: InputSchema | undefined;
  readonly #readsFormats: boolean;
  #bound: number;
  /** Whether the bound stands. */
  #isBounded: boolean;
  /** Whether lemmas may name parts of the input. */
  #isKept = false;
  #formulas!: Formulas;
  #input!: SymbolicInput;
  #comparing!: Comparing;
  #freeCalls!: Map<Part, FreeCall>;

  constructor(
    pair: VersionPair,
    compiled: readonly [old: Compiled, next: Compiled],
    calls: KnownCalls,
    { bound, schema, readsFormats }: SymbolicPairOptions,
  ) {
    this.#pair = pair;
    this.#compiled = compiled;
    this.#calls = calls;
    this.#schema = schema;
    this.#readsFormats = readsFormats;
    this.#isBounded = bound !== undefined;
    this.#bound = bound ?? defaultBound;
    this.#begin();
  }

  /** Begins with an input of which nothing is known. */
  #begin(): void {
    this.#formulas = new Formulas();
    this.#input = new SymbolicInput(this.#formulas, this.#bound, this.#schema?.shape);
    this.#comparing = new Comparing(this.#formulas, this.#input);
    this.#freeCalls = new Map();
  }

  get formulas(): Formulas {
    return this.#formulas;
  }

  get input(): SymbolicInput {
    return this.#input;
  }

  get bound(): number {
    return this.#bound;
  }

  /** Calls of built-ins whose results the solver may choose. */
  get freeCalls(): readonly FreeCall[] {
    return [...this.#freeCalls.values()];
  }

  get settings(): SymbolicSettings {
    return {
      formulas: this.#formulas,
      input: this.#input,
      comparing: this.#comparing,
      freeCalls: this.#freeCalls,
      readsFormats: this.#readsFormats,
    };
  }

  /** Lists get no longer: lemmas are about parts within the bound. */
  keepBound(): void {
    this.#isBounded = true;
    this.#isKept = true;
  }

  /**
   * A formula that is made until it names no further part of the input: the members that one rule
   * names are members in the iterations of all. Lists are as long as the rules count.
   */
  async settled(make: () => Formula): Promise<Formula> {
    for (let round = 0; round < mostRounds; round++) {
      const before = this.#input.parts.length;
      this.#input.facts.length = 0;
      const formula = make();
      if (await this.#calls.prepare()) {
        // Calls whose results are known from now on leave no parts behind.
        if (!this.#isKept) this.#begin();
        continue;
      }
      if (this.#input.parts.length !== before) continue;
      const bound = this.#isBounded ? this.#bound : Math.max(this.#bound, this.#countedBound());
      if (bound === this.#bound) return formula;
      this.#bound = bound;
      this.#begin();
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

  #rules(which: 0 | 1): SymbolicRules {
    const version = which === 0 ? this.#pair.old : this.#pair.new;
    return new SymbolicRules(this.#compiled[which], version.engine.store.root, {
      ...this.settings,
      calls: this.#calls,
    });
  }

  /** The documents of both versions at a path. */
  documents(path: string): { readonly old: SymbolicDocument; readonly next: SymbolicDocument } {
    return {
      old: this.#rules(0).at(segmentsFor(this.#pair.old, path)),
      next: this.#rules(1).at(segmentsFor(this.#pair.new, path)),
    };
  }

  /** An expression in the new version: makes the formula under which it holds. */
  expression(text: string): () => Formula {
    const body = bodyOf(this.#compiled[1], text);
    return () => this.#rules(1).holds(body);
  }

  /** Refs of an expression at which the new version has neither rules nor data. */
  emptyRefs(text: string): readonly string[] {
    const [, compiled] = this.#compiled;
    const found = new Set<string>();
    const visit = (node: Node): void => {
      if (node.type !== 'ref' || rulesRead(compiled.ruleTree, node.terms).length > 0) return;
      const [head, ...keys] = node.terms;
      if (!isRoot(head, 'data')) return;
      let data: Value | undefined = this.#pair.new.engine.store.root;
      for (const key of keys) {
        if (key.type !== 'string') break;
        data = data === undefined ? undefined : baseAt(data, key.value);
      }
      if (data === undefined) found.add(printTerm(node));
    };
    for (const expr of bodyOf(compiled, text)) walk(expr, visit);
    return [...found];
  }

  allows(document: SymbolicDocument): Formula {
    if (document.kind !== 'single') throw new Unprovable('the rules make no truth value');
    const f = this.#formulas;
    return f.or(...document.values.map(({ guard, value }) => f.and(guard, this.#comparing.equals(value, known(true)))));
  }

  /** The formula under which two documents differ. */
  differ(old: SymbolicDocument, next: SymbolicDocument): Formula {
    const f = this.#formulas;
    // Sets and objects are there without a member.
    if (old.kind !== next.kind) return this.differ(singleOf(old, f.yes), singleOf(next, f.yes));
    return f.or(this.#lacks(old.values, next.values), this.#lacks(next.values, old.values));
  }

  /** Some value of the first ones is none of the others. */
  #lacks(some: readonly Guarded[], others: readonly Guarded[]): Formula {
    const f = this.#formulas;
    return f.or(...some.map(({ guard, value }) => f.butNot(guard, this.#comparing.memberOf(value, others))));
  }
}

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
  const { kind, conflict } = document;
  if (kind === 'single') return document;
  return { kind: 'single', values: [{ guard: yes, value: wholeOf(document).value }], conflict };
}

function bodyOf(compiled: Compiled, expression: string): Body {
  const query = compileQuery(compiled, parseQuery(expression));
  if (query.diagnostics.length > 0) throw compileErrors(query.diagnostics);
  return query.body;
}
