/** Reads and checks a configuration: the sections that need no HTTP listener. */
import { randomUUID } from 'node:crypto';
import { Ajv2020 } from 'ajv/dist/2020.js';
import { buildInfo, defaultDecision as mainDecision } from '../../../engine/index.js';
import type { PlainObject, Value } from '../../../values/index.js';
import { ExactNumber, isObject, parseYaml, typeName, unescapedSegment } from '../../../values/index.js';
import { fileLoggerPlugin } from '../decision-log/file/file-config.js';
import { type MetricsExportConfig, parseMetricsExport } from '../metrics-export/metrics-export-config.js';
import { parseTracing, type TracingConfig } from '../tracing/tracing-config.js';
import { configSchema } from './config-schema.js';
import { ConfigError, ConfigSection, decisionPath } from './config-section.js';
import { withEnvironment } from './environment-variables.js';
import { type PluginsConfig, parsePlugins } from './plugins-config.js';
import type { Schema } from './schema.js';
import { withoutSecrets } from './secrets.js';
import { suspiciousValues } from './suspicious-values.js';

/** A checked configuration. */
export interface ServiceConfig {
  /** The configuration as it was written, with its secrets. */
  readonly source: PlainObject;
  readonly plugins: PluginsConfig;
  /** The configured labels, with `id` and `version`. */
  readonly labels: { readonly [label: string]: string };
  /** The configuration without secrets, as `opa.runtime().config` shows it. */
  readonly runtime: PlainObject;
  /** The path of the default decision, in segments. */
  readonly defaultDecision: readonly string[];
  /** The path of the default decision as it was written. */
  readonly defaultDecisionText: string;
  /** Undefined where nothing is traced. */
  readonly tracing: TracingConfig | undefined;
  /** Undefined where no metrics are sent. */
  readonly metricsExport: MetricsExportConfig | undefined;
  /** Undefined where the configuration has none. */
  readonly yamlVersion: string | undefined;
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
  const sections = ['caching'].filter((key) => root.has(key));
  if (root.section('server')?.has('logger_plugin') === true) sections.push('server.logger_plugin');
  const spans = root.section('distributed_tracing')?.section('batch_span_processor_options');
  // Spans are dropped where the queue is full: nothing waits for a collector.
  return spans?.boolean('blocking') === true
    ? [...sections, 'distributed_tracing.batch_span_processor_options.blocking']
    : sections;
}

/** Keys that a program without a server shares with one. */
function servedKeys(root: ConfigSection): readonly string[] {
  const plugins = root.section('plugins')?.sections() ?? [];
  const gateways = plugins.filter(([name]) => name !== fileLoggerPlugin);
  return [...gateways.map(([name]) => `plugins.${name}`), ...(root.has('storage') ? ['storage'] : [])];
}

/** The warning about a key that changes nothing. */
export function effectlessWarning(key: string): string {
  return `config key ${JSON.stringify(key)} has no effect in this release`;
}

/** `1.1` without quotes is a number. */
function yamlVersionOf(root: ConfigSection): string | undefined {
  const version = root.section('server')?.value('yaml_version');
  return version === undefined ? undefined : String(version);
}

/**
 * Checks a configuration. Throws a ConfigError that names the key.
 * @param id of this process or engine, where it has one
 * @param isServer whether the caller reads `plugins` and `storage` itself
 */
export function readServiceConfig(config: PlainObject, id: string = randomUUID(), isServer = false): ServiceConfig {
  checkConfigTypes(config);
  const root = new ConfigSection(config, '');
  const defaultDecision = root.string('default_decision') ?? mainDecision;
  return {
    source: config,
    plugins: parsePlugins(config),
    labels: { ...(config.labels as { [label: string]: string } | undefined), id, version: buildInfo.version },
    runtime: withoutSecrets(config),
    defaultDecision: decisionPath(defaultDecision, 'invalid default_decision'),
    defaultDecisionText: defaultDecision,
    tracing: parseTracing(root),
    metricsExport: parseMetricsExport(root),
    yamlVersion: yamlVersionOf(root),
    warnings: [
      ...unknownKeys(config).map((key) => `config key ${JSON.stringify(key)} is unknown and has no effect`),
      ...effectlessIn(root).map(effectlessWarning),
      ...suspiciousValues(config),
      ...(isServer ? [] : servedKeys(root)).map(
        (key) => `config key ${JSON.stringify(key)} has no effect here: a server reads it ("writ run")`,
      ),
    ],
  };
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

/**
 * Throws a ConfigError that names the keys of values with a wrong type. Schemas of sections that
 * are absent are left out: compiling all of them would be most of the start of `exec`.
 */
function checkConfigTypes(config: PlainObject): void {
  const given = plain(config) as object;
  const sections = Object.entries(configSchema.properties ?? {}).filter(([key]) => Object.hasOwn(given, key));
  if (sections.length === 0) return;
  const schema = { ...configSchema, properties: Object.fromEntries(sections) };
  // The check runs once: optimizing its code would take longer than running it.
  const ajv = new Ajv2020({
    allErrors: true,
    strictTypes: false,
    meta: false,
    validateSchema: false,
    code: { optimize: false },
  });
  if (ajv.validate(schema, given)) return;
  const problems = (ajv.errors ?? []).map(({ instancePath, message }) => {
    const key = instancePath.slice(1).split('/').map(unescapedSegment).join('.');
    return `${key === '' ? 'config' : key}: ${message ?? 'is not valid'}`;
  });
  throw new ConfigError(problems.join('; '));
}

/** The keys of a configuration that the schema does not have, as paths: `bundles.main.persists`. */
function unknownKeys(value: unknown, schema: Schema = configSchema, place = ''): readonly string[] {
  if (typeof value !== 'object' || value === null) return [];
  if (Array.isArray(value)) {
    const { items } = schema;
    return items === undefined ? [] : value.flatMap((member, i) => unknownKeys(member, items, `${place}[${i}]`));
  }
  const { properties, additionalProperties } = schema;
  if (properties === undefined && additionalProperties === undefined) return [];
  return Object.entries(value).flatMap(([key, member]) => {
    const at = place === '' ? key : `${place}.${key}`;
    const own = properties !== undefined && Object.hasOwn(properties, key) ? properties[key] : additionalProperties;
    return own === undefined ? [at] : unknownKeys(member, own, at);
  });
}
