/**
 * What a log has written over the policies and documents of files and bundles: the places, not the
 * content, which is that of the engine.
 */
import type { DataOperation } from '../runtime/store/store.js';
import { objectGet } from '../values/compare.js';
import { isArray, isObject, type PlainObject, type Value } from '../values/value.js';
import type { Writes } from './entry.js';

/** A document that the log has written, with all below it. */
interface Place {
  readonly path: readonly string[];
  /** Whether files or bundles had a document there: then its removal has to be remembered. */
  readonly isBase: boolean;
}

interface Node {
  /** Undefined for a place, which has nothing below it. */
  children: Map<string, Node> | undefined;
  isBase: boolean;
}

/** Policies and documents before a change. */
export interface Before {
  hasPolicy(id: string): boolean;
  readonly data: PlainObject;
}

/** The log's part of a state, as the writes that bring it about. */
export interface OverlayWrites extends Writes {
  /** Ids of policies, and indexes of operations, where files or bundles had something. */
  readonly basePolicies: readonly string[];
  readonly baseData: readonly number[];
}

export class Overlay {
  /** Whether files or bundles had the policy, by id. */
  readonly #policies = new Map<string, boolean>();
  readonly #root: Node = { children: new Map(), isBase: true };

  /** Notes what is about to be written. */
  mark({ policies, data }: Writes, before: Before): void {
    for (const id of policies.keys()) if (!this.#policies.has(id)) this.#policies.set(id, before.hasPolicy(id));
    for (const { path } of data) this.#mark(path, before.data);
  }

  /** The places of a snapshot, which is about to be written over `before`. */
  static of({ policies, data, basePolicies, baseData }: OverlayWrites, before: Before, former: Overlay): Overlay {
    const overlay = new Overlay();
    const base = new Set(basePolicies);
    for (const id of policies.keys()) overlay.#policies.set(id, base.has(id) || (former.#policies.get(id) ?? before.hasPolicy(id)));
    for (const { path } of data) {
      // What the former log wrote is not what files or bundles have.
      if (former.#covers(path)) overlay.add(path);
      else overlay.#mark(path, before.data);
    }
    for (const index of baseData) {
      const node = overlay.#nodeAt(data[index]!.path);
      if (node !== undefined) node.isBase = true;
    }
    return overlay;
  }

  /**
   * The place of a write is the topmost document that it makes: what is below it is the log's own.
   * An array is a place as a whole, because its elements move.
   */
  #mark(path: readonly string[], data: PlainObject): void {
    let node = this.#root;
    let document: Value | undefined = data;
    for (const segment of path) {
      if (node.children === undefined) return;
      if (document === undefined || !isPlainObject(document)) break;
      document = objectGet(document, segment);
      let child = node.children.get(segment);
      if (child === undefined) node.children.set(segment, (child = { children: new Map(), isBase: document !== undefined }));
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
  *#places(node: Node = this.#root, path: readonly string[] = []): Generator<Place> {
    if (node.children === undefined) yield { path, isBase: node.isBase };
    else for (const [segment, child] of node.children) yield* this.#places(child, [...path, segment]);
  }

  /**
   * The log's part of a state. What is gone and was never there before the log is forgotten, so
   * that documents which come and go leave nothing.
   */
  writes(textOf: (id: string) => string | undefined, data: PlainObject): OverlayWrites {
    const policies = new Map<string, string | undefined>();
    for (const [id, isBase] of this.#policies) {
      const text = textOf(id);
      if (text !== undefined || isBase) policies.set(id, text);
      else this.#policies.delete(id);
    }
    const operations: DataOperation[] = [];
    const baseData: number[] = [];
    for (const { path, isBase } of [...this.#places()]) {
      const value = documentAt(data, path);
      if (value === undefined && !isBase) this.#forget(path);
      else {
        if (isBase) baseData.push(operations.length);
        operations.push(value === undefined ? { op: 'remove', path } : { op: 'write', path, value });
      }
    }
    return { policies, data: operations, basePolicies: [...policies.keys()].filter((id) => this.#policies.get(id)), baseData };
  }

  #forget(path: readonly string[]): void {
    const parent = this.#nodeAt(path.slice(0, -1));
    parent?.children?.delete(path.at(-1)!);
  }

  /** What a later state has forgotten: it was written, and is gone. */
  goneFrom({ policies, data }: Writes): Writes {
    const later = placesAt(data.map(({ path }) => path));
    const gone = [...this.#places()].filter(({ path }) => !later.#covers(path));
    return {
      policies: new Map([...this.#policies.keys()].filter((id) => !policies.has(id)).map((id) => [id, undefined])),
      data: gone.map(({ path }) => ({ op: 'remove', path })),
    };
  }

  /** What the log has written at, above or below some paths, and of some policies. */
  meeting(
    paths: readonly (readonly string[])[],
    hasPolicy: (id: string) => boolean,
    textOf: (id: string) => string | undefined,
    data: PlainObject,
  ): Writes {
    const asked = placesAt(paths);
    const met = paths.length === 0 ? [] : [...this.#places()].filter(({ path }) => asked.#covers(path) || asked.#isAbove(path));
    return {
      policies: new Map([...this.#policies.keys()].filter(hasPolicy).map((id) => [id, textOf(id)])),
      data: met.map(({ path }) => {
        const value = documentAt(data, path);
        return value === undefined ? { op: 'remove', path } : { op: 'write', path, value };
      }),
    };
  }

  add(path: readonly string[]): void {
    let node = this.#root;
    for (const segment of path) {
      if (node.children === undefined) return;
      let child = node.children.get(segment);
      if (child === undefined) node.children.set(segment, (child = { children: new Map(), isBase: false }));
      node = child;
    }
    node.children = undefined;
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

function placesAt(paths: readonly (readonly string[])[]): Overlay {
  const places = new Overlay();
  for (const path of paths) places.add(path);
  return places;
}

function isPlainObject(value: Value): value is PlainObject {
  return value !== null && isObject(value) && !isArray(value);
}

function documentAt(data: PlainObject, path: readonly string[]): Value | undefined {
  let value: Value | undefined = data;
  for (const segment of path) value = value !== undefined && isPlainObject(value) ? objectGet(value, segment) : undefined;
  return value;
}
