/** A gateway's service at an address. */
import { rmSync, statSync } from 'node:fs';
import type { Server, Socket } from 'node:net';
import { bind, parseAddress } from '../../http/sockets/address.js';

/** Answers the questions of a gateway. */
export interface GatewayService {
  /** Bind it to an address, or give it connections by its event `connection`. */
  readonly server: Server;
  /** Takes no more questions, and answers open ones within `graceMs`. */
  close(graceMs: number): Promise<void>;
}

export class GatewayListener {
  readonly #service: GatewayService;

  constructor(service: GatewayService) {
    this.#service = service;
  }

  /**
   * Rejects where the address cannot be bound.
   * @param address as `gatewayAddress` returns it
   * @param isShared whether other processes are bound to it too
   */
  async listen(address: string, isShared = false): Promise<void> {
    await bind(this.#service.server, parseAddress(address, false), isShared);
  }

  /** Another process accepts the connections, and they come by `take`. */
  waitForConnections(): void {
    // Before this event, Node's HTTP server has no list of its connections and no time limits.
    this.#service.server.emit('listening');
  }

  /** Takes a connection that another process has accepted. */
  take(socket: Socket): void {
    this.#service.server.emit('connection', socket);
  }

  /** Takes no more questions, and answers open ones within `graceMs`. */
  async close(graceMs: number): Promise<void> {
    await this.#service.close(graceMs);
  }
}

/**
 * The address of a configuration: `:9191`, `host:9191`, with the scheme or without, `unix:///path`
 * or `unix://@name`. A file at the path of a socket is removed. Throws an Error for another scheme.
 */
export function gatewayAddress(addr: string, protocol: 'grpc' | 'http'): string {
  const [, scheme, rest = addr] = /^([a-z][a-z0-9+.-]*):\/\/(.*)$/i.exec(addr) ?? [];
  if (scheme === undefined || scheme === protocol) return rest;
  if (scheme !== 'unix') throw new Error(`invalid url scheme ${JSON.stringify(scheme)}: must be ${protocol} or unix`);
  if (!rest.startsWith('@') && statSync(rest, { throwIfNoEntry: false })?.isDirectory() === false) rmSync(rest);
  return addr;
}
