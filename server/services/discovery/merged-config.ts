/**
 * The configuration of the start and the discovered one as one. Where both have a value, that of
 * the start counts.
 */
import { isDocumentObject } from '../../../runtime/index.js';
import { type PlainObject, toJson, type Value } from '../../../values/index.js';
import { ConfigError } from '../config/config-section.js';

interface Merged {
  readonly config: PlainObject;
  /** The keys of discovered values without effect: `labels.region`. */
  readonly overridden: readonly string[];
}

/**
 * Merges both. A discovered section `discovery` has no effect. Throws a ConfigError for discovered
 * services and keys that differ from those of the start.
 */
export function mergedConfig(boot: PlainObject, discovered: PlainObject): Merged {
  const { discovery, ...others } = discovered;
  const [first, second] = [withServicesByName(boot), withServicesByName(others)];
  checkSame(first, second, 'services', 'updates to the service %s, which the start has configured, are not allowed');
  checkSame(first, second, 'keys', 'updates to the key %s, which the start has configured, are not allowed');
  const overridden =
    discovery === undefined || toJson(discovery) === toJson(boot.discovery ?? null) ? [] : ['discovery'];
  return { config: merge(first, second, '', overridden), overridden };
}

function withServicesByName(config: PlainObject): PlainObject {
  return { ...config, ...(config.services && { services: byName(config.services) }) };
}

/** Services in a list, as a map. */
function byName(services: Value): Value {
  if (!Array.isArray(services)) return services;
  const named = (services as readonly Value[]).filter(isDocumentObject);
  return Object.fromEntries(named.map((service) => [String(service.name ?? ''), service]));
}

function checkSame(boot: PlainObject, discovered: PlainObject, section: 'services' | 'keys', complaint: string): void {
  const [before, after] = [boot[section], discovered[section]];
  if (!isDocumentObject(before) || !isDocumentObject(after)) return;
  for (const [name, value] of Object.entries(after)) {
    const known = Object.hasOwn(before, name) ? before[name] : undefined;
    if (known !== undefined && toJson(known) !== toJson(value))
      throw new ConfigError(complaint.replace('%s', JSON.stringify(name)));
  }
}

function merge(boot: PlainObject, discovered: PlainObject, place: string, overridden: string[]): PlainObject {
  const merged = new Map(Object.entries(discovered));
  for (const [key, value] of Object.entries(boot)) {
    const other = merged.get(key);
    if (isDocumentObject(value) && isDocumentObject(other))
      merged.set(key, merge(value, other, `${place}${key}.`, overridden));
    else {
      if (other !== undefined && toJson(other) !== toJson(value)) overridden.push(place + key);
      merged.set(key, value);
    }
  }
  return Object.fromEntries(merged);
}
