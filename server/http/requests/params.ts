/** Query parameters, read as Go reads them. */

export class Params {
  readonly #values = new Map<string, string[]>();

  /** @param query the text behind the question mark */
  constructor(query: string) {
    if (query === '') return;
    for (const part of query.split('&')) {
      // Go ignores parameters with a semicolon, which once was a separator.
      if (part === '' || part.includes(';')) continue;
      const equals = part.indexOf('=');
      const name = unescaped(equals < 0 ? part : part.slice(0, equals));
      const value = unescaped(equals < 0 ? '' : part.slice(equals + 1));
      if (name === undefined || value === undefined) continue;
      const values = this.#values.get(name);
      if (values === undefined) this.#values.set(name, [value]);
      else values.push(value);
    }
  }

  has(name: string): boolean {
    return this.#values.has(name);
  }

  /** The last value of a parameter. */
  get(name: string): string | undefined {
    return this.#values.get(name)?.at(-1);
  }

  all(name: string): readonly string[] {
    return this.#values.get(name) ?? [];
  }

  /** Whether a switch is on: given without a value, or as `true` in any case. */
  on(name: string): boolean {
    const values = this.#values.get(name);
    if (values === undefined) return false;
    if (values.length === 1 && values[0] === '') return true;
    return values.some((value) => value.toLowerCase() === 'true');
  }

  entries(): Iterable<readonly [string, readonly string[]]> {
    return this.#values;
  }
}

/** Shared by all requests without a query. */
export const noParams = new Params('');

function unescaped(text: string): string | undefined {
  return percentDecoded(text.replaceAll('+', ' '));
}

/**
 * A text with its percent escapes decoded; undefined where an escape is malformed. Bytes that are
 * no UTF-8 become U+FFFD.
 */
export function percentDecoded(text: string): string | undefined {
  if (!text.includes('%')) return text;
  if (/%(?![0-9A-Fa-f]{2})/.test(text)) return undefined;
  try {
    return decodeURIComponent(text);
  } catch {
    const bytes = Buffer.from(text, 'utf8').toString('latin1');
    return Buffer.from(
      bytes.replace(/%(..)/g, (_, hex: string) => String.fromCharCode(Number.parseInt(hex, 16))),
      'latin1',
    ).toString('utf8');
  }
}
