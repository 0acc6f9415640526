/** Addresses that several worker processes serve. */
import { chmodSync } from 'node:fs';
import { createServer, type Server } from 'node:net';
import { bind, isSocketFile, parseAddress, urlOf } from '../http/sockets/address.js';
import type { SharedAddress } from './messages.js';
import type { Connection } from './worker-process.js';

interface SharingOptions {
  readonly hasTls: boolean;
  readonly unixSocketPermissions: string | undefined;
  readonly pass: (connection: Connection) => void;
}

/** Linux shares a port's connections among the processes that are bound to it. */
const sharesPorts = process.platform === 'linux';

export class SharedAddresses {
  readonly #servers: Server[] = [];
  readonly #options: SharingOptions;
  readonly all: SharedAddress[] = [];
  /** As `Listener.url`. */
  readonly urls: string[] = [];

  constructor(options: SharingOptions) {
    this.#options = options;
  }

  /** Rejects with the system's error where another program has the address. */
  async add(address: string): Promise<void> {
    const { hasTls, unixSocketPermissions } = this.#options;
    const place = parseAddress(address, hasTls);
    const isPort = place.path === undefined && sharesPorts;
    const server = this.#passing(address);
    await bind(server, place);
    const url = urlOf(server, place);
    this.urls.push(url);
    if (!isPort) {
      if (isSocketFile(place) && unixSocketPermissions !== undefined)
        chmodSync(place.path!, Number.parseInt(unixSocketPermissions, 8));
      this.#servers.push(server);
      this.all.push({ address, shared: 'passed' });
      return;
    }
    // The port is free: workers are bound to it from now on.
    const { port } = server.address() as { port: number };
    await new Promise((resolve) => server.close(resolve));
    this.all.push({ address: address.replace(/:\d+$/, `:${port}`), shared: 'port' });
  }

  /** A server that reads no connection, but passes it on. */
  #passing(address: string): Server {
    return createServer({ pauseOnConnect: true }, (socket) => {
      // A client that is gone needs no answer.
      socket.on('error', () => socket.destroy());
      this.#options.pass({ address, socket });
    });
  }

  /**
   * Accepts connections of shared ports here, too: without it they would be refused while no worker
   * is left. Call it once workers take requests.
   */
  async listen(): Promise<void> {
    for (const { address, shared } of this.all) {
      if (shared !== 'port') continue;
      const server = this.#passing(address);
      await bind(server, parseAddress(address, this.#options.hasTls), true);
      this.#servers.push(server);
    }
  }

  /** Accepts no more connections. */
  close(): void {
    for (const server of this.#servers) server.close();
  }
}
