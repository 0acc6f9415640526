/** Reads and checks the configuration of a server, and derives the settings of the routes. */

import { ExactNumber, type PlainObject, type Value } from '../../values/index.js';
import { parseAuthzen } from '../gateway/authzen/authzen-config.js';
import { type Gateway, parseGateways } from '../gateway/listeners/gateway.js';
import { defaultBuckets } from '../observability/request-durations.js';
import { ConfigError, ConfigSection, decisionPath } from '../services/config/config-section.js';
import { effectlessWarning, readServiceConfig, type ServiceConfig } from '../services/config/service-config.js';
import { heapSizeLimit } from '../services/held-memory.js';
import { parseStorage, type StorageConfig } from '../storage/storage-config.js';
import type { Settings } from './app-context.js';

/** A checked configuration of a server. */
export interface ServerConfig extends ServiceConfig {
  readonly gateways: readonly Gateway[];
  readonly storage: StorageConfig;
  readonly settings: Omit<Settings, 'authentication' | 'authorization'>;
  readonly buckets: readonly number[];
}

const defaults = {
  minLength: 1024,
  // The reference's limits, unless the heap is too small.
  maxLength: Math.min(256 * 1024 * 1024, heapSizeLimit / 4),
  gzipMaxLength: Math.min(512 * 1024 * 1024, heapSizeLimit / 2),
  decisionTimeoutSeconds: 10,
  maxStatementTokens: 50_000,
  maxBatchInputs: 10_000,
  maxPatchOperations: 50_000,
  maxWatches: 20_000,
} as const;

/**
 * Checks a configuration. Throws a ConfigError that names the key.
 * @param id of this process, where it has one
 */
export function readConfig(config: PlainObject, id?: string): ServerConfig {
  const common = readServiceConfig(config, id, true);
  const root = new ConfigSection(config, '');
  const storage = parseStorage(root);
  const server = root.section('server');
  const encoding = server?.section('encoding')?.section('gzip');
  const decoding = server?.section('decoding');
  const authorizationDecision = root.string('default_authorization_decision') ?? '/system/authz/allow';
  const evaluationTimeMs = 1000 * (server?.number('decision_timeout_seconds') ?? defaults.decisionTimeoutSeconds);
  return {
    ...common,
    storage,
    warnings: [...common.warnings, ...storage.effectless.map(effectlessWarning)],
    gateways: parseGateways(root),
    settings: {
      compression: {
        minLength: encoding?.integer('min_length') ?? defaults.minLength,
        level: encoding?.integer('compression_level'),
      },
      limits: {
        maxLength: decoding?.integer('max_length') ?? defaults.maxLength,
        gzipMaxLength: decoding?.section('gzip')?.integer('max_length') ?? defaults.gzipMaxLength,
        maxStatementTokens: server?.integer('max_statement_tokens') ?? defaults.maxStatementTokens,
      },
      defaultDecision: common.defaultDecision,
      authorizationDecision: decisionPath(authorizationDecision, 'invalid default_authorization_decision'),
      evaluationTimeMs,
      maxBatchInputs: server?.integer('max_batch_inputs') ?? defaults.maxBatchInputs,
      maxPatchOperations: server?.integer('max_patch_operations') ?? defaults.maxPatchOperations,
      revisionWaitMs: 1000 * storage.maxWaitSeconds,
      maxWatches: server?.integer('max_watches') ?? defaults.maxWatches,
      authzen: parseAuthzen(root),
      shownConfig: {
        ...common.runtime,
        labels: common.labels,
        default_decision: common.defaultDecisionText,
        default_authorization_decision: authorizationDecision,
      },
    },
    buckets: bucketsOf(server),
  };
}

function bucketsOf(server: ConfigSection | undefined): readonly number[] {
  const given = server?.section('metrics')?.section('prom')?.section('http_request_duration_seconds')?.value('buckets');
  if (given === undefined) return defaultBuckets;
  const buckets = (given as readonly Value[]).map((bound) =>
    bound instanceof ExactNumber ? Number(bound.text) : Number(bound),
  );
  if (buckets.some((bound, i) => bound <= (buckets[i - 1] ?? Number.NEGATIVE_INFINITY)))
    throw new ConfigError('server.metrics.prom.http_request_duration_seconds.buckets: must increase');
  return buckets;
}
