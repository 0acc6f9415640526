/** The network between a replica and its database, which tests cut and slow down. */
import { once } from 'node:events';
import { mkdtempSync, rmSync } from 'node:fs';
import { connect, createServer, type Server, type Socket } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';

/** The name of PostgreSQL's socket in its folder. */
const socketName = '.s.PGSQL.5432';

export class CuttingProxy {
  /** The folder of its socket, in the place of the database's. */
  readonly folder = mkdtempSync(join(tmpdir(), 'writ-proxy-'));
  readonly #database: string;
  readonly #server: Server;
  readonly #open = new Set<Socket>();
  #isCut = false;
  #delayMs = 0;
  /** Resolves when packets go on. */
  #silence: { readonly ended: Promise<void>; readonly end: () => void } | undefined;

  private constructor(databaseFolder: string) {
    this.#database = join(databaseFolder, socketName);
    this.#server = createServer((client) => this.#connect(client));
  }

  static async open(databaseFolder: string): Promise<CuttingProxy> {
    const proxy = new CuttingProxy(databaseFolder);
    proxy.#server.listen(join(proxy.folder, socketName));
    await once(proxy.#server, 'listening');
    return proxy;
  }

  /** Ends all connections, and takes no more. */
  cut(): void {
    this.#isCut = true;
    for (const socket of this.#open) socket.destroy();
  }

  /** Milliseconds that each packet takes more, in each direction. */
  delay(ms: number): void {
    this.#delayMs = ms;
  }

  /** Packets stop, and no connection is told. */
  silence(): void {
    const { promise: ended, resolve: end } = Promise.withResolvers<void>();
    this.#silence ??= { ended, end };
  }

  heal(): void {
    this.#isCut = false;
    this.#delayMs = 0;
    this.#silence?.end();
    this.#silence = undefined;
  }

  async close(): Promise<void> {
    this.heal();
    this.cut();
    this.#server.close();
    await once(this.#server, 'close');
    rmSync(this.folder, { recursive: true, force: true });
  }

  #connect(client: Socket): void {
    if (this.#isCut) {
      client.destroy();
      return;
    }
    const database = connect(this.#database);
    for (const [from, to] of [
      [client, database],
      [database, client],
    ] as const) {
      this.#open.add(from);
      from.on('error', () => {});
      from.on('data', (bytes) => this.#send(to, bytes));
      from.on('close', () => {
        this.#open.delete(from);
        to.destroy();
      });
    }
  }

  /** Packets stay in their order: each waits for the one before. */
  #send(to: Socket, bytes: Buffer): void {
    const before = waiting.get(to);
    if (this.#delayMs === 0 && this.#silence === undefined && before === undefined) {
      to.write(bytes);
      return;
    }
    const sent = this.#passed(before).then(() => void to.write(bytes));
    waiting.set(to, sent);
    void sent.then(() => waiting.get(to) === sent && waiting.delete(to));
  }

  async #passed(before: Promise<void> | undefined): Promise<void> {
    await before;
    await this.#silence?.ended;
    if (this.#delayMs > 0) await sleep(this.#delayMs);
  }
}

/** The last packet that waits for each socket. */
const waiting = new WeakMap<Socket, Promise<void>>();
