/** The messages of a rule → issues of Standard Schema. */

export interface Issue {
  readonly message: string;
  /** The keys that lead to the member of the value. */
  readonly path?: readonly (string | number)[] | undefined;
}

/** Throws a TypeError for what is no message. */
export function issuesOf(messages: unknown): readonly Issue[] {
  return messages === undefined || messages === null ? [] : collected(messages, []);
}

function collected(messages: unknown, path: readonly (string | number)[]): readonly Issue[] {
  if (typeof messages === 'string') return [issue(messages, path)];
  if (Array.isArray(messages)) return messages.map((one) => issueOf(one, path));
  if (typeof messages !== 'object' || messages === null) throw notMessages(messages);
  return Object.entries(messages).flatMap(([key, inner]) => collected(inner, [...path, key]));
}

function issueOf(given: unknown, path: readonly (string | number)[]): Issue {
  if (typeof given === 'string') return issue(given, path);
  const { message, msg = message, path: own } = (given ?? {}) as { readonly [member: string]: unknown };
  if (typeof msg !== 'string') throw notMessages(given);
  return issue(msg, [...path, ...keysOf(own)]);
}

function issue(message: string, path: readonly (string | number)[]): Issue {
  return path.length === 0 ? { message } : { message, path };
}

/** Keys as a list, or as a text with dots or slashes; digits in a text are places in a list. */
function keysOf(path: unknown): readonly (string | number)[] {
  if (path === undefined) return [];
  if (Array.isArray(path) && path.every((key) => typeof key === 'string' || typeof key === 'number')) return path;
  if (typeof path !== 'string')
    throw new TypeError(`the path of a message is no list of keys and no text: ${JSON.stringify(path)}`);
  const keys = path.startsWith('/')
    ? path
        .slice(1)
        .split('/')
        .map((key) => key.replaceAll('~1', '/').replaceAll('~0', '~'))
    : path.split('.');
  return keys.filter((key) => key !== '').map((key) => (/^\d+$/.test(key) ? Number(key) : key));
}

function notMessages(value: unknown): TypeError {
  return new TypeError(`a rule of messages gives texts, or objects with a message, not ${JSON.stringify(value)}`);
}
