/**
 * Names and values that the result of a policy adds to HTTP messages. A request can be part of
 * them, so they are checked before any gateway or guard sends them: a line that the policy did not
 * write would split the message.
 */

/** A token of RFC 9110. */
const token = /^[!#$%&'*+\-.^_`|~0-9A-Za-z]+$/;

/** Visible characters, blanks and tabs; other characters are sent in UTF-8. */
const noValue = /[\x00-\x08\x0a-\x1f\x7f]/;

/** Headers of the connection and of the length: another value makes another message of it. */
const reserved: ReadonlySet<string> = new Set([
  'connection',
  'content-length',
  'host',
  'http2-settings',
  'keep-alive',
  'proxy-connection',
  'te',
  'trailer',
  'transfer-encoding',
  'upgrade',
]);

/**
 * The pseudo-headers of a request that Envoy lets a check rewrite, and the values that leave the
 * host and the request line as they are: a blank ends the target, and `http://…` names a host.
 */
const rewritten: ReadonlyMap<string, RegExp> = new Map([
  [':path', /^(\/[^\x00-\x20\x7f#]*|\*)$/],
  [':method', token],
  [':scheme', /^https?$/],
]);

/** A message that a header is for. */
export type FieldTarget = 'request' | 'response';

/** The fault of a header's name; undefined for one that can be sent. */
export function nameProblem(name: string, target: FieldTarget): string | undefined {
  const lower = name.toLowerCase();
  if (reserved.has(lower)) return `header ${JSON.stringify(name)} belongs to the connection`;
  if (token.test(name) || (target === 'request' && rewritten.has(name))) return undefined;
  return `invalid header name ${JSON.stringify(name)}`;
}

/** The fault of a header's value; undefined for one that can be sent. */
export function valueProblem(name: string, value: string): string | undefined {
  const at = value.search(noValue);
  if (at < 0)
    return rewritten.get(name)?.test(value) === false
      ? `invalid value for header '${name}': ${JSON.stringify(value)}`
      : undefined;
  return `invalid value for header '${name}': the character ${JSON.stringify(value[at])} at ${at}`;
}

/** Characters that end a parameter, a query or a request line. */
const noParameter = /[\x00-\x20\x7f#&]/;

/** The fault of a query parameter's value; undefined for one that can be sent. */
export function parameterProblem(part: string): string | undefined {
  return foundIn(part, noParameter);
}

/** The fault of a query parameter's name: behind `=` its value would begin. */
export function parameterNameProblem(name: string): string | undefined {
  return foundIn(name, /[\x00-\x20\x7f#&=]/);
}

function foundIn(part: string, unsafe: RegExp): string | undefined {
  const found = unsafe.exec(part)?.[0];
  if (found === undefined) return undefined;
  return `invalid query parameter ${JSON.stringify(part)}: ${JSON.stringify(found)} must be escaped (urlquery.encode)`;
}
