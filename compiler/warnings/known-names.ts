/** The names below `data`: of rules, documents, and what a policy is given. */

import { areOnOneWay, isObject, type PlainObject, RegoObject, type Steps, type Value } from '../../values/index.js';
import { pathKeyText } from '../ast/names.js';
import type { Ref, Term } from '../ast/nodes.js';
import { isRoot, leadingKeys } from '../ast/paths.js';
import { walk } from '../ast/walk.js';
import { closest } from '../hints/closest.js';
import type { Compiled } from '../resolve/compiled.js';
import type { CompiledModule } from '../resolve/compiled-rule.js';
import { childNames, childOf, type RuleTree, walkRules } from '../resolve/tree.js';
import { NameTree } from './name-tree.js';
import type { WarningScope } from './warning-scope.js';

/** The key of a ref that nothing has. */
export interface MissingKey {
  /** Its place among the terms of the ref. */
  readonly at: number;
  /** The name that is meant, if one is like it. */
  readonly meant: string | undefined;
  /** A file that has it, and is not loaded. */
  readonly file: string | undefined;
}

/**
 * Documents that hosts give to policies: writ itself, Gatekeeper, kube-mgmt, conftest.
 */
const givenByHosts = ['system', 'inventory', 'kubernetes', 'conftest'];

export class KnownNames {
  readonly #rules: RuleTree;
  readonly #documents: PlainObject;
  readonly #scope: WarningScope;
  /** The names that a policy is given. */
  readonly #given = new NameTree();
  /** The full paths of rules by their last name, for those that are written without the rest. */
  #byLastName: ReadonlyMap<string, readonly Ref[]> | undefined;

  /** The names of compiled modules. */
  static *of(compiled: Compiled, scope: WarningScope): Steps<KnownNames> {
    const names = new KnownNames(compiled, scope);
    for (const module of compiled.modules.values()) {
      for (const path of pathsGivenBy(module)) names.#given.add(path);
      yield;
    }
    return names;
  }

  private constructor({ ruleTree }: Compiled, scope: WarningScope) {
    this.#rules = ruleTree;
    this.#documents = scope.documents ?? {};
    this.#scope = scope;
    for (const name of givenByHosts) this.#given.add([name]);
    for (const ref of scope.known ?? []) this.#given.add(refKeys(ref));
  }

  /** Whether a modifier, a host or the configuration gives a document, or the one that holds it. */
  isGiven(path: readonly string[]): boolean {
    let given: NameTree | undefined = this.#given;
    for (const key of path) {
      if (given?.isLeaf) return true;
      given = given?.at(key);
    }
    return given?.isLeaf === true;
  }

  /** The only value that a rule has where it is defined; undefined for other refs. */
  constant(ref: Ref): Term | undefined {
    const [root, ...keys] = ref;
    if (!isRoot(root, 'data')) return undefined;
    let node: RuleTree | undefined = this.#rules;
    const path: string[] = [];
    for (const term of keys) {
      if (term.type !== 'string') return undefined;
      path.push(term.value);
      node = node && childOf(node, term);
    }
    const [only, ...others] = node?.rules ?? [];
    if (only === undefined || others.length > 0 || this.isGiven(path)) return undefined;
    const { head, default: isDefault, else: otherwise } = only.rule;
    const isOne = only.ref.length === ref.length && !isDefault && !otherwise && !head.args;
    return isOne ? head.value : undefined;
  }

  /** The key of a ref into data that nothing has; undefined where all may be there. */
  missing(ref: Ref): MissingKey | undefined {
    let rules: RuleTree | undefined = this.#rules;
    let document: Value | undefined = this.#documents;
    let given: NameTree | undefined = this.#given;
    const path: string[] = [];
    for (const [i, term] of ref.entries()) {
      if ((rules?.rules.length ?? 0) > 0 || given?.isLeaf) return undefined;
      if (i === 0) continue;
      if (term.type !== 'string') return undefined;
      const above = { rules, document, given };
      rules = rules && childOf(rules, term);
      document = memberNamed(document, term.value);
      given = given?.at(term.value);
      if (rules === undefined && document === undefined && given === undefined)
        return this.#missingAt(ref, i, path, above);
      path.push(term.value);
    }
    return undefined;
  }

  /** Whether a part is looked at, and another file of the project has rules there. */
  isElsewhere(path: readonly string[]): boolean {
    const { isPart, elsewhere } = this.#scope;
    return isPart === true && elsewhere?.(path, 'value') !== undefined;
  }

