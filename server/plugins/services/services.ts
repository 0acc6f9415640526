/** The clients of the configured services. */
import type { HostNetwork } from '../../../runtime/builtins/host-network.js';
import { nodeNetwork } from '../../../runtime/host/network.js';
import type { ServiceConfig, ServicesConfig } from './config.js';
import type { CredentialsContext } from './credentials/credentials.js';
import { ServiceError } from './request.js';
import { ServiceClient } from './service-client.js';

export class Services {
  readonly #network: HostNetwork = nodeNetwork({ keepsTls: true });
  #clients: ReadonlyMap<string, ServiceClient> = new Map();

  constructor(config: ServicesConfig = new Map()) {
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
        return [name, before?.config.source === service.source ? before : this.#client(service)];
      }),
    );
  }

  /** Ends open connections. */
  async close(): Promise<void> {
    await this.#network.close();
  }

  #client(config: ServiceConfig): ServiceClient {
    const context: CredentialsContext = { network: this.#network, env: process.env, readFile: (path) => this.#readFile(path) };
    return new ServiceClient(config, context);
  }

  #readFile(path: string): string {
    try {
      return this.#network.readFile(path);
    } catch (error) {
      throw new ServiceError((error as Error).message);
    }
  }
}
