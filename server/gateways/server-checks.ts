/** Envoy's checks in a server: the service, its address and its status. */
import { CheckMetrics } from '../../gateway/envoy/check-metrics.js';
import type { CheckServiceOptions } from '../../gateway/envoy/check-service.js';
import type { EnvoyConfig } from '../../gateway/envoy/envoy-config.js';
import type { Logger, ReportStatus } from '../../services/plugin.js';
import type { Primary } from '../workers/primary.js';
import { SharedAddresses } from '../workers/shared-addresses.js';
import { type CheckListener, checkAddress, openChecks } from './check-listener.js';

interface ServerChecksOptions extends Omit<CheckServiceOptions, 'metrics'> {
  readonly logger: Logger;
  readonly report: ReportStatus;
}

export class ServerChecks {
  /** Undefined where checks are not measured. */
  readonly metrics: CheckMetrics | undefined;
  readonly config: EnvoyConfig;
  readonly #options: CheckServiceOptions;
  readonly #logger: Logger;
  readonly #report: ReportStatus;
  #listener: CheckListener | undefined;
  #shared: SharedAddresses | undefined;

  constructor(config: EnvoyConfig, { logger, report, ...options }: ServerChecksOptions) {
    this.config = config;
    this.metrics = config.buckets && new CheckMetrics(config.buckets);
    this.#options = { ...options, metrics: this.metrics };
    this.#logger = logger;
    this.#report = report;
  }

  /**
   * Rejects with a ConfigError. An address that cannot be bound is an error of the plugin alone.
   */
  async start(): Promise<void> {
    const listener = await openChecks(this.config, this.#options);
    this.#listener = listener;
    if (await this.#bound((address) => listener.listen(address))) this.listening();
  }

  /** The address for workers; undefined where it cannot be bound. Rejects with a ConfigError. */
  async share(primary: Primary): Promise<SharedAddresses | undefined> {
    // Workers open the service: a faulty configuration is one here already.
    await (await openChecks(this.config, this.#options)).close(0);
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
    const { name, addr } = this.config;
    try {
      await bind(checkAddress(addr));
      return true;
    } catch (error) {
      const { message } = error as Error;
      this.#logger.error(`Unable to create listener: ${message}`, { addr, plugin: name });
      this.#report({ state: 'ERROR', message });
      return false;
    }
  }

  /** Checks are taken from now on, by this process or by workers. */
  listening(): void {
    const { name, addr } = this.config;
    this.#logger.info('Starting gRPC server.', { addr, plugin: name });
    this.#report({ state: 'OK' });
  }

  /** Takes no more checks, and answers open ones within `graceMs`. */
  async stop(graceMs: number): Promise<void> {
    this.#shared?.close();
    await this.#listener?.close(graceMs);
    this.#report({ state: 'NOT_READY' });
  }
}
