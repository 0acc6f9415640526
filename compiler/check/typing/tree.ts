/**
 * Types by path: of `data`, from rules, and of `input` or a part of `data`, from schemas.
 */

import type { Term } from '../../ast/nodes.js';
import { keyOf } from '../../resolve/tree.js';
import { sortProperties } from './compare-types.js';
import { isConstant, jsonOfTerm } from './constant-terms.js';
import { merge } from './merge-types.js';
import { selectPath, typeOfValue, withPath } from './select.js';
import { anything, bounded, type ObjectType, objectType, type Property, stringType, type Type } from './type.js';

export class TypeTree {
  readonly key: Term | undefined;
  readonly #parent: TypeTree | undefined;
  #type: Type | undefined;
  #children: Map<string, TypeTree> | undefined;
  /** The last result of `extent`, until something below changes. */
  #extent: ObjectType | undefined;

  constructor(key?: Term, parent?: TypeTree) {
    this.key = key;
    this.#parent = parent;
  }

  /** The type of the document here, if it is known as a whole. */
  get type(): Type | undefined {
    return this.#type;
  }

  set type(type: Type | undefined) {
    this.#type = type && bounded(type);
    for (let node: TypeTree | undefined = this; node; node = node.#parent) node.#extent = undefined;
  }

  get children(): Iterable<TypeTree> {
    return this.#children?.values() ?? [];
  }

  child(key: Term): TypeTree | undefined {
    const name = this.#children && keyOf(key);
    return name === undefined ? undefined : this.#children!.get(name);
  }

  #grow(key: Term): TypeTree {
    const name = keyOf(key)!;
    this.#children ??= new Map();
    let child = this.#children.get(name);
    if (!child) {
      this.#children.set(name, (child = new TypeTree(key, this)));
      for (let node: TypeTree | undefined = this; node; node = node.#parent) node.#extent = undefined;
    }
    return child;
  }

  /** Whether something is at a path of constants. */
  has(path: readonly Term[]): boolean {
    let node: TypeTree | undefined = this;
    for (let i = 0; i < path.length && node; i++) node = node.child(path[i]!);
    return node !== undefined;
  }

  /**
   * A copy of the tree with another tree, or nothing, at a path of constants. Only nodes on the
   * path are copied. Copies are added to `own`; nodes in `own` are mutated in place.
   */
  grafted(path: readonly Term[], tree: TypeTree | undefined, own: Set<TypeTree>): TypeTree {
    const way = [this.#owned(own)];
    for (let i = 0; i < path.length - 1; i++) {
      const parent = way[i]!;
      const name = keyOf(path[i]!)!;
      let child = parent.#children?.get(name);
      if (!child && !tree) return way[0]!;
      if (child) child = child.#owned(own);
      else own.add((child = new TypeTree(path[i])));
      (parent.#children ??= new Map()).set(name, child);
      way.push(child);
    }
    const last = way[way.length - 1]!;
    const name = keyOf(path[path.length - 1]!)!;
    if (tree) (last.#children ??= new Map()).set(name, tree);
    else if (last.#children?.delete(name)) {
      // Packages that hold nothing any more are gone too.
      for (let i = way.length - 1; i > 0 && way[i]!.#children!.size === 0 && !way[i]!.#type; i--) {
        way[i - 1]!.#children!.delete(keyOf(path[i - 1]!)!);
      }
    }
    return way[0]!;
  }

  #owned(own: Set<TypeTree>): TypeTree {
    if (own.has(this)) {
      this.#extent = undefined;
      return this;
    }
    const copy = new TypeTree(this.key);
    copy.#type = this.#type;
    copy.#children = this.#children && new Map(this.#children);
    own.add(copy);
    return copy;
  }

  /** Makes a type the one at a path of constants. */
  put(path: readonly Term[], type: Type): void {
    let node: TypeTree = this;
    for (const key of path) node = node.#grow(key);
    node.type = type;
  }

  /**
   * Merges a type into the one at a path of constants, into the objects on the way there, and into
   * it those of documents below.
   */
  insert(path: readonly Term[], type: Type): void {
    let node: TypeTree = this;
    path.forEach((key, i) => {
      const isNew = node.child(key) === undefined;
      node = node.#grow(key);
      if (!isNew && i + 1 < path.length && node.type?.kind === 'object')
        node.type = withPath(node.type, typesOfKeys(path.slice(i + 1)), type);
    });
    let merged = merge(node.type, type);
    if (type.kind === 'object' && node.#children) {
      for (const [below, leaf] of node.#leaves())
        if (merged?.kind === 'object') merged = withPath(merged, typesOfKeys(below), leaf);
    }
    node.type = merged;
  }

  *#leaves(): Iterable<readonly [readonly Term[], Type]> {
    const todo = [...this.children].map((node) => ({ node, path: [node.key!] }));
    for (let next = todo.pop(); next; next = todo.pop()) {
      const { node, path } = next;
      if (node.type) yield [path, node.type];
      else for (const child of node.children) todo.push({ node: child, path: [...path, child.key!] });
    }
  }

  /**
   * The type of the whole document here. Of objects made of packages and rules only some keys are
   * known: there may be data beside them. Functions are no values.
   */
  extent(): Type {
    if (this.#type) return this.#type;
    if (this.#extent) return this.#extent;
    const fixed: Property[] = [];
    for (const child of this.children) {
      const key = jsonOfTerm(child.key!);
      const type = child.extent();
      if (key !== undefined && key !== null && type.kind !== 'function') fixed.push({ key, type });
    }
    return (this.#extent = objectType(sortProperties(fixed), { key: stringType, value: anything }));
  }

  /**
   * The type of the document at the path from `path[start]` on; `known` is false where the tree
   * has no type for it.
   */
  find(path: readonly Term[], start: number): { readonly known: boolean; readonly type: Type | undefined } {
    let node: TypeTree = this;
    for (let i = start; i < path.length; i++) {
      const child = node.child(path[i]!);
      if (node.type === undefined && !isConstant(path[i]!))
        return { known: true, type: selectPath(node.extent(), path, i) };
      if (child === undefined)
        return node.type === undefined ? unknownPath : { known: true, type: selectPath(node.type, path, i) };
      node = child;
    }
    return { known: true, type: node.extent() };
  }
}

const unknownPath = { known: false, type: undefined } as const;

function typesOfKeys(path: readonly Term[]): readonly (Type | undefined)[] {
  return path.map((key) => {
    const value = jsonOfTerm(key);
    return value === undefined ? undefined : typeOfValue(value);
  });
}
