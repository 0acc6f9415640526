/** Variables of the environment in configurations. */
import { isDocumentObject } from '../../../runtime/index.js';
import type { PlainObject, Value } from '../../../values/index.js';

type Environment = Readonly<Record<string, string | undefined>>;

/**
 * A text with `${NAME}` replaced by the variable of the environment. Without it the text stays:
 * something later may replace it.
 */
export function withEnvironment(text: string, env: Environment): string {
  return text.replace(
    /\$\{(.*?)\}/g,
    (written: string, name: string) => (Object.hasOwn(env, name) ? env[name] : undefined) ?? written,
  );
}

/** A copy of an object of JSON whose keys and texts have `${NAME}` replaced, at any depth. */
export function objectWithEnvironment(object: PlainObject, env: Environment): PlainObject {
  return Object.fromEntries(
    Object.entries(object).map(([key, value]) => [withEnvironment(key, env), valueWithEnvironment(value, env)]),
  );
}

function valueWithEnvironment(value: Value, env: Environment): Value {
  if (typeof value === 'string') return withEnvironment(value, env);
  if (Array.isArray(value)) return value.map((item: Value) => valueWithEnvironment(item, env));
  return isDocumentObject(value) ? objectWithEnvironment(value, env) : value;
}
