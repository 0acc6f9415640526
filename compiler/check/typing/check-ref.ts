/**
 * Refs: whether there can be something at their end. Variables in them get the types of the keys
 * that they stand for.
 */

import { compare, type Value } from '../../../values/index.js';
import { isRootName } from '../../ast/names.js';
import type { Ref, RefTerm, Term, VarTerm } from '../../ast/nodes.js';
import { isGeneratedName } from '../../resolve/local-names.js';
import { jsonOfTerm } from './constant-terms.js';
import { invalidRef, matchError, refIntoEmpty, type TypeFinding, unsupportedRef, writtenTerms } from './details.js';
import { isWrittenLiteral, type TypeScope } from './env.js';
import { unifies } from './overlap.js';
import { keyTypeOf, knownKeys, selectType, valuesOf } from './select.js';
import type { TypeTree } from './tree.js';
import {
  anything,
  arrayType,
  emptyProperties,
  isEmpty,
  objectType,
  setType,
  stringType,
  type Type,
  unionType,
  withElements,
} from './type.js';
import { unifyTerm } from './type-unification.js';
import { union } from './union.js';

/** The error of a ref, if any. `names` are the written names of generated variables. */
export function checkRef(scope: TypeScope, ref: RefTerm, names: ReadonlyMap<string, string>): TypeFinding | undefined {
  return new RefCheck(scope, ref.terms, names).check();
}

/** A place in a tree where a path leads out of it. */
interface Missing {
  readonly node: TypeTree;
  readonly at: number;
}

class RefCheck {
  readonly #scope: TypeScope;
  readonly #terms: Ref;
  readonly #names: ReadonlyMap<string, string>;
  #doubt: TypeFinding | undefined;

  constructor(scope: TypeScope, terms: Ref, names: ReadonlyMap<string, string>) {
    this.#scope = scope;
    this.#terms = terms;
    this.#names = names;
  }

  check(): TypeFinding | undefined {
    return this.#whole() ?? this.#doubt;
  }

  #whole(): TypeFinding | undefined {
    const [head, first] = this.#terms;
    if (first?.type === 'var' && isGeneratedName(first.name) && isScalar(head.loc.text))
      return matchError(head.loc, collections, this.#scope.typeOf(head)); // `some x in null`
    if (head.type !== 'var') {
      const type = this.#scope.typeOf(head);
      return type && this.#inside(type, 1);
    }
    if (isRootName(head.name)) return this.#document(head.name);
    return this.#terms.length === 1 ? undefined : this.#local(head);
  }

