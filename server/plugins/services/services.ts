/** The clients of the configured services. */
import type { HostNetwork } from '../../../runtime/builtins/host-network.js';
import { nodeNetwork } from '../../../runtime/host/network.js';
import type { ServicesConfig } from './config.js';
import { ServiceError } from './request.js';
import { ServiceClient } from './service-client.js';
import { Transport } from './transport.js';

export class Services {
  readonly #network: HostNetwork;
  #clients: ReadonlyMap<string, ServiceClient> = new Map();

  /** @param trace adds spans to a network's exchanges */
  constructor(config: ServicesConfig = new Map(), trace: (network: HostNetwork) => HostNetwork = (network) => network) {
    this.#network = trace(nodeNetwork({ keepsTls: true }));
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
        return [name, isSame ? before : new ServiceClient(service, new Transport(service.transport, this.#network))];
      }),
    );
  }

  /** Ends open connections. */
  async close(): Promise<void> {
    await this.#network.close();
  }
}
