/** The clients of the configured services. */

import type { HostNetwork } from '../../../values/index.js';
import { nodeNetwork, type TlsFloor } from '../../../values/node.js';
import { ServiceError } from './request.js';
import { ServiceClient } from './service-client.js';
import type { NamedService, ServicesConfig } from './services-config.js';
import { Transport } from './transport.js';

interface ServicesOptions {
  /** The oldest version of TLS and the suites for connections to services. */
  readonly floor?: TlsFloor | undefined;
  /** Adds spans to a network's exchanges. */
  readonly trace?: ((network: HostNetwork) => HostNetwork) | undefined;
  /** Called for files of certificates that are broken while the last good ones are in use. */
  readonly logger?: { error(message: string): unknown } | undefined;
}

export class Services {
  readonly #network: HostNetwork;
  readonly #logger: ServicesOptions['logger'];
  #clients: ReadonlyMap<string, ServiceClient> = new Map();

  constructor(
    config: ServicesConfig = new Map(),
    { floor, trace = (network) => network, logger }: ServicesOptions = {},
  ) {
    this.#network = trace(nodeNetwork({ keepsTls: true, floor }));
    this.#logger = logger;
    this.reconfigure(config);
  }

  /**
   * The client of a service. It is looked up for each request, because discovery may replace it.
   * Throws a ServiceError for an unknown name.
   */
  client(name: string): ServiceClient {
    const client = this.#clients.get(name);
    if (client === undefined) throw new ServiceError(`service ${JSON.stringify(name)} is not configured`);
    return client;
  }

  /** Replaces the services. Unchanged ones keep their clients, and these their tokens. */
  reconfigure(config: ServicesConfig): void {
    this.#clients = new Map(
      [...config].map(([name, service]) => {
        const before = this.#clients.get(name);
        const isSame = before?.config.source === service.source;
        return [name, isSame ? before : this.#newClient(name, service)];
      }),
    );
  }

  #newClient(name: string, service: NamedService): ServiceClient {
    const report = (problem: string) =>
      this.#logger?.error(`service ${JSON.stringify(name)}: ${problem}. The last good certificates stay in use.`);
    return new ServiceClient(service, new Transport(service.transport, this.#network, report));
  }

  /** Ends open connections. */
  async close(): Promise<void> {
    await this.#network.close();
  }
}
