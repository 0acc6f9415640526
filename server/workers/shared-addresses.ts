/** Addresses that several worker processes serve. */
import { chmodSync } from 'node:fs';
import { createServer, type Server, type Socket } from 'node:net';
import { bind, isSocketFile, parseAddress, urlOf } from '../http/sockets/address.js';
import type { SharedAddress } from './messages.js';

interface SharingOptions {
  readonly hasTls: boolean;
  readonly unixSocketPermissions: string | undefined;
  /** Takes a connection, which no process reads yet. */
  readonly pass: (address: string, socket: Socket) => void;
}

/** Linux shares a port's connections among the processes that are bound to it. */
const sharesPorts = process.platform === 'linux';

export class SharedAddresses {
  readonly #servers: Server[] = [];
  #standIns: readonly Promise<Server>[] = [];
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
      if (isSocketFile(place) && unixSocketPermissions !== undefined) chmodSync(place.path!, Number.parseInt(unixSocketPermissions, 8));
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
      this.#options.pass(address, socket);
    });
  }

  /** Accepts the connections of shared ports here, while no worker is bound to them. */
  standIn(): void {
    if (this.#standIns.length > 0) return;
    this.#standIns = this.all.flatMap(({ address, shared }) => {
      if (shared !== 'port') return [];
      const server = this.#passing(address);
      const bound = bind(server, parseAddress(address, this.#options.hasTls), true).then(() => server);
      // Workers report an address that cannot be bound.
      bound.catch(() => undefined);
      return [bound];
    });
  }

  /** Leaves shared ports to the workers again. */
  standDown(): void {
    for (const bound of this.#standIns)
      bound.then(
        (server) => server.close(),
        () => undefined,
      );
    this.#standIns = [];
  }

  /** Accepts no more connections. */
  close(): void {
    this.standDown();
    for (const server of this.#servers) server.close();
  }
}
