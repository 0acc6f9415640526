/** Replicas of the built command over one database, and what happens to them. */
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { pathToFileURL } from 'node:url';
import { PostgresLog } from '../../server/storage/postgres/postgres-log.js';
import { CuttingProxy } from '../harness/databases/cutting-proxy.js';
import type { Postgres } from '../harness/databases/postgres.js';
import type { SmallDisk } from '../harness/databases/small-disk.js';
import { quietServerProcess, type ServerProcess } from '../harness/server/process.js';
import type { Log, Values } from './history.js';

export const replicaCount = 3;

/** The document that clients write below. */
export const documentName = 'resilience';

/** Another one for each cluster of a database. */
let schemas = 0;

const root = join(import.meta.dirname, '../..');

export class Cluster {
  readonly #database: Postgres;
  readonly #brokenStore: string | undefined;
  readonly #schema = `resilience_${++schemas}`;
  readonly #proxies: CuttingProxy[] = [];
  readonly #replicas: ServerProcess[] = [];

  private constructor(database: Postgres, brokenStore: string | undefined) {
    this.#database = database;
    this.#brokenStore = brokenStore;
  }

  /** @param brokenStore a fault of `broken-stores.ts` that the replicas have */
  static async start(database: Postgres, brokenStore?: string): Promise<Cluster> {
    const cluster = new Cluster(database, brokenStore);
    const folder = new URL(database.url.replace('@/', '@-/')).searchParams.get('host')!;
    for (let i = 0; i < replicaCount; i++) {
      cluster.#proxies.push(await CuttingProxy.open(folder));
      cluster.#replicas.push(await cluster.#replica(i));
    }
    return cluster;
  }

  url(replica: number): string {
    return this.#replicas[replica]!.url;
  }

  /** What happens to a replica, or to its network, for a while. Then all is well again. */
  async replicaFault(kind: ReplicaFault, replica: number, ms: number): Promise<void> {
    const [proxy, { pid, log, isAlive }] = [this.#proxies[replica]!, this.#replicas[replica]!];
    if (!isAlive()) throw new Error(`a replica ended by itself:\n${log.slice(-30).join('\n')}`);
    if (kind === 'kill') {
      await this.#replicas[replica]!.end('SIGKILL');
      this.#replicas[replica] = await this.#replica(replica);
      return;
    }
    if (kind === 'stop') process.kill(pid, 'SIGSTOP');
    else if (kind === 'delay') proxy.delay(50);
    else if (kind === 'cut') proxy.cut();
    else proxy.silence();
    await sleep(ms);
    if (kind === 'stop') process.kill(pid, 'SIGCONT');
    else proxy.heal();
  }

  /**
   * What happens to the database for a while.
   *
   * @param disk what is filled; without one the database is paused in the place of it
   */
  async databaseFault(kind: DatabaseFault, ms: number, disk: SmallDisk | undefined): Promise<void> {
    if (kind === 'restart') await this.#database.stop();
    else if (kind === 'full' && disk !== undefined) disk.fill();
    else this.#database.pause();
    await sleep(ms);
    if (kind === 'restart') await this.#startDatabase();
    else if (kind === 'full' && disk !== undefined) await this.#freed(disk);
    else this.#database.resume();
  }

  async #freed(disk: SmallDisk): Promise<void> {
    disk.free();
    await this.#startDatabase();
  }

  /** It may still end of what it met on a full disk. */
  async #startDatabase(): Promise<void> {
    for (let tried = 1; ; tried++) {
      try {
        return await this.#database.start();
      } catch (error) {
        if (tried === 20) throw error;
      }
    }
  }

  /** What the log has, once nothing is written any more. */
  async log(): Promise<Log> {
    const log = new PostgresLog({ url: this.#database.url, schema: this.#schema, maxConnections: 1, snapshotDirectory: undefined });
    await log.open();
    const entries: Values[] = [];
    for (;;) {
      const page = await log.entriesAfter(entries.length, { entries: 1000, bytes: 2 ** 26 });
      if (page.length === 0) break;
      for (const { body } of page) entries.push(valuesOf(JSON.parse(Buffer.from(body).toString('utf8')) as EntryBody));
    }
    await log.close();
    return entries;
  }

  async close(): Promise<void> {
    for (const replica of this.#replicas) await replica.end('SIGKILL');
    for (const proxy of this.#proxies) await proxy.close();
  }

  /** Without the database and a snapshot it does not start: for a minute it is tried again. */
  async #replica(i: number): Promise<ServerProcess> {
    const url = `postgres://tests@/postgres?host=${this.#proxies[i]!.folder}`;
    // Snapshots would let entries go, which the checker needs.
    const settings = [`storage.postgres.url=${url}`, `storage.postgres.schema=${this.#schema}`, 'storage.snapshot_every=1000000'];
    const args = settings.flatMap((setting) => ['--set', setting]);
    const end = performance.now() + 60_000;
    for (;;) {
      try {
        return await this.#started(args);
      } catch (error) {
        if (performance.now() > end) throw error;
      }
    }
  }

  /** The built command; where the store is broken, the sources. */
  async #started(args: readonly string[]): Promise<ServerProcess> {
    if (this.#brokenStore === undefined) return await quietServerProcess(args, {});
    const broken = pathToFileURL(join(import.meta.dirname, 'broken-stores.ts')).href;
    const program = [process.execPath, '--import', 'tsx', '--import', broken, join(root, 'cli/main.ts')];
    return await quietServerProcess(args, { WRIT_BROKEN_STORE: this.#brokenStore }, program);
  }
}

export const replicaFaults = ['kill', 'stop', 'cut', 'delay', 'silence'] as const;
export type ReplicaFault = (typeof replicaFaults)[number];

export const databaseFaults = ['restart', 'pause', 'full'] as const;
export type DatabaseFault = (typeof databaseFaults)[number];

interface EntryBody {
  readonly data?: readonly { readonly op: string; readonly path: readonly string[]; readonly value: number }[];
}

function valuesOf({ data = [] }: EntryBody): Values {
  return Object.fromEntries(data.map(({ path, value }) => [path.join('/').replace(`${documentName}/`, ''), value]));
}
