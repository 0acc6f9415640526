/** The address of forward auth in a server, and its status. */
import type { CheckHost } from '../../gateway/envoy/check.js';
import { type ForwardConfig, forwardPlugin } from '../../gateway/forward/forward-config.js';
import type { ForwardService } from '../../gateway/forward/forward-server.js';
import type { Logger, ReportStatus } from '../../services/plugin.js';
import { bind, parseAddress } from '../http/sockets/address.js';

export class ForwardListener {
  readonly config: ForwardConfig;
  readonly #host: CheckHost;
  readonly #logger: Logger;
  readonly #report: ReportStatus;
  #service: ForwardService | undefined;

  constructor(config: ForwardConfig, host: CheckHost, logger: Logger, report: ReportStatus) {
    this.config = config;
    this.#host = host;
    this.#logger = logger;
    this.#report = report;
  }

  /**
   * Rejects with a ConfigError. An address that cannot be bound is an error of the plugin alone.
   */
  async start(): Promise<void> {
    const { openForwardAuth } = await import('../../gateway/forward/forward-server.js');
    const { addr } = this.config;
    this.#service = openForwardAuth(this.config, this.#host);
    try {
      await bind(this.#service.server, parseAddress(addr, false));
      this.#logger.info('Starting forward auth.', { addr, plugin: forwardPlugin });
      this.#report({ state: 'OK' });
    } catch (error) {
      const { message } = error as Error;
      this.#logger.error(`Unable to create listener: ${message}`, { addr, plugin: forwardPlugin });
      this.#report({ state: 'ERROR', message });
    }
  }

  /** Takes no more questions, and answers open ones within `graceMs`. */
  async stop(graceMs: number): Promise<void> {
    await this.#service?.close(graceMs);
    this.#report({ state: 'NOT_READY' });
  }
}
