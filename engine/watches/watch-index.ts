/** Watches by the places in the documents that they have read: a change asks those alone. */
import type { Path } from '../../runtime/index.js';

class Place<W> {
  readonly above: Place<W> | undefined;
  readonly key: string;
  readonly below = new Map<string, Place<W>>();
  readonly watches = new Set<W>();

  constructor(above?: Place<W>, key = '') {
    this.above = above;
    this.key = key;
  }
}

export class WatchIndex<W> {
  readonly #root = new Place<W>();
  readonly #places = new Map<W, readonly Place<W>[]>();

  /** Places that a watch reads, in the place of those before. */
  set(watch: W, paths: Iterable<Path>): void {
    this.delete(watch);
    const places = [...paths].map((path) => this.#at(path));
    for (const place of places) place.watches.add(watch);
    this.#places.set(watch, places);
  }

  delete(watch: W): void {
    for (const place of this.#places.get(watch) ?? []) {
      place.watches.delete(watch);
      removeEmpty(place);
    }
    this.#places.delete(watch);
  }

  /** Adds the watches that read a place above a path, at it or below it. */
  addConcerned(path: Path, found: Set<W>): void {
    let place = this.#root;
    for (const key of path) {
      for (const watch of place.watches) found.add(watch);
      const next = place.below.get(key);
      if (next === undefined) return;
      place = next;
    }
    const pending = [place];
    for (let next = pending.pop(); next !== undefined; next = pending.pop()) {
      for (const watch of next.watches) found.add(watch);
      for (const child of next.below.values()) pending.push(child);
    }
  }

  #at(path: Path): Place<W> {
    let place = this.#root;
    for (const key of path) {
      let next = place.below.get(key);
      if (next === undefined) {
        next = new Place(place, key);
        place.below.set(key, next);
      }
      place = next;
    }
    return place;
  }
}

function removeEmpty<W>(place: Place<W>): void {
  for (
    let next = place;
    next.above !== undefined && next.watches.size === 0 && next.below.size === 0;
    next = next.above
  ) {
    next.above.below.delete(next.key);
  }
}