  #missingAt(ref: Ref, at: number, path: readonly string[], above: Above): MissingKey | undefined {
    const name = (ref[at] as { readonly value: string }).value;
    const rest = leadingKeys(ref.slice(at));
    if (!isOwned([...path, ...rest], this.#scope.roots)) return undefined;
    const names = new Set([
      ...(above.rules ? childNames(above.rules) : []),
      ...(isPlain(above.document) ? Object.keys(above.document) : []),
      ...(above.given?.children.keys() ?? []),
    ]);
    const meant = similar(name, names);
    // Documents have different keys each time: only one that is misspelt is told.
    const isInDocument = path.length > 0 && above.rules === undefined;
    if (meant === undefined && isInDocument) return undefined;
    const file = this.#scope.elsewhere?.([...path, ...rest]);
    if (file !== undefined && this.#scope.isPart) return undefined;
    return { at, file, meant: file === undefined ? (meant ?? this.#otherPlace(rest)) : undefined };
  }

  /** The full path of a rule whose path ends in these names, if there is only one. */
  #otherPlace(names: readonly string[]): string | undefined {
    this.#byLastName ??= pathsByLastName(this.#rules);
    const found = (this.#byLastName.get(names.at(-1)!) ?? []).filter((ref) => endsIn(ref, names));
    return found.length === 1 ? `data${found[0]!.slice(1).map(textOfKey).join('')}` : undefined;
  }
}

/** The names above a missing key. */
interface Above {
  readonly rules: RuleTree | undefined;
  readonly document: Value | undefined;
  readonly given: NameTree | undefined;
}

/** A member of an object. Other values stand for whatever is asked of them. */
export function memberNamed(document: Value | undefined, key: string): Value | undefined {
  if (!isPlain(document)) return document === undefined ? undefined : document;
  return Object.hasOwn(document, key) ? document[key] : undefined;
}

function isPlain(value: Value | undefined): value is PlainObject {
  return value !== undefined && isObject(value) && !(value instanceof RegoObject);
}

function pathsByLastName(rules: RuleTree): ReadonlyMap<string, readonly Ref[]> {
  const found = new Map<string, Ref[]>();
  walkRules(rules, ({ key, rules: [first] }) => {
    if (key.type !== 'string' || first === undefined) return undefined;
    const list = found.get(key.value);
    if (list) list.push(first.ref);
    else found.set(key.value, [first.ref]);
    return undefined;
  });
  return found;
}

function textOfKey(term: Term): string {
  return term.type === 'string' ? pathKeyText(term.value) : '[…]';
}

function endsIn(ref: Ref, names: readonly string[]): boolean {
  const end = ref.slice(1).slice(-names.length);
  return end.length === names.length && end.every((term, i) => term.type === 'string' && term.value === names[i]);
}

/** A name that is like another one, and not one of a row of numbered names. */
export function similar(name: string, names: ReadonlySet<string>): string | undefined {
  const withoutDigits = name.replace(/\d+/g, '');
  return closest(
    name,
    [...names].filter((other) => other.replace(/\d+/g, '') !== withoutDigits),
  );
}

/** Whether a path lies below one of the roots, or above one. */
function isOwned(path: readonly string[], roots: readonly string[] | undefined): boolean {
  if (roots === undefined) return true;
  return roots.some((root) =>
    areOnOneWay(
      root.split('/').filter((key) => key !== ''),
      path,
    ),
  );
}

/** The keys of `data.a.b`, or `a.b`, or `a/b`. */
export function refKeys(ref: string): string[] {
  return ref
    .replace(/^data(?=[./]|$)/, '')
    .split(/[./]/)
    .filter((key) => key !== '');
}

/** The paths that a module replaces by `with`, or that its metadata describes. */
function* pathsGivenBy({ parsed, rules }: CompiledModule): Iterable<readonly string[]> {
  for (const { schemas, compile } of parsed.annotations) {
    for (const { path } of schemas) yield* pathOf(path);
    for (const unknown of compile?.unknowns ?? []) yield* pathOf(unknown);
  }
  if (!parsed.source.text.includes('with')) return;
  const targets: Term[] = [];
  for (const { rule } of rules)
    walk(rule, (node) => {
      if (node.type === 'with') targets.push(node.target);
    });
  for (const target of targets) yield* pathOf(target);
}

function* pathOf(term: Term): Iterable<readonly string[]> {
  if (term.type !== 'ref') return;
  const [head, ...keys] = term.terms;
  if (isRoot(head, 'data')) yield leadingKeys(keys);
}
