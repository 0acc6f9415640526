/** Evaluates `data`: base documents, rules and functions. */

import type { Term } from '../../compiler/ast/nodes.js';
import { compare, makeObject } from '../../values/compare.js';
import { equal } from '../../values/equal.js';
import { numberFromText } from '../../values/numbers/number.js';
import { RegoSet } from '../../values/set.js';
import type { Value } from '../../values/value.js';
import { elementsOf, lookupInBase, merged } from './collections.js';
import { type Bindings, Conflict, type Environment, type Evaluation, type RefAccess, type TermValue, Unbound } from './evaluation.js';
import { ObjectBuilder } from './object-builder.js';
import { childName, type Link, type ResolvedRule, type RuleNode, rulesUnder } from './rules.js';

/** A path in `data`: the rules there, and the base document. */
interface Place {
  readonly node: RuleNode | undefined;
  readonly base: Value | undefined;
  readonly path: readonly Value[];
}

export class Documents {
  readonly #evaluation: Evaluation;
  readonly #terms: () => RefAccess;

  constructor(evaluation: Evaluation, terms: () => RefAccess) {
    this.#evaluation = evaluation;
    this.#terms = terms;
  }

  /** The values of `data` at a path of terms. */
  values(path: readonly Term[], environment: Environment, bindings: Bindings): readonly TermValue[] {
    const root = { node: this.#evaluation.program.root, base: environment.data, path: [] };
    return this.#walk(root, path, environment, bindings);
  }

  #walk(place: Place, path: readonly Term[], environment: Environment, bindings: Bindings): readonly TermValue[] {
    this.#evaluation.step();
    const { node, base } = this.#visible(place, environment);
    if (node === undefined) return base === undefined ? [] : this.#terms().access(base, path, environment, bindings, lookupInBase);
    if (hasRules(node)) {
      if (isFunction(node)) return [];
      const [first] = path;
      if (first !== undefined && this.#knownValues(first, environment, bindings)?.length === 0) return [];
      const value = this.#valueOf(node, place.path.length, environment, this.#requestedKeys(path, environment, bindings));
      return value === undefined ? [] : this.#terms().access(value, path, environment, bindings);
    }
    const [part, ...rest] = path;
    if (part === undefined) return [{ value: this.#document({ ...place, node, base }, environment), bindings }];
    return this.#terms()
      .keys(part, () => this.#keysOf(node, base), environment, bindings)
      .flatMap(({ value: key, bindings: next }) => this.#walk(below({ node, base, path: place.path }, key), rest, environment, next));
  }

  /** The keys at the start of a path that have a single value before any rule is evaluated. */
  #requestedKeys(path: readonly Term[], environment: Environment, bindings: Bindings): readonly Value[] {
    const requested: Value[] = [];
    for (const term of path) {
      const values = this.#knownValues(term, environment, bindings);
      if (values?.length !== 1) break;
      requested.push(values[0]!.value);
    }
    return requested;
  }

  /** The values of a term; undefined if a variable has no value yet. */
  #knownValues(term: Term, environment: Environment, bindings: Bindings): readonly TermValue[] | undefined {
    try {
      return this.#evaluation.values(term, environment, bindings);
    } catch (error) {
      if (error instanceof Unbound) return undefined;
      throw error;
    }
  }

  /** A document replaced by `with` has no rules. */
  #visible(
    { node, base, path }: Place,
    environment: Environment,
  ): { readonly node: RuleNode | undefined; readonly base: Value | undefined } {
    return { node: environment.replaced.has(JSON.stringify(path)) ? undefined : node, base };
  }

  /**
   * The keys of a package: those of its rules and subpackages, and those of the base document. The
   * relative order of the two is not defined.
   */
  #keysOf(node: RuleNode, base: Value | undefined): readonly Value[] {
    const keys = new RegoSet(base === undefined ? [] : (elementsOf(base) ?? []).map(([key]) => key));
    if (keys.size > 0) this.#evaluation.markUnordered();
    for (const { key } of node.children.values()) if (key.type === 'string') keys.add(key.value);
    return [...keys].sort(compare);
  }

  /** The whole document of a package. */
  #document(place: Place & { readonly node: RuleNode }, environment: Environment): Value {
    const entries: (readonly [Value, Value])[] = [];
    for (const { key } of place.node.children.values()) {
      const inner = below(place, (key as Term & { readonly type: 'string' }).value);
      if (isHidden(inner.path) || environment.replaced.has(JSON.stringify(inner.path)) || isFunction(inner.node!)) continue;
      const value = hasRules(inner.node!)
        ? this.#valueOf(inner.node!, inner.path.length, environment)
        : this.#document({ ...inner, node: inner.node! }, environment);
      if (value !== undefined) entries.push([inner.path.at(-1)!, value]);
    }
    return merged(place.base, makeObject(entries));
  }

