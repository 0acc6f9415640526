/** Values of a configuration that are allowed, and that probably mean something else. */
import { isObject, type PlainObject, type Value } from '../../../values/index.js';

/** A value with its place: `services.main.url`. */
type Placed = readonly [place: string, value: Value];

/** Warnings that name the keys. They show no values that may be secrets. */
export function suspiciousValues(config: PlainObject): readonly string[] {
  return [...leaves(config)].flatMap(([place, value]) => {
    if (typeof value !== 'string') return [];
    return [unsetVariable(place, value), dottedPath(place, value), keyFile(place, value, config)].filter(
      (warning) => warning !== undefined,
    );
  });
}

function* leaves(value: Value, place = ''): Generator<Placed> {
  if (Array.isArray(value)) for (const [i, member] of value.entries()) yield* leaves(member as Value, `${place}[${i}]`);
  else if (value === null || !isObject(value)) yield [place, value];
  else
    for (const [key, member] of Object.entries(value as PlainObject))
      yield* leaves(member, place === '' ? key : `${place}.${key}`);
}

function unsetVariable(place: string, value: string): string | undefined {
  const name = /\$\{(\w+)\}/.exec(value)?.[1];
  return name === undefined ? undefined : `config key ${JSON.stringify(place)}: the variable ${name} is not set`;
}

/** The keys whose values are paths of decisions. */
const pathKeys =
  /^(?:default_(?:authorization_)?decision|plugins\.(?!file_logger).+\.path|decision_logs\.(?:mask|drop)_decision|plugins\.authzen\.search\.(?:subject|resource|action))$/;

function dottedPath(place: string, value: string): string | undefined {
  if (!pathKeys.test(place) || !/^[\w.]+\.[\w.]+$/.test(value)) return undefined;
  const meant = value.replace(/^data\./, '').replaceAll('.', '/');
  return `config key ${JSON.stringify(place)}: a path has slashes, did you mean ${JSON.stringify(meant)}?`;
}

/** A key is a text, and its file is given by `--set-file`. Those of HMAC may be any text. */
function keyFile(place: string, value: string, { keys }: PlainObject): string | undefined {
  const [, id, field] = /^keys\.([^.]+)\.(key|private_key)$/.exec(place) ?? [];
  if (id === undefined || value.includes('-----BEGIN')) return undefined;
  const { algorithm = 'RS256' } = (keys as PlainObject)[id] as PlainObject;
  if (String(algorithm).startsWith('HS')) return undefined;
  return `config key ${JSON.stringify(place)} is no key of PEM: give a file by --set-file keys.${id}.${field}=FILE`;
}
