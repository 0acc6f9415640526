/**
 * The types of `data`, built from the contributions of rules. Each topmost path with rules is one
 * part: only rules of one part affect each other, and they contribute in the order of the rule
 * tree, not in the order of checking. So a part can be rebuilt without the others.
 */

import { type Steps, visitSteps } from '../../../values/index.js';
import type { Ref, ScalarTerm } from '../../ast/nodes.js';
import type { CompiledRule } from '../../resolve/compiled-rule.js';
import type { RuleGraph } from '../../resolve/graph.js';
import { constantKeys, keyOfTerm, type RuleTree, step, walkRules } from '../../resolve/tree.js';
import { compareTypes } from './compare-types.js';
import { constantPart } from './constant-part.js';
import { contribute, type RuleTypes, uncheckedRule } from './rule.js';
import { TypeTree } from './tree.js';

/** The number of parts made in a step. */
const partsPerStep = 64;

/** The topmost rules on the way to a rule. */
interface Place {
  readonly path: readonly ScalarTerm[];
  readonly node: RuleTree;
  part: DataPart | undefined;
}

/**
 * A path at or below which rules changed: in one of both rule trees there are rules at it, in none
 * above it.
 */
export interface DataPart {
  readonly path: readonly ScalarTerm[];
  /** The rules that changed, module by module: before and now. */
  readonly before: { readonly module: string; readonly types: RuleTypes | undefined }[];
  readonly after: CompiledRule[];
  /** A rule was checked since it was made. */
  dirty: boolean;
  /** The types of `after` at the last build. */
  made: readonly (RuleTypes | undefined)[] | undefined;
  /** When its types last became others, by the clock of checks. */
  changedAt: number;
}

export class DataTypes {
  readonly #rules: RuleTree;
  readonly #graph: RuleGraph;
  readonly #typesOf: (rule: CompiledRule) => RuleTypes | undefined;
  /** The rule tree and the types of an earlier check, if there was one. */
  readonly #before: RuleTree | undefined;
  readonly #parts: DataPart[] = [];
  /** In a check that starts from an earlier one. */
  readonly #partsByPath = new Map<string, DataPart>();
  readonly #places = new Map<CompiledRule, Place>();
  readonly #own = new Set<TypeTree>();
  #tree: TypeTree;
  #clock = 0;

  constructor(
    rules: RuleTree,
    graph: RuleGraph,
    typesOf: (rule: CompiledRule) => RuleTypes | undefined,
    before?: { readonly rules: RuleTree; readonly tree: TypeTree },
  ) {
    this.#rules = rules;
    this.#graph = graph;
    this.#typesOf = typesOf;
    this.#before = before?.rules;
    this.#tree = before?.tree ?? new TypeTree();
    if (!before) this.#own.add(this.#tree);
  }

  get tree(): TypeTree {
    return this.#tree;
  }

  get parts(): Iterable<DataPart> {
    return this.#parts;
  }

  /** The time of the next check. */
  tick(): number {
    return ++this.#clock;
  }

  /**
   * The part of a rule that changes. All parts of rules that come and go have to be opened before
   * any rule is checked.
   */
  open({ ref }: CompiledRule): DataPart {
    const path = constantKeys(ref);
    let key = '';
    let before = this.#before;
    let after: RuleTree | undefined = this.#rules;
    let length = 0;
    for (const term of path) {
      const name = keyOfTerm(term);
      key += step(name);
      length++;
      before = before?.children.get(name);
      after = after?.children.get(name);
      if (this.#partsByPath.has(key) || (before?.rules.length ?? 0) > 0 || (after?.rules.length ?? 0) > 0) break;
    }
    let part = this.#partsByPath.get(key);
    if (!part) this.#partsByPath.set(key, (part = this.#newPart(path.slice(0, length))));
    return part;
  }

  #newPart(path: readonly ScalarTerm[]): DataPart {
    const part: DataPart = { path, before: [], after: [], dirty: true, made: undefined, changedAt: 0 };
    this.#parts.push(part);
    return part;
  }

  /** Notes that a rule was checked. */
  checked(rule: CompiledRule): void {
    if (this.#before) {
      this.open(rule).dirty = true;
      return;
    }
    const place = this.#placeOf(rule);
    place.part ??= this.#newPart(place.path);
    place.part.dirty = true;
  }

  /**
   * The types of `data` for a rule that is about to be checked. They include the rules that it
   * reads. Other rules of the same object may be checked later: a value of theirs may exist.
   */
  seenBy(rule: CompiledRule): TypeTree {
    let mixed: Map<Place, Set<CompiledRule>> | undefined;
    for (const other of this.#graph.dependencies(rule)) {
      const place = this.#placeOf(other);
      place.part ??= this.#before && this.#partAround(place);
      if (place.part?.dirty) this.#make(place.part);
      if (place.node.children.size === 0) continue;
      mixed ??= new Map();
      const seen = mixed.get(place);
      if (seen) seen.add(other);
      else mixed.set(place, new Set([other]));
    }
    let tree = this.#tree;
    for (const [{ node, path }, seen] of mixed ?? []) {
      if (seen.size < countRules(node)) tree = tree.grafted(path, this.#build(node, path, seen), new Set());
    }
    for (const refs of rule.reads) for (const ref of refs) tree = this.#withPackage(tree, ref, rule);
    return tree;
  }

  /**
   * A key that is no string, or a variable, leads into a package. Whether it is known as one must
   * not depend on which of its rules were checked before: it is if another rule is in it.
   */
  #withPackage(tree: TypeTree, ref: Ref, rule: CompiledRule): TypeTree {
    const path = constantPart(ref);
    if (path.length === 0 || path.length === ref.length - 1) return tree;
    let node: RuleTree | undefined = this.#rules;
    for (const key of path) {
      node = node?.children.get(keyOfTerm(key));
      if (node && node.rules.length > 0) return tree;
    }
    const isKnown = tree.has(path);
    const isThere = node !== undefined && hasOther(node, rule);
    if (isKnown === isThere) return tree;
    return tree.grafted(path, isThere ? new TypeTree() : undefined, new Set());
  }

