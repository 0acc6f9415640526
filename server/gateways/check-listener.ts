/** The address of Envoy's checks. */
import { rmSync, statSync } from 'node:fs';
import type { Socket } from 'node:net';
import type { CheckService, CheckServiceOptions } from '../../gateway/envoy/check-service.js';
import type { EnvoyConfig } from '../../gateway/envoy/envoy-config.js';
import { bind, parseAddress } from '../http/sockets/address.js';

/** Opens the service that a configuration asks for. Rejects with a ConfigError. */
export async function openChecks(config: EnvoyConfig, options: CheckServiceOptions): Promise<CheckListener> {
  const { openCheckService } = await import('../../gateway/envoy/check-service.js');
  return new CheckListener(await openCheckService(config, options));
}

export class CheckListener {
  readonly #service: CheckService;

  constructor(service: CheckService) {
    this.#service = service;
  }

  /**
   * Rejects where the address cannot be bound.
   * @param address as `checkAddress` returns it
   * @param isShared whether other processes are bound to it too
   */
  async listen(address: string, isShared = false): Promise<void> {
    await bind(this.#service.server, parseAddress(address, false), isShared);
  }

  /** Takes a connection that another process has accepted. */
  take(socket: Socket): void {
    this.#service.server.emit('connection', socket);
  }

  /** Takes no more checks, and answers open ones within `graceMs`. */
  async close(graceMs: number): Promise<void> {
    await this.#service.close(graceMs);
  }
}

/**
 * The address of a configuration: `:9191`, `host:9191`, with `grpc://` or without, `unix:///path`
 * or `unix://@name`. A file at the path of a socket is removed. Throws an Error for another scheme.
 */
export function checkAddress(addr: string): string {
  const [, scheme, rest = addr] = /^([a-z][a-z0-9+.-]*):\/\/(.*)$/i.exec(addr) ?? [];
  if (scheme === undefined || scheme === 'grpc') return rest;
  if (scheme !== 'unix') throw new Error(`invalid url scheme ${JSON.stringify(scheme)}: must be grpc or unix`);
  if (!rest.startsWith('@') && statSync(rest, { throwIfNoEntry: false })?.isDirectory() === false) rmSync(rest);
  return addr;
}
