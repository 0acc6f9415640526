/** `uri.parse` and `uri.is_valid`. */
import { boolean, object, string } from '../../values/type.js';
import type { ObjectValue, Value } from '../../values/value.js';
import { arg, type Builtin, builtin } from '../builtin.js';
import { linear } from '../cost.js';
import { BuiltinError } from '../errors.js';
import { splitHost } from '../lib/url/authority.js';
import { UrlError } from '../lib/url/escape.js';
import { parseUrl } from '../lib/url/url.js';

// biome-ignore format: a table
export const uri: readonly Builtin[] = [
  builtin('uri.parse', [arg('uri', string)], object(string, string), parse, { cost: linear(10) }),
  builtin('uri.is_valid', [arg('uri', string)], boolean, isValid, { checksOperands: true, cost: linear(10) }),
];

/** Only the parts that are there; with a path always its raw form. */
function parse(uri: string): ObjectValue {
  try {
    const { scheme, host, path, rawPath, rawQuery, fragment } = parseUrl(uri);
    const { hostname, port } = splitHost(host);
    const parts: [string, string][] = [
      ['scheme', scheme],
      ['hostname', hostname],
      ['port', port],
      ['path', path],
      ['raw_path', rawPath || path],
      ['raw_query', rawQuery],
      ['fragment', fragment],
    ];
    return Object.fromEntries(parts.filter(([, value]) => value !== ''));
  } catch (error) {
    if (error instanceof UrlError) throw new BuiltinError(error.message);
    throw error;
  }
}

/** An empty string is not. */
function isValid(uri: Value): boolean {
  if (typeof uri !== 'string' || uri === '') return false;
  try {
    parseUrl(uri);
    return true;
  } catch (error) {
    if (error instanceof UrlError) return false;
    throw error;
  }
}
