/** A gateway in a server: its service, the address and the plugin's status. */

import type { PluginLogger, ReportStatus } from '../../services/plugin.js';
import type { Primary } from '../../workers/primary.js';
import { SharedAddresses } from '../../workers/shared-addresses.js';
import type { CheckServiceOptions } from '../envoy/check-service.js';
import { type Gateway, openGateway } from './gateway.js';
import { type GatewayListener, gatewayAddress } from './gateway-listener.js';

interface ServerGatewayOptions extends CheckServiceOptions {
  readonly logger: PluginLogger;
  readonly report: ReportStatus;
}

const starting = { grpc: 'Starting gRPC server.', http: 'Starting forward auth.' } as const;

export class ServerGateway {
  readonly gateway: Gateway;
  readonly #options: ServerGatewayOptions;
  #listener: GatewayListener | undefined;
  #shared: SharedAddresses | undefined;

  constructor(gateway: Gateway, options: ServerGatewayOptions) {
    this.gateway = gateway;
    this.#options = options;
  }

  /**
   * Rejects with a ConfigError. An address that cannot be bound is an error of the plugin alone.
   */
  async start(): Promise<void> {
    const listener = await openGateway(this.gateway, this.#options);
    this.#listener = listener;
    if (await this.#bound((address) => listener.listen(address))) this.listening();
  }

  /** The address for workers; undefined where it cannot be bound. Rejects with a ConfigError. */
  async share(primary: Primary): Promise<SharedAddresses | undefined> {
    // Workers open the service: a faulty configuration is one here already.
    await (await openGateway(this.gateway, this.#options)).close(0);
    const shared = new SharedAddresses({
      hasTls: false,
      unixSocketPermissions: undefined,
      pass: (connection) => primary.pass(connection),
    });
    if (!(await this.#bound((address) => shared.add(address)))) return undefined;
    this.#shared = shared;
    return shared;
  }

  async #bound(bind: (address: string) => Promise<void>): Promise<boolean> {
    const { protocol, name, config } = this.gateway;
    try {
      await bind(gatewayAddress(config.addr, protocol));
      return true;
    } catch (error) {
      const { message } = error as Error;
      this.#options.logger.error(`Unable to create listener: ${message}`, { addr: config.addr, plugin: name });
      this.#options.report({ state: 'ERROR', message });
      return false;
    }
  }

  /** Questions are taken from now on, by this process or by workers. */
  listening(): void {
    const { protocol, name, config } = this.gateway;
    this.#options.logger.info(starting[protocol], { addr: config.addr, plugin: name });
    this.#options.report({ state: 'OK' });
  }

  /** Takes no more questions, and answers open ones within `graceMs`. */
  async stop(graceMs: number): Promise<void> {
    this.#shared?.close();
    await this.#listener?.close(graceMs);
    this.#options.report({ state: 'NOT_READY' });
  }
}
