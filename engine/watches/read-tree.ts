/** The parts of the documents that an evaluation has read. */
import type { DataOperation, Path } from '../../runtime/index.js';

/** A place in the documents. */
export class ReadNode {
  readonly #tree: ReadTree;
  #below: Map<string, ReadNode> | undefined;
  /** Whether it was asked for all its keys, or is an array. */
  #keys = false;
  /** Whether any change at it or below it counts. */
  #all = false;
  /** An insertion into an array moves the elements behind it. */
  isArray = false;

  constructor(tree: ReadTree) {
    this.#tree = tree;
  }

  get isWhole(): boolean {
    return this.#all;
  }

  /** The place below a key, which counts as read. */
  at(key: string): ReadNode {
    if (this.#all) return this;
    this.#below ??= new Map();
    const known = this.#below.get(key);
    if (known !== undefined) return known;
    if (!this.#tree.takesNode()) {
      this.readWhole();
      return this;
    }
    const node = new ReadNode(this.#tree);
    this.#below.set(key, node);
    return node;
  }

  readKeys(): void {
    this.#keys = true;
  }

  readWhole(): void {
    this.#all = true;
    this.#below = undefined;
  }

  /**
   * Adds the paths of the places that were read. Of those below a place that was asked for its
   * keys there are none: each change of them passes through it.
   */
  addPlaces(path: Path, places: Path[]): void {
    if (this.#all || this.#keys || this.#below === undefined) places.push(path);
    else for (const [key, node] of this.#below) node.addPlaces([...path, key], places);
  }

  /** Whether it may have other content after an operation. */
  isTouchedBy({ op, path }: DataOperation): boolean {
    if (path.length === 0) return this.#all || this.#keys || this.#below !== undefined;
    let node: ReadNode = this;
    for (const [depth, segment] of path.entries()) {
      if (node.#all) return true;
      const next = node.#below?.get(segment);
      // Only a write at the key itself, or one that makes its parents, can add or remove a key.
      if (next === undefined) return node.#keys && (node.isArray || op === 'write' || depth === path.length - 1);
      node = next;
    }
    return true;
  }
}

/** With more places than this, the objects and arrays that are read next count as read whole. */
const mostNodes = 1000;

export class ReadTree {
  #nodes = 0;
  readonly root: ReadNode = new ReadNode(this);

  /** The paths of the places that were read. */
  places(): readonly Path[] {
    const places: Path[] = [];
    this.root.addPlaces([], places);
    return places;
  }

  /** Whether there may be one more node. */
  takesNode(): boolean {
    return this.#nodes++ < mostNodes;
  }
}
