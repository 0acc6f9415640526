/** The plugin `envoy_ext_authz_grpc` in a configuration. */
import { ConfigError, type ConfigSection } from '../../services/config/config-section.js';

/** Its names: the second is the older one. */
const envoyPlugins = ['envoy_ext_authz_grpc', 'envoy.ext_authz.grpc'] as const;

export interface EnvoyConfig {
  /** The plugin's name in the configuration, for its status. */
  readonly name: string;
  readonly addr: string;
  /** The decision, as it is written in the configuration. */
  readonly decision: { readonly path: string } | { readonly query: string };
  readonly dryRun: boolean;
  readonly reflection: boolean;
  /** A file with a FileDescriptorSet. */
  readonly protoDescriptor: string | undefined;
  readonly skipsBody: boolean;
  readonly mostReceived: number;
  readonly mostSent: number;
  /** Bounds of the histogram of durations in seconds; undefined where nothing is measured. */
  readonly buckets: readonly number[] | undefined;
}

export const envoyDefaults = {
  addr: ':9191',
  path: 'envoy/authz/allow',
  mostReceived: 4 * 1024 * 1024,
  mostSent: 2 ** 31 - 1,
} as const;

/** Upper bounds in seconds, which are the reference's. */
const defaultBuckets: readonly number[] = [1e-6, 5e-6, 1e-5, 5e-5, 1e-4, 5e-4, 1e-3, 3e-3, 5e-3, 0.1, 1];

/** Undefined where no check service is configured. Throws a ConfigError. */
export function parseEnvoy(config: ConfigSection): EnvoyConfig | undefined {
  const plugins = config.section('plugins');
  const [name, second] = envoyPlugins.filter((plugin) => plugins?.has(plugin) === true);
  if (second !== undefined)
    throw new ConfigError(`plugins: ${envoyPlugins[0]} and ${second} are names of one plugin, give only one`);
  const section = name && plugins?.section(name);
  return name === undefined || section === undefined ? undefined : parseSection(name, section);
}

function parseSection(name: string, section: ConfigSection): EnvoyConfig {
  const [path, query] = [section.string('path') ?? '', section.string('query') ?? ''];
  if (path !== '' && query !== '')
    throw new ConfigError(
      `plugins.${name}: invalid config: specify a value for only the "path" field, not for "query" too`,
    );
  const mostReceived = section.positive('grpc-max-recv-msg-size') ?? envoyDefaults.mostReceived;
  const mostSent = section.positive('grpc-max-send-msg-size') ?? envoyDefaults.mostSent;
  const buckets = section.numbers('grpc-request-duration-seconds-buckets') ?? defaultBuckets;
  if (buckets.some((bound, i) => bound <= (buckets[i - 1] ?? Number.NEGATIVE_INFINITY)))
    throw new ConfigError(`plugins.${name}.grpc-request-duration-seconds-buckets: must increase`);
  const descriptor = section.string('proto-descriptor') ?? '';
  return {
    name,
    addr: section.string('addr') || envoyDefaults.addr,
    decision: query === '' ? { path: path || envoyDefaults.path } : { query },
    dryRun: section.boolean('dry-run') ?? false,
    reflection: section.boolean('enable-reflection') ?? false,
    protoDescriptor: descriptor === '' ? undefined : descriptor,
    skipsBody: section.boolean('skip-request-body-parse') ?? false,
    mostReceived,
    mostSent,
    buckets: section.boolean('enable-performance-metrics') === true ? buckets : undefined,
  };
}
