/** URLs of bundles on the command line: `writ run --server https://example.com/bundle.tar.gz`. */
import type { VerificationConfig } from '../../engine/index.js';
import type { PlainObject, Value } from '../../values/index.js';

interface GivenPaths {
  /** The configuration with a service and a saved bundle, both `cli1` …, for each URL. */
  readonly config: PlainObject;
  /** Paths that are no URLs. */
  readonly paths: readonly string[];
}

/** The id of the key that the command line gives, in the configuration. */
const keyId = '--verification-key';

/** @param verification of the command line: such bundles must be signed as those of paths */
export function withRemoteBundles(
  config: PlainObject,
  given: readonly string[],
  verification: VerificationConfig | undefined,
): GivenPaths {
  const urls = given.filter((path) => /^https?:\/\//.test(path)).map((path) => new URL(path));
  if (urls.length === 0) return { config, paths: given };
  const named = urls.map((url, i) => [`cli${i + 1}`, url] as const);
  const origins = named.map(([name, { origin }]): [string, Value] => [name, { name, url: origin }]);
  const { keys = {}, scope = '', exclude = [] } = verification ?? {};
  const signing: PlainObject =
    verification === undefined ? {} : { signing: { keyid: keyId, scope, exclude_files: [...exclude] } };
  const bundles = named.map(([name, url]): [string, Value] => [
    name,
    { service: name, resource: `${url.pathname}${url.search}`, persist: true, ...signing },
  ]);
  const services = Array.isArray(config.services)
    ? [...(config.services as Value[]), ...origins.map(([, service]) => service)]
    : { ...(config.services as PlainObject | undefined), ...Object.fromEntries(origins) };
  const [key] = Object.values(keys);
  const ownKeys =
    key === undefined
      ? {}
      : { keys: { ...(config.keys as PlainObject | undefined), [keyId]: { ...key } as PlainObject } };
  return {
    config: {
      ...config,
      ...ownKeys,
      services,
      bundles: { ...(config.bundles as PlainObject | undefined), ...Object.fromEntries(bundles) },
    },
    paths: given.filter((path) => !/^https?:\/\//.test(path)),
  };
}
