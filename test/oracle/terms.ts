/** The values of terms. */

import { sortedTermEntries } from '../../compiler/ast/compare-terms.js';
import { callTerm, stringTerm, varTerm } from '../../compiler/ast/make.js';
import type { Comprehension, Expr, ObjectTerm, TemplateString, Term } from '../../compiler/ast/nodes.js';
import { nowhere } from '../../compiler/source/location.js';
import { lookup, makeObject } from '../../values/compare.js';
import { equal } from '../../values/equal.js';
import { numberFromText } from '../../values/numbers/number.js';
import { RegoSet } from '../../values/set.js';
import type { Value } from '../../values/value.js';
import { ownNames } from './captures.js';
import { elementsOf } from './collections.js';
import type { Documents } from './documents.js';
import { type Bindings, Conflict, type Environment, type Evaluation, type TermValue, Unbound, unbound } from './evaluation.js';
import { operatorName } from './names.js';

export class Terms {
  readonly #evaluation: Evaluation;
  readonly #documents: Documents;

  constructor(evaluation: Evaluation, documents: Documents) {
    this.#evaluation = evaluation;
    this.#documents = documents;
  }

  values(term: Term, environment: Environment, bindings: Bindings): readonly TermValue[] {
    const { program } = this.#evaluation;
    this.#evaluation.step();
    switch (term.type) {
      case 'null':
        return [{ value: null, bindings }];
      case 'boolean':
      case 'string':
        return [{ value: term.value, bindings }];
      case 'number':
        return [{ value: numberFromText(term.text), bindings }];
      case 'var': {
        const value = bindings.get(term.name);
        if (value === undefined) throw unbound;
        return [{ value, bindings }];
      }
      case 'ref':
        return this.#ref(term.terms, environment, bindings);
      case 'array':
        return this.#combined(term.items, (values) => values, environment, bindings);
      case 'set':
        return this.#combined(term.items, (values) => new RegoSet(values), environment, bindings);
      case 'object':
        return this.#object(term, environment, bindings);
      case 'call':
        // `x = eq(1)` is `eq(1, x)`.
        if (term.args.length === 1 && operatorName(term.operator.terms) === 'eq') return this.values(term.args[0]!, environment, bindings);
        return this.#evaluation
          .combinations(term.args, environment, bindings)
          .flatMap(({ values, bindings: next }) =>
            this.#evaluation.apply(term.operator.terms, values, environment).map((value) => ({ value, bindings: next })),
          );
      case 'templatestring':
        return this.#template(term, environment, bindings);
      default:
        requireBound(program.captures.get(term), bindings);
        return [{ value: this.#comprehension(term, environment, bindings), bindings }];
    }
  }

  #combined(
    terms: readonly Term[],
    make: (values: readonly Value[]) => Value,
    environment: Environment,
    bindings: Bindings,
  ): readonly TermValue[] {
    return this.#evaluation
      .combinations(terms, environment, bindings)
      .map(({ values, bindings: next }) => ({ value: make(values), bindings: next }));
  }

  /**
   * Among equal keys in the source, the last entry wins; among keys with equal values, the last in
   * the order of terms.
   */
  #object(term: ObjectTerm, environment: Environment, bindings: Bindings): readonly TermValue[] {
    const entries = sortedTermEntries(term.entries);
    const terms = entries.flatMap(({ key, value }) => [key, value]);
    const pairs = (values: readonly Value[]) => entries.map((_, i) => [values[2 * i]!, values[2 * i + 1]!] as const);
    return this.#combined(terms, (values) => makeObject(pairs(values)), environment, bindings);
  }

  #comprehension(term: Comprehension, environment: Environment, bindings: Bindings): Value {
    const found = this.#evaluation.solutions(term.body, environment, bindings);
    if (term.type === 'objectcomprehension') {
      const entries: (readonly [Value, Value])[] = [];
      for (const solution of found) {
        for (const { values } of this.#evaluation.combinations([term.key, term.value], environment, solution)) {
          const [key, value] = values as readonly [Value, Value];
          if (entries.some(([other, known]) => equal(other, key) && !equal(known, value))) throw new Conflict('object keys must be unique');
          entries.push([key, value]);
        }
      }
      return makeObject(entries);
    }
    const values = found.flatMap((solution) => this.#evaluation.values(term.term, environment, solution).map(({ value }) => value));
    return term.type === 'arraycomprehension' ? values : new RegoSet(values);
  }

  /** The built-in handles undefined parts, and reports a conflict for several values. */
  #template({ parts }: TemplateString, environment: Environment, bindings: Bindings): readonly TermValue[] {
    const sets = parts.map((part): Value => {
      if (part.type !== 'expr') return this.#evaluation.values(part, environment, bindings)[0]!.value;
      requireBound(ownNames(part), bindings);
      const values = this.#evaluation
        .environments(part.with, environment, bindings)
        .flatMap((place) => this.#evaluation.values(termOf(part), place.environment, place.bindings));
      return new RegoSet(values.map(({ value }) => value));
    });
    const name = [varTerm(nowhere, 'internal'), stringTerm(nowhere, 'template_string')];
    return this.#evaluation.apply(name, [sets], environment).map((value) => ({ value, bindings }));
  }

  #ref(terms: readonly Term[], environment: Environment, bindings: Bindings): readonly TermValue[] {
    const [head, ...path] = terms as readonly [Term, ...Term[]];
    if (head.type === 'var' && head.name === 'data') return this.#documents.values(path, environment, bindings);
    if (head.type === 'var' && head.name === 'input')
      return environment.input === undefined ? [] : this.access(environment.input, path, environment, bindings);
    return this.#evaluation
      .values(head, environment, bindings)
      .flatMap(({ value, bindings: next }) => this.access(value, path, environment, next));
  }

  /** The values at the end of a path into a value. */
  access(value: Value, path: readonly Term[], environment: Environment, bindings: Bindings, find = lookup): readonly TermValue[] {
    const [part, ...rest] = path;
    if (part === undefined) return [{ value, bindings }];
    return this.keys(part, () => elementsOf(value)?.map(([key]) => key) ?? [], environment, bindings).flatMap(
      ({ value: key, bindings: next }) => {
        const found = find(value, key);
        return found === undefined ? [] : this.access(found, rest, environment, next, find);
      },
    );
  }

  /**
   * The keys that a part of a ref matches: its values, or, with unbound variables, all matching
   * keys.
   */
  keys(part: Term, all: () => readonly Value[], environment: Environment, bindings: Bindings): readonly TermValue[] {
    try {
      const values = this.#evaluation.values(part, environment, bindings);
      if (values.length > 1) this.#evaluation.markUnordered();
      return values;
    } catch (error) {
      if (!(error instanceof Unbound) || !isPattern(part)) throw error;
    }
    return all().flatMap((key) => this.#evaluation.match(part, key, environment, bindings).map((next) => ({ value: key, bindings: next })));
  }
}

/** The term of a template's expression. */
function termOf(part: Expr): Term {
  if (part.kind === 'term') return part.term;
  if (part.kind === 'call') return callTerm(part.loc, part.operator, part.args);
  throw new Error(`a template string with an expression of kind ${part.kind}`);
}

function isPattern({ type }: Term): boolean {
  return type === 'var' || type === 'array' || type === 'object';
}

export function requireBound(names: ReadonlySet<string> | undefined, bindings: Bindings): void {
  for (const name of names ?? []) if (name !== 'data' && name !== 'input' && !bindings.has(name)) throw unbound;
}