  /**
   * The value of the rules at a node and below it; `depth` keys lead to the node. An object may
   * lack the entries under other keys than the requested ones.
   */
  #valueOf(node: RuleNode, depth: number, environment: Environment, requested: readonly Value[] = []): Value | undefined {
    const rules = rulesUnder(node);
    if (rules.some(({ path }) => path.length > depth)) return this.#object(node, depth, environment, requested);
    if (!rules[0]!.isSet) return this.complete(rules, undefined, environment);
    const members = new RegoSet();
    for (const { links } of rules)
      for (const value of this.#heads(links[0]!, [links[0]!.key!], environment, new Map())) members.add(value[0]!);
    return members;
  }

  #object(node: RuleNode, depth: number, environment: Environment, requested: readonly Value[]): Value {
    const rules = rulesUnder(node);
    const object = new ObjectBuilder();
    addEmpty(object, node, depth, []);
    for (const { path, isSet, links } of rules) {
      const keys = path.slice(depth);
      for (const values of this.#firstHeads(links, (link) => [...keys, isSet ? link.key! : link.value!], environment)) {
        if (requested.some((key, i) => i < keys.length && !equal(values[i]!, key))) continue;
        if (isSet) object.addMember(values.slice(0, -1), values.at(-1)!);
        else object.put(values.slice(0, -1), values.at(-1)!);
      }
    }
    return object.value;
  }

  /** The values of the head of the first link with a solution. */
  #firstHeads(links: readonly Link[], terms: (link: Link) => readonly Term[], environment: Environment): readonly (readonly Value[])[] {
    for (const link of links) {
      const values = this.#heads(link, terms(link), environment, new Map());
      if (values.length > 0) return values;
    }
    return [];
  }

  /** The values of a link's head, for each solution of its body. */
  #heads({ body }: Link, terms: readonly Term[], environment: Environment, bindings: Bindings): readonly (readonly Value[])[] {
    return this.#evaluation
      .solutions(body, environment, bindings)
      .flatMap((solution) => this.#evaluation.combinations(terms, environment, solution).map(({ values }) => values));
  }

  /** The value of complete rules, or of functions for some operands. Throws Conflict. */
  complete(rules: readonly ResolvedRule[], operands: readonly Value[] | undefined, environment: Environment): Value | undefined {
    const found = rules.flatMap((rule) => (rule.isDefault ? [] : this.#chain(rule, operands, environment)));
    if (found.some((value) => !equal(value, found[0]!))) throw new Conflict('several values');
    if (found.length > 0) return found[0];
    const fallback = rules.find(({ isDefault }) => isDefault);
    return fallback && this.#chain(fallback, operands, environment)[0];
  }

  /** The values of the first link that is defined. */
  #chain({ args = [], links }: ResolvedRule, operands: readonly Value[] | undefined, environment: Environment): readonly Value[] {
    const start = args.reduce<readonly Bindings[]>(
      (all, arg, i) => all.flatMap((bindings) => this.#evaluation.match(arg, operands![i]!, environment, bindings)),
      [new Map()],
    );
    for (const link of links) {
      const values = start.flatMap((bindings) => this.#heads(link, [link.value!], environment, bindings));
      if (values.length > 0) return values.map(([value]) => value!);
    }
    return [];
  }

  /** The rules of a function, by its path below `data`. */
  functionAt(path: readonly Term[]): readonly ResolvedRule[] | undefined {
    let node: RuleNode | undefined = this.#evaluation.program.root;
    for (const key of path) node = node?.children.get(childName(key));
    return node && isFunction(node) ? node.rules : undefined;
  }
}

function below({ node, base, path }: Place, key: Value): Place {
  const child = typeof key === 'string' ? node?.children.get(JSON.stringify(key)) : undefined;
  return { node: child, base: base === undefined ? undefined : lookupInBase(base, key), path: [...path, key] };
}

/**
 * Whether rules define the value of a node: some are at the node, or at a key below it that cannot
 * be a package's.
 */
function hasRules(node: RuleNode): boolean {
  return node.rules.length > 0 || [...node.children.values()].some(({ key }) => key.type !== 'string');
}

/** Nodes have an object or a set even where no rule holds, up to a variable in a head. */
function addEmpty(object: ObjectBuilder, node: RuleNode, depth: number, keys: readonly Value[]): void {
  const values = node.rules.filter(({ args }) => args === undefined);
  const isOpen = values.some(({ path }) => path.length > depth);
  if (keys.length > 0 && rulesUnder(node).some(({ args }) => args === undefined)) {
    if (values.length === 0 || isOpen) object.addObject(keys);
    else if (values[0]!.isSet) object.addSet(keys);
  }
  if (isOpen) return;
  for (const child of node.children.values()) addEmpty(object, child, depth + 1, [...keys, literal(child.key)]);
}

function literal(key: Term): Value {
  if (key.type === 'number') return numberFromText(key.text);
  return key.type === 'string' || key.type === 'boolean' ? key.value : null;
}

function isFunction(node: RuleNode): boolean {
  return node.rules.some(({ args }) => args !== undefined);
}

/** Policies about the engine itself show only if they are asked for by path. */
function isHidden(path: readonly Value[]): boolean {
  return path.length === 1 && path[0] === 'system';
}
