/** Values of `content-type` and `content-disposition`. */
import { CheckRequestError } from './request-error.js';

interface MediaType {
  /** In lower case. */
  readonly type: string;
  /** Parameters by name in lower case. */
  readonly parameters: ReadonlyMap<string, string>;
}

const token = /^[!#$%&'*+\-.^_`|~0-9A-Za-z]+/;
const parameter = /^\s*;\s*([!#$%&'*+\-.^_`|~0-9A-Za-z]+)\s*=\s*(?:"((?:[^"\\]|\\.)*)"|([!#$%&'*+\-.^_`|~0-9A-Za-z]+))/;

/** Throws a RequestError. */
export function parseMediaType(text: string): MediaType {
  const end = text.indexOf(';');
  const type = (end < 0 ? text : text.slice(0, end)).trim().toLowerCase();
  if (type === '') throw new CheckRequestError('mime: no media type');
  if (type.split('/').some((part) => token.exec(part)?.[0] !== part))
    throw new CheckRequestError('mime: unexpected content after media subtype');
  const parameters = new Map<string, string>();
  let rest = end < 0 ? '' : text.slice(end);
  while (rest.trim() !== '' && rest.trim() !== ';') {
    const found = parameter.exec(rest);
    if (found === null) throw new CheckRequestError('mime: invalid media parameter');
    const [whole, name = '', quoted = '', plain] = found;
    const key = name.toLowerCase();
    const value = plain ?? quoted.replace(/\\(.)/g, '$1');
    if (parameters.has(key) && parameters.get(key) !== value)
      throw new CheckRequestError('mime: duplicate parameter name');
    parameters.set(key, value);
    rest = rest.slice(whole.length);
  }
  return { type, parameters };
}
