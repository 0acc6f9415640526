/**
 * Types by path: of `data`, from rules, and of `input` or a part of `data`, from schemas.
 */
import type { ScalarTerm, Term } from '../../ast/nodes.js';
import { keyOfTerm } from '../../resolve/tree.js';
import { sortProperties } from './compare-types.js';
import { isConstant, jsonOfTerm } from './constant-terms.js';
import { selectPath, typeOfValue, withPath } from './select.js';
import type { AnyType, ObjectType, Property, Type } from './type.js';
import { anything, bounded, isEmpty, objectType, setType, stringType, unionType } from './type.js';
import { include, union } from './union.js';

/** A part of a document, under a key. */
export interface Child {
  readonly key: ScalarTerm;
  readonly tree: TypeTree;
}

export class TypeTree {
  readonly #parent: TypeTree | undefined;
  #type: Type | undefined;
  #children: Map<string, Child> | undefined;
  /** The last result of `extent`, until something below changes. */
  #extent: ObjectType | undefined;

  constructor(parent?: TypeTree) {
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

  get children(): Iterable<Child> {
    return this.#children?.values() ?? [];
  }

  child(key: Term): TypeTree | undefined {
    const name = keyOfTerm(key);
    return name === undefined ? undefined : this.#children?.get(name)?.tree;
  }

  #grow(key: ScalarTerm): TypeTree {
    const known = this.child(key);
    if (known) return known;
    const tree = new TypeTree(this);
    this.#put(key, tree);
    for (let node: TypeTree | undefined = this; node; node = node.#parent) node.#extent = undefined;
    return tree;
  }

  #put(key: ScalarTerm, tree: TypeTree): void {
    (this.#children ??= new Map()).set(keyOfTerm(key), { key, tree });
  }

  /** Whether something is at a path of constants. */
  has(path: readonly Term[]): boolean {
    let node: TypeTree | undefined = this;
    for (const key of path) node = node?.child(key);
    return node !== undefined;
  }

  /**
   * A copy of the tree with another tree, or nothing, at a path of constants. Only nodes on the
   * path are copied. Copies are added to `own`; nodes in `own` are mutated in place.
   */
  grafted(path: readonly ScalarTerm[], tree: TypeTree | undefined, own: Set<TypeTree>): TypeTree {
    const root = this.#owned(own);
    /** The nodes above the end of the path, with the keys below them. */
    const way: { readonly node: TypeTree; readonly key: ScalarTerm }[] = [];
    let node = root;
    for (const key of path) {
      way.push({ node, key });
      if (way.length === path.length) break;
      let child = node.child(key);
      if (!child && !tree) return root;
      if (child) child = child.#owned(own);
      else own.add((child = new TypeTree()));
      node.#put(key, child);
      node = child;
    }
    for (const { node, key } of way.reverse()) {
      if (tree) {
        node.#put(key, tree);
        return root;
      }
      // Packages that hold nothing any more are gone too.
      if (!node.#children?.delete(keyOfTerm(key)) || node.#children.size > 0 || node.#type) return root;
    }
    return root;
  }

  #owned(own: Set<TypeTree>): TypeTree {
    if (own.has(this)) {
      this.#extent = undefined;
      return this;
    }
    const copy = new TypeTree();
    copy.#type = this.#type;
    copy.#children = this.#children && new Map(this.#children);
    own.add(copy);
    return copy;
  }

  /** Makes a type the one at a path of constants. */
  put(path: readonly ScalarTerm[], type: Type): void {
    let node: TypeTree = this;
    for (const key of path) node = node.#grow(key);
    node.type = type;
  }

  /**
   * Merges a type into the one at a path of constants, into the objects on the way there, and into
   * it those of documents below.
   */
  insert(path: readonly ScalarTerm[], type: Type): void {
    let node: TypeTree = this;
    path.forEach((key, i) => {
      const isNew = node.child(key) === undefined;
      node = node.#grow(key);
      if (!isNew && i + 1 < path.length && node.type?.kind === 'object')
        node.type = withPath(node.type, typesOfKeys(path.slice(i + 1)), type);
    });
    let merged = mergeTypes(node.type, type);
    if (type.kind === 'object' && node.#children) {
      for (const [below, leaf] of node.#leaves())
        if (merged?.kind === 'object') merged = withPath(merged, typesOfKeys(below), leaf);
    }
    node.type = merged;
  }

  *#leaves(): Iterable<readonly [readonly Term[], Type]> {
    const todo = [...this.children].map(({ key, tree }) => ({ tree, path: [key] }));
    for (let next = todo.pop(); next; next = todo.pop()) {
      const { tree, path } = next;
      if (tree.type) yield [path, tree.type];
      else for (const child of tree.children) todo.push({ tree: child.tree, path: [...path, child.key] });
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
      const key = jsonOfTerm(child.key);
      const type = child.tree.extent();
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
    for (let at = start; at < path.length; at++) {
      const key = path[at]!;
      const child = node.child(key);
      if (node.type === undefined && !isConstant(key))
        return { known: true, type: selectPath(node.extent(), path, at) };
      if (child === undefined)
        return node.type === undefined ? unknownPath : { known: true, type: selectPath(node.type, path, at) };
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

/**
 * Like `union`, but two sets are one set, and two maps (objects without known keys) one map. That
 * says the same in fewer words: a rule with many definitions would get as many alternatives.
 */
function mergeTypes(a: Type | undefined, b: Type | undefined): Type | undefined {
  if (isEmpty(a) && a?.kind === b?.kind) return b;
  if (isEmpty(b) && a?.kind === b?.kind) return a;
  if (a?.kind === 'set' && b?.kind === 'set') return setType(union(a.of, b.of));
  if (isMap(a) && isMap(b)) return mapOf(a, b, mergeTypes);
  const merged = isMap(a) ? withMap(b, a) : isMap(b) ? withMap(a, b) : undefined;
  return merged ?? union(a, b);
}

function isMap(type: Type | undefined): type is ObjectType {
  return type?.kind === 'object' && type.fixed.length === 0;
}

function mapOf(a: ObjectType, b: ObjectType, values: typeof union): ObjectType {
  return objectType([], { key: union(a.rest?.key, b.rest?.key), value: values(a.rest?.value, b.rest?.value) });
}

/** A union whose map takes in another one; undefined where the type is no union with a map. */
function withMap(type: Type | undefined, map: ObjectType): AnyType | undefined {
  if (type?.kind !== 'any') return undefined;
  const own = type.of.find(isMap);
  if (own === undefined) return undefined;
  if (isEmpty(map)) return type;
  const others = type.of.filter((alternative) => alternative !== own);
  return others.reduce(include, unionType([isEmpty(own) ? map : mapOf(own, map, union)]));
}
