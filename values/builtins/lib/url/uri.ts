import type { ObjectValue, Value } from '../../../value.js';
import { BuiltinError } from '../../builtin-errors.js';
import { splitHost } from './authority.js';
import { UrlError } from './escape.js';
import { parseUrl } from './url.js';

/** Without empty parts. A path always comes with its raw form. */
export function parseUri(uri: string): ObjectValue {
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
export function isUri(uri: Value): boolean {
  if (typeof uri !== 'string' || uri === '') return false;
  try {
    parseUrl(uri);
    return true;
  } catch (error) {
    if (error instanceof UrlError) return false;
    throw error;
  }
}