  /** Makes all parts of which rules were checked. */
  *makeAll(): Steps {
    yield* visitSteps(this.#parts, partsPerStep, (part) => {
      if (part.dirty) this.#make(part);
    });
  }

  /** Rules at one path share a place. */
  #placeOf(rule: CompiledRule): Place {
    const known = this.#places.get(rule);
    if (known) return known;
    const path = constantKeys(rule.ref);
    let node: RuleTree | undefined = this.#rules;
    for (const [i, key] of path.entries()) {
      node = node?.children.get(keyOfTerm(key));
      const first = node?.rules[0];
      if (node === undefined || first === undefined) continue;
      const place = this.#places.get(first) ?? { path: path.slice(0, i + 1), node, part: undefined };
      this.#places.set(first, place);
      this.#places.set(rule, place);
      return place;
    }
    throw new Error('a rule that its tree does not have');
  }

  #partAround({ path }: Place): DataPart | undefined {
    let key = '';
    for (const term of path) {
      key += step(keyOfTerm(term));
      const part = this.#partsByPath.get(key);
      if (part) return part;
    }
    return undefined;
  }

  #make(part: DataPart): void {
    part.dirty = false;
    const types = part.after.map((rule) => this.#typesOf(rule));
    if (this.#before && (part.made ? isSameList(types, part.made) : this.#isSame(part))) return;
    part.made = types;
    part.changedAt = ++this.#clock;
    const { path } = part;
    if (this.#before) this.#tree = this.#tree.grafted(path, undefined, this.#own);
    let start: RuleTree | undefined = this.#rules;
    for (const term of path) start = start?.children.get(keyOfTerm(term));
    const todo = start ? [{ node: start, path }] : [];
    for (let next = todo.pop(); next; next = todo.pop()) {
      const { node } = next;
      if (node.rules.length > 0) {
        const built = this.#build(node, next.path);
        if (built) this.#tree = this.#tree.grafted(next.path, built, this.#own);
      } else for (const child of node.children.values()) todo.push({ node: child, path: [...next.path, child.key] });
    }
  }

  /** The type of the rules at a node and below, or of some of them. */
  #build(node: RuleTree, path: readonly ScalarTerm[], some?: ReadonlySet<CompiledRule>): TypeTree | undefined {
    const around = new TypeTree();
    const above = path.length - 1;
    walkRules(node, ({ rules }) => {
      for (const rule of rules) {
        if (some && !some.has(rule)) {
          const { path, contribution } = uncheckedRule(rule);
          contribute(around, path.slice(above), contribution);
          continue;
        }
        const types = this.#typesOf(rule);
        if (types === undefined) continue;
        for (const contribution of types.contributions) contribute(around, types.path.slice(above), contribution);
      }
      return undefined;
    });
    const [key] = path.slice(above);
    return key && around.child(key);
  }

  #isSame({ before, after }: DataPart): boolean {
    if (before.length !== after.length) return false;
    return before.every(({ module, types }, i) => {
      const rule = after[i];
      return module === rule?.module.name && isSame(types, this.#typesOf(rule));
    });
  }
}

function countRules(node: RuleTree): number {
  let count = 0;
  walkRules(node, ({ rules }) => {
    count += rules.length;
    return undefined;
  });
  return count;
}

function isSameList(a: readonly (RuleTypes | undefined)[], b: readonly (RuleTypes | undefined)[]): boolean {
  return a.length === b.length && a.every((types, i) => isSame(types, b[i]));
}

/** Whether a rule other than one is at a node or below. */
function hasOther(start: RuleTree, rule: CompiledRule): boolean {
  const todo = [start];
  for (let node = todo.pop(); node; node = todo.pop()) {
    if (node.rules.some((other) => other !== rule)) return true;
    for (const child of node.children.values()) todo.push(child);
  }
  return false;
}

function isSame(a: RuleTypes | undefined, b: RuleTypes | undefined): boolean {
  if (a === b) return true;
  if (!a || !b || a.path.length !== b.path.length || a.contributions.length !== b.contributions.length) return false;
  const keys = b.path.map((term) => keyOfTerm(term));
  if (!a.path.every((term, i) => keyOfTerm(term) === keys[i])) return false;
  return a.contributions.every((left, i) => {
    const right = b.contributions[i];
    if (left.how === 'failed' || right?.how !== 'value') return left.how === right?.how;
    return compareTypes(left.type, right.type) === 0;
  });
}