  #local({ name, loc }: VarTerm): TypeFinding | undefined {
    const type = this.#scope.variable(name);
    if (type && isEmpty(type) && isGeneratedName(name) && isWrittenLiteral(loc.text)) {
      // `some x in []`: an iteration that never holds is meant.
      const widened = withElements(type);
      this.#scope.set(name, widened);
      return this.#inside(widened, 1);
    }
    if (type !== undefined) return this.#inside(type, 1);
    this.#scope.set(name, anything);
    return this.#inside(anything, 1);
  }

  #document(name: string): TypeFinding | undefined {
    for (let scope: TypeScope | undefined = this.#scope; scope; scope = scope.outer) {
      const tree = scope.tree(name);
      const result = tree && this.#tree(tree, 0);
      if (result !== undefined && !isMissing(result)) return result === fine ? undefined : result;
    }
    const tree = this.#scope.globals.documents.get(name);
    if (!tree) return this.#inside(anything, 1);
    const result = this.#tree(tree, 3);
    if (result === fine) return undefined;
    if (!isMissing(result)) return result;
    if (this.#terms[result.at]?.type === 'var') this.#bindBelow(result);
    // There may be data beside the rules.
    for (const term of this.#terms) {
      if (term.type === 'var' && this.#scope.variable(term.name) === undefined && !isRootName(term.name))
        this.#scope.set(term.name, anything);
    }
    return undefined;
  }

  /**
   * Goes down a tree of documents.
   * @param named terms before this one are names of packages, which are strings
   */
  #tree(root: TypeTree, named: number): TypeFinding | Missing | typeof fine {
    let node = root;
    for (let at = 1; ; at++) {
      if (node.type) return this.#inside(node.type, at) ?? fine;
      if (at === this.#terms.length) return fine;
      const key = this.#terms[at]!;
      if (at < named && key.type !== 'var' && key.type !== 'string') {
        return this.#invalid(at, this.#scope.typeOf(key), stringType, this.#childKeys(node));
      }
      if (key.type === 'var') {
        const keys = keyTypeOf(node.extent());
        const known = this.#scope.variable(key.name);
        if (known === undefined) this.#scope.set(key.name, keys);
        else if (!unifies(keys, known)) return this.#invalid(at, known, keys, this.#childKeys(node));
      }
      const child = node.child(key);
      if (!child) return { node, at };
      node = child;
    }
  }

  /** Variables behind a variable package or rule may be any key of the value there. */
  #bindBelow({ node, at }: Missing): void {
    let nodes: readonly TypeTree[] = treesBelow(node);
    let types: Type | undefined;
    for (const [i, key] of this.#terms.entries()) {
      if (i <= at) continue;
      if (
        !this.#terms.some((term, j) => j >= i && term.type === 'var' && this.#scope.variable(term.name) === undefined)
      )
        return;
      const next: TypeTree[] = [];
      let keys = keyTypeOf(types);
      let inside = this.#step(types, key);
      for (const each of nodes) {
        if (key.type === 'var') keys = union(keys, keyTypeOf(each.extent()));
        if (each.type) inside = union(inside, this.#step(each.type, key));
        else if (key.type === 'var') {
          for (const tree of treesBelow(each)) next.push(tree);
        } else {
          const child = each.child(key);
          if (child) next.push(child);
        }
      }
      if (key.type === 'var' && keys !== undefined && this.#scope.variable(key.name) === undefined)
        this.#scope.set(key.name, keys);
      nodes = next;
      types = inside;
    }
  }

  #step(type: Type | undefined, key: Term): Type | undefined {
    const name = key.type === 'array' || key.type === 'object' || key.type === 'set' ? undefined : jsonOfTerm(key);
    return name === undefined ? valuesOf(type) : selectType(type, name);
  }

  /** Goes on inside of a document whose type is known. */
  #inside(document: Type, start: number): TypeFinding | undefined {
    let type: Type | undefined = document;
    for (const [at, key] of this.#terms.entries()) {
      if (at < start) continue;
      if (isEmpty(type)) {
        this.#doubt ??= refIntoEmpty(this.#terms, this.#names, at - 1, type);
        type = withElements(type!);
      }
      const keys = keyTypeOf(type);
      if (keys === undefined) return this.#unsupported(at - 1, type);
      switch (key.type) {
        case 'var': {
          const known = this.#scope.variable(key.name);
          if (known === undefined) this.#scope.set(key.name, keys);
          else if (!unifies(known, keys)) return this.#invalid(at, known, keys, knownKeys(type));
          type = valuesOf(type);
          break;
        }
        case 'array':
        case 'object':
        case 'set':
          if (!unifyTerm(this.#scope, key, keys)) return this.#invalid(at, this.#scope.typeOf(key), keys, []);
          type = valuesOf(type);
          break;
        default: {
          const name = jsonOfTerm(key);
          const child = name === undefined ? valuesOf(type) : selectType(type, name);
          if (child === undefined) return this.#invalid(at, undefined, keys, knownKeys(type));
          type = child;
        }
      }
    }
    // Functions are no values.
    return type?.kind === 'function' ? this.#unsupported(this.#terms.length - 1, type) : undefined;
  }

  #childKeys(node: TypeTree): readonly Value[] {
    this.#scope.globals.listsPackages = true;
    const keys: Value[] = [];
    for (const child of node.children) {
      const key = jsonOfTerm(child.key);
      if (key !== undefined) keys.push(key);
    }
    return keys.sort(compare);
  }

  #unsupported(position: number, have: Type | undefined): TypeFinding {
    return unsupportedRef(writtenTerms(this.#terms, this.#names), position, have);
  }

  #invalid(position: number, have: Type | undefined, want: Type | undefined, oneOf: readonly Value[]): TypeFinding {
    return invalidRef(writtenTerms(this.#terms, this.#names), position, have, want, oneOf);
  }
}

/** The types of the elements over which `in` iterates. */
const collections: Type = unionType([arrayType([], anything), objectType([], emptyProperties), setType(anything)]);

/** Whether a text is that of a scalar. */
function isScalar(text: string): boolean {
  return /^(?:null|true|false|["`\d-][^[(+*/%]*)$/.test(text);
}

const fine = 'fine';

function isMissing(result: TypeFinding | Missing | typeof fine): result is Missing {
  return typeof result === 'object' && 'node' in result;
}

function treesBelow({ children }: TypeTree): readonly TypeTree[] {
  return [...children].map(({ tree }) => tree);
}
