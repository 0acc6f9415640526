/** The engine's own document, without secrets. */
import { objectGet } from '../../../compare.js';
import { isArray, isObject, type ObjectValue, type PlainObject, type Value } from '../../../value.js';
import type { BuiltinContext } from '../../builtin-context.js';
import { BuiltinError } from '../../builtin-errors.js';

const shown = new WeakMap<object, ObjectValue>();

/**
 * The engine's document, its configuration without secrets. Remembered, since one document serves
 * all evaluations.
 */
export function runtime(context: BuiltinContext): ObjectValue {
  const document = context.runtime;
  if (!isObject(document)) return {};
  let clean = shown.get(document);
  if (clean === undefined) shown.set(document, (clean = withoutSecrets(document as PlainObject)));
  return clean;
}

function withoutSecrets(document: PlainObject): ObjectValue {
  const config = objectGet(document, 'config');
  if (config === undefined || !isObject(config)) return document;
  const clean: { [key: string]: Value } = { ...(config as PlainObject) };
  if (clean.services !== undefined && clean.services !== null)
    clean.services = withoutKeys(clean.services, 'service', ['credentials'], true);
  if (clean.keys !== undefined && clean.keys !== null)
    clean.keys = withoutKeys(clean.keys, 'keys', ['key', 'private_key'], false);
  return { ...document, config: clean };
}

function withoutKeys(part: Value, name: string, secrets: readonly string[], arrays: boolean): Value {
  const clean = (value: Value): Value => {
    if (!isObject(value)) throw new BuiltinError('type assertion error');
    return Object.fromEntries(Object.entries(value as PlainObject).filter(([key]) => !secrets.includes(key)));
  };
  if (arrays && isArray(part)) return part.map(clean);
  if (!isObject(part)) throw new BuiltinError(`illegal ${name} config type`);
  return Object.fromEntries(Object.entries(part as PlainObject).map(([key, value]) => [key, clean(value)]));
}
