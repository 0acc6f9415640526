/** Data of revisions: an event is decided with the data that its revisions name. */
import { readBundle } from '../../engine/node.js';
import type { DataOperation } from '../../runtime/index.js';
import { exportedWrites } from '../../server/index.js';
import type { PlainObject } from '../../values/index.js';
import type { LoggedEvent, VersionPair } from '../../views/index.js';
import { CommandError } from '../exit.js';
import type { Io } from '../io.js';
import { exportedText } from '../storage/exported-text.js';

/** Pairs of engines that are open at a time: events of a revision stand together. */
const mostOpen = 4;

interface DataSources {
  /** Bundles with revisions. */
  readonly bundles: readonly string[];
  /** A file of `storage export`. */
  readonly writes: string | undefined;
}

/** Opens both versions, with documents in the place of their own. */
type OpenWithData = (documents: PlainObject | undefined) => Promise<VersionPair>;

/** The documents of a bundle, by its revision. */
type BundleData = ReadonlyMap<string, PlainObject>;

/** The documents that were written up to a revision, after those before it. */
interface WrittenData {
  readonly revision: number;
  readonly data: readonly DataOperation[];
}

/** A pair that has the data of a bundle, and the writes up to a revision. */
interface OpenPair {
  readonly bundle: string;
  readonly pair: VersionPair;
  revision: number;
}

export class RevisionData {
  readonly #sources: DataSources;
  readonly #openPair: OpenWithData;
  readonly #io: Io;
  #bundles: Promise<BundleData> | undefined;
  #writes: Promise<readonly WrittenData[]> | undefined;
  /** The last one used is the last. */
  #open: readonly OpenPair[] = [];

  constructor(sources: DataSources, openPair: OpenWithData, io: Io) {
    this.#sources = sources;
    this.#openPair = openPair;
    this.#io = io;
  }

  get isEmpty(): boolean {
    return this.#sources.bundles.length === 0 && this.#sources.writes === undefined;
  }

  /**
   * The versions with the data of an event's revisions. Undefined where it names none that is
   * known, a text where the log of writes lacks its revision.
   */
  async versionsOf({ revisions, storageRevision }: LoggedEvent): Promise<VersionPair | string | undefined> {
    this.#bundles ??= this.#readBundles();
    const data = await this.#bundles;
    const bundle = [...revisions.values()].find((revision) => data.has(revision));
    if (this.#sources.writes === undefined || storageRevision === undefined)
      return bundle === undefined ? undefined : (await this.#pairOf(bundle, 0)).pair;
    this.#writes ??= this.#readWrites(this.#sources.writes);
    const writes = await this.#writes;
    const [first, last] = [writes[0]?.revision ?? 0, writes.at(-1)?.revision ?? 0];
    if (storageRevision < first || storageRevision > last)
      return `the log of writes has the revisions ${first} to ${last}, and it needs revision ${storageRevision}`;
    const open = await this.#pairOf(bundle ?? '', storageRevision);
    return (await this.#advance(open, writes, storageRevision)) ?? open.pair;
  }

  /** An open pair that has no later writes. */
  async #pairOf(bundle: string, revision: number): Promise<OpenPair> {
    const fitting = this.#open.filter((one) => one.bundle === bundle && one.revision <= revision);
    const newest = fitting.reduce<OpenPair | undefined>(
      (best, one) => (best === undefined || one.revision > best.revision ? one : best),
      undefined,
    );
    const found = newest ?? { bundle, pair: await this.#openPair((await this.#bundles!).get(bundle)), revision: 0 };
    this.#open = [...this.#open.filter((one) => one !== found), found].slice(-mostOpen);
    return found;
  }

  /** Writes the missing parts of a revision for a pair; tells why they do not fit a version. */
  async #advance(open: OpenPair, writes: readonly WrittenData[], revision: number): Promise<string | undefined> {
    if (open.revision === revision) return undefined;
    const missing = writes.filter((one) => one.revision > open.revision && one.revision <= revision);
    // Both engines have the values: neither may change them where they are.
    const data = missing.flatMap((one) => one.data).map((operation) => ({ ...operation, transferred: false }));
    for (const { name, engine } of [open.pair.old, open.pair.new]) {
      try {
        await engine.commit({ data }, { ignoreRoots: true });
      } catch (error) {
        this.#open = this.#open.filter((one) => one !== open);
        return `the documents of revision ${revision} do not fit ${name}: ${(error as Error).message}`;
      }
    }
    open.revision = revision;
    return undefined;
  }

  async #readBundles(): Promise<BundleData> {
    const found = new Map<string, PlainObject>();
    for (const path of this.#sources.bundles) {
      const { manifest, data } = await readBundle(path).catch((error: Error) => {
        throw new CommandError(`error: --revision-data: ${error.message}`, 2);
      });
      if (manifest.revision === '') throw new CommandError(`error: --revision-data: ${path} has no revision`, 2);
      found.set(manifest.revision, data);
    }
    return found;
  }

  async #readWrites(path: string): Promise<readonly WrittenData[]> {
    const found: WrittenData[] = [];
    try {
      for await (const { position, writes } of exportedWrites(exportedText(path, this.#io)))
        found.push({ revision: position.revision, data: writes.data });
    } catch (error) {
      throw new CommandError(`error: --writes: ${(error as Error).message}`, 2);
    }
    return found;
  }
}
