/** Envoy's external authorization over an engine: `import { openChecks } from 'writ/envoy'`. */

import type { DecisionFacts, DecisionLog } from '../../../engine/index.js';
import type { EnvoyConfig, LogLineFields } from '../../../server/index.js';
import {
  ConfigError,
  envoyDefaults,
  GatewayListener,
  gatewayAddress,
  openCheckService,
} from '../../../server/index.js';
import type { Engine } from '../../index.js';
import { engineOf } from '../../library-engine.js';

export interface CheckOptions {
  /** The decision, as a path below `data`. Default: `envoy/authz/allow`. */
  readonly path?: string | undefined;
  /** A query instead of a path; the value of its first expression is the decision. */
  readonly query?: string | undefined;
  /** Whether every request is let through. Default: false. */
  readonly dryRun?: boolean | undefined;
  /** Whether clients may ask for the services and their messages. Default: false. */
  readonly reflection?: boolean | undefined;
  /** A file with a FileDescriptorSet, by which bodies of gRPC requests are decoded. */
  readonly protoDescriptor?: string | undefined;
  /** Whether the input has no `parsed_body`. Default: false. */
  readonly skipRequestBodyParse?: boolean | undefined;
  /** Bytes of a check. Default: 4 MiB. */
  readonly maxReceivedBytes?: number | undefined;
  /** Bytes of an answer. Default: 2 GiB. */
  readonly maxSentBytes?: number | undefined;
  /** Milliseconds that a decision may take; 0 is no limit. Default: 10,000. */
  readonly timeMs?: number | undefined;
  /** Called with each decision, before its answer is sent. */
  readonly onDecision?: ((event: CheckEvent) => void) | undefined;
  /** Called with the lines that a policy prints, and `file:row` of the call. */
  readonly onPrint?: ((line: string, decisionId: string, place: string | undefined) => void) | undefined;
  /** Called with errors that clients are not told. */
  readonly onError?: ((message: string) => void) | undefined;
}

/** A decision, as the decision log of a server has it. */
export type CheckEvent = Pick<
  DecisionFacts,
  'decisionId' | 'path' | 'query' | 'input' | 'result' | 'error' | 'metrics' | 'bundles' | 'ruleLabels'
>;

export interface CheckServer {
  /** Node's server, to be bound in another way than by `listen`. */
  readonly server: { readonly listening: boolean; address(): unknown };
  /**
   * Takes checks at `host:9191`, `:9191`, `unix:///path` or `unix://@name`. Rejects with the
   * system's error.
   */
  listen(address: string): Promise<void>;
  /** Takes no more checks, answers open ones within `graceMs` (10,000 by default), and ends. */
  close(graceMs?: number): Promise<void>;
}

/** Milliseconds, as a server has them. */
const defaults = { timeMs: 10_000, graceMs: 10_000 } as const;

/**
 * The gRPC services `envoy.service.auth.v3.Authorization` and `v2` over an engine, whose policies
 * may change meanwhile. Rejects with a ConfigError for options that cannot be.
 * @example
 * const engine = await Engine.open('bundle.tar.gz');
 * const checks = await openChecks(engine, { path: 'shop/authz/allow' });
 * await checks.listen(':9191');
 */
export async function openChecks<Input>(engine: Engine<Input>, options: CheckOptions = {}): Promise<CheckServer> {
  const { onPrint, onError, timeMs = defaults.timeMs } = options;
  const host = {
    engine: engineOf(engine),
    logger: {
      show(text: string, { 'decision-id': id, line }: LogLineFields = {}) {
        onPrint?.(text, String(id), line as string | undefined);
        return true;
      },
      error(message: string) {
        onError?.(message);
        return true;
      },
    },
    decisionLog: logOf(options),
    timeMs,
  };
  const service = await openCheckService(configOf(options), {
    host,
    metrics: undefined,
    tracing: undefined,
    isReady: () => true,
  });
  const listener = new GatewayListener(service);
  return {
    server: service.server,
    listen: async (address) => await listener.listen(gatewayAddress(address, 'grpc')),
    close: async (graceMs = defaults.graceMs) => await listener.close(graceMs),
  };
}

function configOf(options: CheckOptions): EnvoyConfig {
  const { path, query, maxReceivedBytes = envoyDefaults.mostReceived, maxSentBytes = envoyDefaults.mostSent } = options;
  if (path !== undefined && query !== undefined) throw new ConfigError('give a path or a query, not both');
  return {
    name: 'openChecks',
    addr: '',
    decision: query === undefined ? { path: path ?? envoyDefaults.path } : { query },
    dryRun: options.dryRun ?? false,
    reflection: options.reflection ?? false,
    protoDescriptor: options.protoDescriptor,
    skipsBody: options.skipRequestBodyParse ?? false,
    mostReceived: maxReceivedBytes,
    mostSent: maxSentBytes,
    buckets: undefined,
  };
}

function logOf({ onDecision }: CheckOptions): DecisionLog | undefined {
  if (onDecision === undefined) return undefined;
  return {
    newId: () => crypto.randomUUID(),
    wantsNondeterministic: false,
    isShown: true,
    record: async (decision, labels) => {
      if (labels === undefined) onDecision(decision);
      else await labels.find(async (ruleLabels) => onDecision({ ...decision, ruleLabels }));
    },
  };
}
