/** Reads and checks the configuration, and derives the settings of the routes. */
import { randomUUID } from 'node:crypto';
import { Ajv2020 } from 'ajv/dist/2020.js';
import { buildInfo } from '../../engine/build-info.js';
import { isDocumentObject } from '../../runtime/store/path.js';
import { unescapedSegment } from '../../runtime/values/json/json-pointer.js';
import { ExactNumber } from '../../runtime/values/numbers/number.js';
import { isObject, type PlainObject, typeName, type Value } from '../../runtime/values/value.js';
import { parseYaml } from '../../runtime/values/yaml/yaml.js';
import { heapLimit } from '../http/requests/memory.js';
import { defaultBuckets } from '../observability/request-durations.js';
import { ConfigError, ConfigSection, decisionPath } from '../plugins/config-section.js';
import { type PluginsConfig, parsePlugins } from '../plugins/manager.js';
import type { Settings } from './app-context.js';
import { configSchema, unknownKeys } from './config-schema.js';

/** A checked configuration. */
export interface ServerConfig {
  readonly plugins: PluginsConfig;
  /** The configured labels, with `id` and `version`. */
  readonly labels: { readonly [label: string]: string };
  /** The configuration without secrets, as `opa.runtime().config` shows it. */
  readonly runtime: PlainObject;
  readonly settings: Omit<Settings, 'authentication' | 'authorization'>;
  readonly buckets: readonly number[];
  /** Warnings about keys without effect. */
  readonly warnings: readonly string[];
}

/** A text with `${NAME}` replaced by the variable of the environment, or by nothing. */
export function withEnvironment(text: string, env: Readonly<Record<string, string | undefined>>): string {
  return text.replace(/\$\{(.*?)\}/g, (_, name: string) => env[name] ?? '');
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

/** Sections of the reference without effect in this release. */
const effectless = ['caching', 'distributed_tracing', 'storage'];

const defaults = {
  minLength: 1024,
  level: 9,
  // The reference's limits, unless the heap is too small.
  maxLength: Math.min(256 * 1024 * 1024, heapLimit / 4),
  gzipMaxLength: Math.min(512 * 1024 * 1024, heapLimit / 2),
  decisionTimeoutSeconds: 10,
  maxStatementTokens: 50_000,
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
  const evaluationTimeMs = 1000 * (server?.number('decision_timeout_seconds') ?? defaults.decisionTimeoutSeconds);
  const labels = { ...(config.labels as { [label: string]: string } | undefined), id: randomUUID(), version: buildInfo.version };
  const shown = withoutSecrets(config);
  return {
    plugins: parsePlugins(config),
    labels,
    runtime: shown,
    settings: {
      compression: {
        minLength: encoding?.integer('min_length') ?? defaults.minLength,
        level: encoding?.integer('compression_level') ?? defaults.level,
      },
      limits: {
        maxLength: decoding?.integer('max_length') ?? defaults.maxLength,
        gzipMaxLength: decoding?.section('gzip')?.integer('max_length') ?? defaults.gzipMaxLength,
        maxStatementTokens: server?.integer('max_statement_tokens') ?? defaults.maxStatementTokens,
      },
      defaultDecision: decisionPath(defaultDecision, 'invalid default_decision'),
      authorizationDecision: decisionPath(authorizationDecision, 'invalid default_authorization_decision'),
      evaluationTimeMs,
      shownConfig: {
        ...shown,
        labels,
        default_decision: defaultDecision,
        default_authorization_decision: authorizationDecision,
      },
    },
    buckets: bucketsOf(server),
    warnings: [
      ...unknownKeys(config).map((key) => `config key ${JSON.stringify(key)} is unknown and has no effect`),
      ...effectless.filter((key) => root.has(key)).map((key) => `config key ${JSON.stringify(key)} has no effect in this release`),
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

/** A value for the schema's check. Members that are null count as absent. */
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
  // The check runs once: optimizing its code would take longer than running it.
  const ajv = new Ajv2020({ allErrors: true, strictTypes: false, meta: false, validateSchema: false, code: { optimize: false } });
  if (ajv.validate(configSchema, plain(config))) return;
  const problems = (ajv.errors ?? []).map(({ instancePath, message }) => {
    const key = instancePath.slice(1).split('/').map(unescapedSegment).join('.');
    return `${key === '' ? 'config' : key}: ${message ?? 'is not valid'}`;
  });
  throw new ConfigError(problems.join('; '));
}

/** A configuration without credentials of services and without keys. */
function withoutSecrets(config: PlainObject): PlainObject {
  const shown: Record<string, Value> = { ...config };
  if (config.services !== undefined)
    shown.services = eachOf(config.services, (service) => withoutCredentials(without(service, ['credentials'])));
  if (config.keys !== undefined) shown.keys = eachOf(config.keys, (key) => without(key, ['key', 'private_key']));
  return shown;
}

/** Names of headers that carry secrets. */
const secretHeader = /authorization|cookie|token|secret|password|credential|(?:^|-)key$/i;

/** A service without the password of its URL and without headers that carry secrets. */
function withoutCredentials(service: PlainObject): PlainObject {
  const { url, headers } = service;
  const secret = isDocumentObject(headers) ? Object.keys(headers).filter((name) => secretHeader.test(name)) : [];
  return {
    ...service,
    ...(typeof url === 'string' && { url: url.replace(/^([a-z][a-z0-9+.-]*:\/\/)[^/?#@]*@/i, '$1') }),
    ...(secret.length > 0 && { headers: without(headers as PlainObject, secret) }),
  };
}

function without(object: PlainObject, keys: readonly string[]): PlainObject {
  return Object.fromEntries(Object.entries(object).filter(([key]) => !keys.includes(key)));
}

/** Changes each member of an object or an array that is an object. */
function eachOf(members: Value, change: (member: PlainObject) => PlainObject): Value {
  const changed = (member: Value) => (isDocumentObject(member) ? change(member) : member);
  if (Array.isArray(members)) return (members as Value[]).map(changed);
  if (!isDocumentObject(members)) return members;
  return Object.fromEntries(Object.entries(members).map(([name, member]) => [name, changed(member)]));
}
