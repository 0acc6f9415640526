/** The configuration: read, checked, and turned into what the routes need to know. */
import { randomUUID } from 'node:crypto';
import { Ajv2020 } from 'ajv/dist/2020.js';
import { buildInfo } from '../runtime/engine/build-info.js';
import { ExactNumber } from '../runtime/values/number.js';
import { isObject, type PlainObject, typeName, type Value } from '../runtime/values/value.js';
import { parseYaml } from '../runtime/values/yaml.js';
import { configSchema, unknownKeys } from './config-schema.js';
import { ConfigError, ConfigSection, decisionPath } from './plugins/config-section.js';
import { type PluginsConfig, parsePlugins } from './plugins/manager.js';
import { defaultBuckets } from './prometheus.js';
import type { Settings } from './services.js';

/** A configuration that has passed all checks. */
export interface ServerConfig {
  readonly plugins: PluginsConfig;
  /** `id` and `version` beside the configured ones. */
  readonly labels: { readonly [label: string]: string };
  readonly settings: Omit<Settings, 'authentication' | 'authorization'>;
  readonly buckets: readonly number[];
  /** What is not wrong, but may not be meant: keys that nobody reads. */
  readonly warnings: readonly string[];
}

/** The object in a text of YAML or JSON, with `${NAME}` replaced from the environment. Throws a ConfigError. */
export function parseConfig(text: string, env: Readonly<Record<string, string | undefined>>): PlainObject {
  const filled = text.replace(/\$\{(.*?)\}/g, (_, name: string) => env[name] ?? '');
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

const defaults = {
  minLength: 1024,
  level: 9,
  maxLength: 256 * 1024 * 1024,
  gzipMaxLength: 512 * 1024 * 1024,
  decisionTimeoutSeconds: 10,
} as const;

/** Checks a configuration. Throws a ConfigError that names the key. */
export function readConfig(config: PlainObject): ServerConfig {
  checkTypes(config);
  const root = new ConfigSection(config, '');
  const server = root.section('server');
  const encoding = server?.section('encoding')?.section('gzip');
  const decoding = server?.section('decoding');
  const defaultDecision = root.string('default_decision') ?? '/system/main';
  const authorizationDecision = root.string('default_authorization_decision') ?? '/system/authz/allow';
  const labels = { ...(config.labels as { [label: string]: string } | undefined), id: randomUUID(), version: buildInfo.version };
  return {
    plugins: parsePlugins(config),
    labels,
    settings: {
      compression: {
        minLength: encoding?.integer('min_length') ?? defaults.minLength,
        level: encoding?.integer('compression_level') ?? defaults.level,
      },
      limits: {
        maxLength: decoding?.integer('max_length') ?? defaults.maxLength,
        gzipMaxLength: decoding?.section('gzip')?.integer('max_length') ?? defaults.gzipMaxLength,
      },
      defaultDecision: decisionPath(defaultDecision, 'invalid default_decision'),
      authorizationDecision: decisionPath(authorizationDecision, 'invalid default_authorization_decision'),
      evaluationTimeMs: 1000 * (server?.number('decision_timeout_seconds') ?? defaults.decisionTimeoutSeconds),
      shownConfig: {
        ...withoutSecrets(config),
        labels,
        default_decision: defaultDecision,
        default_authorization_decision: authorizationDecision,
      },
    },
    buckets: bucketsOf(server),
    warnings: unknownKeys(config).map((key) => `config key ${JSON.stringify(key)} is unknown and has no effect`),
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

/** Nulls count as absent, so they are taken out before the schema sees them. */
function plain(value: Value): unknown {
  if (value instanceof ExactNumber) return Number(value.text);
  if (Array.isArray(value)) return value.map(plain);
  if (value === null || !isObject(value)) return value;
  return Object.fromEntries(
    Object.entries(value as PlainObject)
      .filter(([, member]) => member !== null)
      .map(([key, member]) => [key, plain(member)]),
  );
}

function checkTypes(config: PlainObject): void {
  // Optimizing the code of a check that runs once takes longer than the check.
  const ajv = new Ajv2020({ allErrors: true, strictTypes: false, meta: false, validateSchema: false, code: { optimize: false } });
  if (ajv.validate(configSchema, plain(config))) return;
  const problems = (ajv.errors ?? []).map(({ instancePath, message }) => {
    const key = instancePath.slice(1).replaceAll('/', '.').replaceAll('~1', '/').replaceAll('~0', '~');
    return `${key === '' ? 'config' : key}: ${message ?? 'is not valid'}`;
  });
  throw new ConfigError(problems.join('; '));
}

/** What `/v1/config` may show: no credentials of services, no keys. */
function withoutSecrets(config: PlainObject): PlainObject {
  const shown: Record<string, Value> = { ...config };
  if (config.services !== undefined) shown.services = eachWithout(config.services, ['credentials']);
  if (config.keys !== undefined) shown.keys = eachWithout(config.keys, ['key', 'private_key']);
  return shown;
}

function eachWithout(members: Value, secrets: readonly string[]): Value {
  const strip = (member: Value): Value =>
    member !== null && isObject(member)
      ? Object.fromEntries(Object.entries(member as PlainObject).filter(([key]) => !secrets.includes(key)))
      : member;
  if (Array.isArray(members)) return (members as Value[]).map(strip);
  if (members === null || !isObject(members)) return members;
  return Object.fromEntries(Object.entries(members as PlainObject).map(([name, member]) => [name, strip(member)]));
}
