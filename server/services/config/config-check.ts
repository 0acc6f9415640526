/** Checks a configuration against its schema. */
import { Ajv2020 } from 'ajv/dist/2020.js';
import { ExactNumber, isObject, type PlainObject, unescapedSegment, type Value } from '../../../values/index.js';
import { configSchema } from './config-schema.js';
import { ConfigError } from './config-section.js';
import type { Schema } from './schema.js';

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
export function checkConfigTypes(config: PlainObject): void {
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
export function unknownKeys(value: unknown, schema: Schema = configSchema, place = ''): readonly string[] {
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
