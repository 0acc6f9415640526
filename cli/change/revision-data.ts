/** Data of bundle revisions: an event is decided with the data that its revision names. */
import { readBundle } from '../../engine/node.js';
import type { PlainObject } from '../../values/index.js';
import type { LoggedEvent, VersionPair } from '../../views/index.js';
import { CommandError } from '../exit.js';
import { openVersion, type VersionOptions } from './open-version.js';

/** Pairs of engines that are open at a time: events of a revision stand together. */
const mostOpen = 4;

export class RevisionData {
  readonly #paths: readonly string[];
  readonly #versions: readonly [old: string, next: string];
  readonly #options: VersionOptions;
  #data: Promise<ReadonlyMap<string, PlainObject>> | undefined;
  readonly #open = new Map<string, Promise<VersionPair>>();

  constructor(paths: readonly string[], versions: readonly [string, string], options: VersionOptions) {
    this.#paths = paths;
    this.#versions = versions;
    this.#options = options;
  }

  get isEmpty(): boolean {
    return this.#paths.length === 0;
  }

  /** The versions with the data of an event's revision; undefined where no bundle has it. */
  async versionsOf({ revisions }: LoggedEvent): Promise<VersionPair | undefined> {
    this.#data ??= this.#read();
    const data = await this.#data;
    for (const revision of revisions.values()) {
      const documents = data.get(revision);
      if (documents !== undefined) return await this.#pairOf(revision, documents);
    }
    return undefined;
  }

  async #read(): Promise<ReadonlyMap<string, PlainObject>> {
    const found = new Map<string, PlainObject>();
    for (const path of this.#paths) {
      const { manifest, data } = await readBundle(path).catch((error: Error) => {
        throw new CommandError(`error: --revision-data: ${error.message}`, 2);
      });
      if (manifest.revision === '') throw new CommandError(`error: --revision-data: ${path} has no revision`, 2);
      found.set(manifest.revision, data);
    }
    return found;
  }

  #pairOf(revision: string, documents: PlainObject): Promise<VersionPair> {
    let pair = this.#open.get(revision);
    if (pair === undefined) {
      if (this.#open.size >= mostOpen) this.#open.delete(this.#open.keys().next().value!);
      this.#open.set(revision, (pair = this.#opened(documents)));
    }
    return pair;
  }

  async #opened(documents: PlainObject): Promise<VersionPair> {
    const [old, next] = this.#versions;
    const options = { ...this.#options, documents };
    return { old: await openVersion(old, options), new: await openVersion(next, options) };
  }
}
