/** Replicas of the built command over one database, and what happens to them. */
import { setTimeout as sleep } from 'node:timers/promises';
import { PostgresLog } from '../../storage/postgres/postgres-log.js';
import type { Postgres } from '../harness/databases/postgres.js';
import { quietServerProcess, type ServerProcess } from '../harness/server/process.js';
import { CuttingProxy } from './cutting-proxy.js';
import type { Log, Values } from './history.js';

export const replicaCount = 3;

/** The document that clients write below. */
export const documentName = 'resilience';

/** Another one for each cluster of a database. */
let schemas = 0;

export class Cluster {
  readonly #database: Postgres;
  readonly #schema = `resilience_${++schemas}`;
  readonly #proxies: CuttingProxy[] = [];
  readonly #replicas: ServerProcess[] = [];

  private constructor(database: Postgres) {
    this.#database = database;
  }

  static async start(database: Postgres): Promise<Cluster> {
    const cluster = new Cluster(database);
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

  /** One fault for a while, after which all is well again. */
  async fault(kind: Fault, replica: number, ms: number): Promise<void> {
    const [proxy, { pid }] = [this.#proxies[replica]!, this.#replicas[replica]!];
    for (const { log, isAlive } of this.#replicas)
      if (!isAlive()) throw new Error(`a replica ended by itself:\n${log.slice(-30).join('\n')}`);
    if (kind === 'kill') {
      await this.#replicas[replica]!.end('SIGKILL');
      this.#replicas[replica] = await this.#replica(replica);
    } else if (kind === 'stop') {
      process.kill(pid, 'SIGSTOP');
      await sleep(ms);
      process.kill(pid, 'SIGCONT');
    } else if (kind === 'restart database') {
      await this.#database.stop();
      await this.#database.start();
    } else if (kind === 'pause database') {
      this.#database.pause();
      await sleep(ms);
      this.#database.resume();
    } else {
      if (kind === 'cut') proxy.cut();
      else proxy.delay(50);
      await sleep(ms);
      proxy.heal();
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

  /** Snapshots would let entries go, which the checker needs. */
  async #replica(i: number): Promise<ServerProcess> {
    const url = `postgres://tests@/postgres?host=${this.#proxies[i]!.folder}`;
    const settings = [`storage.postgres.url=${url}`, `storage.postgres.schema=${this.#schema}`, 'storage.snapshot_every=1000000'];
    return await quietServerProcess(
      settings.flatMap((setting) => ['--set', setting]),
      {},
    );
  }
}

export const faults = ['kill', 'stop', 'cut', 'delay', 'restart database', 'pause database'] as const;
export type Fault = (typeof faults)[number];

interface EntryBody {
  readonly data?: readonly { readonly op: string; readonly path: readonly string[]; readonly value: number }[];
}

function valuesOf({ data = [] }: EntryBody): Values {
  return Object.fromEntries(data.map(({ path, value }) => [path.join('/').replace(`${documentName}/`, ''), value]));
}
