/** Reads and checks the configuration, and derives the settings of the routes. */
import { randomUUID } from 'node:crypto';
import { buildInfo } from '../../engine/build-info.js';
import { defaultDecision as mainDecision } from '../../engine/default-decision.js';
import { checkTypes, unknownKeys } from '../../services/config/config-check.js';
import { ConfigError, ConfigSection, decisionPath } from '../../services/config/config-section.js';
import { withEnvironment } from '../../services/config/environment.js';
import { type PluginsConfig, parsePlugins } from '../../services/config/plugins-config.js';
import { withoutSecrets } from '../../services/config/secrets.js';
import { heapLimit } from '../../services/held-memory.js';
import { type MetricsExportConfig, parseMetricsExport } from '../../services/metrics-export/metrics-export-config.js';
import { parseTracing, type TracingConfig } from '../../services/tracing/tracing-config.js';
import { ExactNumber } from '../../values/numbers/number.js';
import { isObject, type PlainObject, typeName, type Value } from '../../values/value.js';
import { parseYaml } from '../../values/yaml/yaml.js';
import { defaultBuckets } from '../observability/request-durations.js';
import type { Settings } from './app-context.js';

/** A checked configuration. */
export interface ServerConfig {
  /** As it was written, with its secrets. */
  readonly source: PlainObject;
  readonly plugins: PluginsConfig;
  /** The configured labels, with `id` and `version`. */
  readonly labels: { readonly [label: string]: string };
  /** The configuration without secrets, as `opa.runtime().config` shows it. */
  readonly runtime: PlainObject;
  readonly settings: Omit<Settings, 'authentication' | 'authorization'>;
  readonly buckets: readonly number[];
  /** Undefined where requests are not traced. */
  readonly tracing: TracingConfig | undefined;
  /** Undefined where no metrics are sent. */
  readonly metricsExport: MetricsExportConfig | undefined;
  /** Warnings about keys without effect. */
  readonly warnings: readonly string[];
}

/**
 * The object in a text of YAML or JSON, with `${NAME}` replaced from the environment. Throws a
 * ConfigError.
 */
export function parseConfig(text: string, env: Readonly<Record<string, string | undefined>>): PlainObject {
  const filled = withEnvironment(text, env);
  if (filled.trim() === '') return {};
  let value: Value;
  try {
    value = parseYaml(filled);
  } catch (error) {
    throw new ConfigError(`config file is no YAML: ${(error as Error).message}`);
  }
  if (value === null) return {};
  if (!isObject(value)) throw new ConfigError(`config must be an object but is ${typeName(value)}`);
  return value as PlainObject;
}

/** Keys of the reference without effect in this release. */
function effectlessIn(root: ConfigSection): readonly string[] {
  const sections = ['caching', 'storage'].filter((key) => root.has(key));
  const spans = root.section('distributed_tracing')?.section('batch_span_processor_options');
  // Spans are dropped where the queue is full: nothing waits for a collector.
  return spans?.boolean('blocking') === true ? [...sections, 'distributed_tracing.batch_span_processor_options.blocking'] : sections;
}

const defaults = {
  minLength: 1024,
  // The reference's limits, unless the heap is too small.
  maxLength: Math.min(256 * 1024 * 1024, heapLimit / 4),
  gzipMaxLength: Math.min(512 * 1024 * 1024, heapLimit / 2),
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
export function readConfig(config: PlainObject, id: string = randomUUID()): ServerConfig {
  checkTypes(config);
  const root = new ConfigSection(config, '');
  const server = root.section('server');
  const encoding = server?.section('encoding')?.section('gzip');
  const decoding = server?.section('decoding');
  const defaultDecision = root.string('default_decision') ?? mainDecision;
  const authorizationDecision = root.string('default_authorization_decision') ?? '/system/authz/allow';
  const evaluationTimeMs = 1000 * (server?.number('decision_timeout_seconds') ?? defaults.decisionTimeoutSeconds);
  const labels = { ...(config.labels as { [label: string]: string } | undefined), id, version: buildInfo.version };
  const shown = withoutSecrets(config);
  return {
    source: config,
    plugins: parsePlugins(config),
    labels,
    runtime: shown,
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
      defaultDecision: decisionPath(defaultDecision, 'invalid default_decision'),
      authorizationDecision: decisionPath(authorizationDecision, 'invalid default_authorization_decision'),
      evaluationTimeMs,
      maxBatchInputs: server?.integer('max_batch_inputs') ?? defaults.maxBatchInputs,
      maxPatchOperations: server?.integer('max_patch_operations') ?? defaults.maxPatchOperations,
      maxWatches: server?.integer('max_watches') ?? defaults.maxWatches,
      shownConfig: {
        ...shown,
        labels,
        default_decision: defaultDecision,
        default_authorization_decision: authorizationDecision,
      },
    },
    buckets: bucketsOf(server),
    tracing: parseTracing(root),
    metricsExport: parseMetricsExport(root),
    warnings: [
      ...unknownKeys(config).map((key) => `config key ${JSON.stringify(key)} is unknown and has no effect`),
      ...effectlessIn(root).map((key) => `config key ${JSON.stringify(key)} has no effect in this release`),
    ],
  };
}

function bucketsOf(server: ConfigSection | undefined): readonly number[] {
  const given = server?.section('metrics')?.section('prom')?.section('http_request_duration_seconds')?.value('buckets');
  if (given === undefined) return defaultBuckets;
  const buckets = (given as readonly Value[]).map((bound) => (bound instanceof ExactNumber ? Number(bound.text) : Number(bound)));
  if (buckets.some((bound, i) => i > 0 && bound <= buckets[i - 1]!))
    throw new ConfigError('server.metrics.prom.http_request_duration_seconds.buckets: must increase');
  return buckets;
}
