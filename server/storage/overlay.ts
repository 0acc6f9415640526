/**
 * The writes of a log over the policies and documents of files and bundles: the places, not the
 * content, which is that of the engine.
 */
import type { DataOperation } from '../../runtime/index.js';
import { isArray, isObject, objectGet, type PlainObject, type Value } from '../../values/index.js';
import type { EntryPlace, Writes } from './entry.js';

interface Node {
  /** Undefined for a place, which has nothing below it. */
  children: Map<string, Node> | undefined;
  /** Whether files or bundles had a document there: then its removal has to be remembered. */
  isBase: boolean;
}

/** Policies and documents before a change. */
interface Before {
  hasPolicy(id: string): boolean;
  readonly data: PlainObject;
}

/** Texts of policies and documents of now. */
interface State {
  textOf(id: string): string | undefined;
  readonly data: PlainObject;
}

export class Overlay {
  /** Whether files or bundles had the policy, by id. */
  readonly #policies = new Map<string, boolean>();
  readonly #root: Node = { children: new Map(), isBase: true };

  /**
   * Writes with their places, found before they are made. A place is the topmost document that a
   * write makes: what is below it is the log's own. An array is a place as a whole, because its
   * elements move.
   */
  placed({ policies, data }: Pick<Writes, 'policies' | 'data'>, before: Before): Writes {
    return {
      policies,
      data,
      places: data.map(({ path }) => this.#placeOf(path, before.data)),
      basePolicies: [...policies.keys()].filter((id) => this.#policies.get(id) ?? before.hasPolicy(id)),
    };
  }

  #placeOf(path: readonly string[], data: PlainObject): EntryPlace {
    let node: Node | undefined = this.#root;
    let document: Value | undefined = data;
    for (const [i, segment] of path.entries()) {
      if (node !== undefined && node.children === undefined) return { length: i, isBase: node.isBase };
      if (!isPlainObject(document)) return { length: i, isBase: true };
      document = objectGet(document, segment);
      node = node?.children?.get(segment);
      if (document === undefined) return { length: i + 1, isBase: node?.isBase ?? false };
    }
    return { length: path.length, isBase: node?.isBase ?? true };
  }

  /** Notes the places of a write. */
  mark({ policies, data, places, basePolicies }: Writes): void {
    const base = new Set(basePolicies);
    for (const id of policies.keys()) if (!this.#policies.has(id)) this.#policies.set(id, base.has(id));
    for (const [i, { path }] of data.entries()) this.#add(path.slice(0, places[i]!.length), places[i]!.isBase);
  }

  #add(path: readonly string[], isBase: boolean): void {
    let node = this.#root;
    for (const [i, segment] of path.entries()) {
      if (node.children === undefined) return;
      let child = node.children.get(segment);
      // The documents above a place were there before.
      if (child === undefined)
        node.children.set(segment, (child = { children: new Map(), isBase: i < path.length - 1 || isBase }));
      node = child;
    }
    node.children = undefined;
  }

  #nodeAt(path: readonly string[]): Node | undefined {
    let node: Node | undefined = this.#root;
    for (const segment of path) node = node?.children?.get(segment);
    return node;
  }

  /** All places, in no order. */
  *#places(
    node: Node = this.#root,
    path: readonly string[] = [],
  ): Generator<{ readonly path: readonly string[]; readonly isBase: boolean }> {
    if (node.children === undefined) yield { path, isBase: node.isBase };
    else for (const [segment, child] of node.children) yield* this.#places(child, [...path, segment]);
  }

  /**
   * The log's part of a state, as the writes that bring it about. What is gone and was never there
   * before the log is forgotten, so that documents which come and go leave nothing.
   */
  writes({ textOf, data }: State): Writes {
    const policies = new Map<string, string | undefined>();
    for (const [id, isBase] of this.#policies) {
      const text = textOf(id);
      if (text !== undefined || isBase) policies.set(id, text);
      else this.#policies.delete(id);
    }
    const operations: DataOperation[] = [];
    const places: EntryPlace[] = [];
    for (const { path, isBase } of [...this.#places()]) {
      const operation = writeAt(data, path);
      if (operation.op === 'remove' && !isBase) this.#nodeAt(path.slice(0, -1))!.children!.delete(path.at(-1)!);
      else {
        operations.push(operation);
        places.push({ length: path.length, isBase });
      }
    }
    return {
      policies,
      data: operations,
      places,
      basePolicies: [...policies.keys()].filter((id) => this.#policies.get(id)),
    };
  }

  /** The writes that a later state has forgotten: they were made, and are gone. */
  goneFrom(later: Overlay): Pick<Writes, 'policies' | 'data'> {
    const gone = [...this.#places()].filter(({ path }) => !later.#covers(path));
    return {
      policies: new Map(
        [...this.#policies.keys()].filter((id) => !later.#policies.has(id)).map((id) => [id, undefined]),
      ),
      data: gone.map(({ path }) => ({ op: 'remove', path })),
    };
  }

  /** The writes of the log at, above or below some paths, and of some policies. */
  meeting(
    paths: readonly (readonly string[])[],
    hasPolicy: (id: string) => boolean,
    { textOf, data }: State,
  ): Pick<Writes, 'policies' | 'data'> {
    const asked = new Overlay();
    for (const path of paths) asked.#add(path, true);
    const met =
      paths.length === 0 ? [] : [...this.#places()].filter(({ path }) => asked.#covers(path) || asked.#isAbove(path));
    return {
      policies: new Map([...this.#policies.keys()].filter(hasPolicy).map((id) => [id, textOf(id)])),
      data: met.map(({ path }) => writeAt(data, path)),
    };
  }

  /** Whether a place is at a path or above it. */
  #covers(path: readonly string[]): boolean {
    let node = this.#root;
    for (const segment of path) {
      if (node.children === undefined) return true;
      const child = node.children.get(segment);
      if (child === undefined) return false;
      node = child;
    }
    return node.children === undefined;
  }

  /** Whether a place is below a path. */
  #isAbove(path: readonly string[]): boolean {
    const node = this.#nodeAt(path);
    return node?.children !== undefined && node.children.size > 0;
  }
}

/** The write that brings about what is at a path. */
function writeAt(data: PlainObject, path: readonly string[]): DataOperation {
  let value: Value | undefined = data;
  for (const segment of path) value = isPlainObject(value) ? objectGet(value, segment) : undefined;
  return value === undefined ? { op: 'remove', path } : { op: 'write', path, value };
}

function isPlainObject(value: Value | undefined): value is PlainObject {
  return value !== undefined && value !== null && isObject(value) && !isArray(value);
}
