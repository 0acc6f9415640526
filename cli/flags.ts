/** The flags of a command: one table for the parser, the help, the environment and the tests. */

/** The type of a flag's value. A list of words: one of them. `strings`: separated by commas. */
type FlagType = 'bool' | 'string' | 'int' | 'float' | 'duration' | 'strings' | readonly string[];

export interface Flag {
  readonly name: string;
  readonly short?: string;
  readonly type: FlagType;
  /** Words that a list of words has besides the reference's. */
  readonly ownWords?: readonly string[];
  readonly usage: string;
  /** The heading in the help; undefined: `Flags`. */
  readonly group?: string;
  /** The value of a flag that is given without one: others follow `=`. */
  readonly bare?: string;
  /** Shown in the help if it is not the type's zero value. */
  readonly default?: string;
  /** May be given several times. */
  readonly repeated?: true;
  /** Accepted without effect: the notice to print. */
  readonly ignored?: string;
  /** Rejected: the reason. */
  readonly refused?: string;
}

/** The same flags under a heading of the help. */
export function group(heading: string, ...flags: readonly Flag[]): readonly Flag[] {
  return flags.map((flag) => ({ ...flag, group: heading }));
}

/** The values of flags, by name; absent if not given. Durations are in milliseconds. */
export class FlagValues {
  readonly #values: ReadonlyMap<string, readonly FlagValue[]>;

  constructor(values: ReadonlyMap<string, readonly FlagValue[]>) {
    this.#values = values;
  }

  has(name: string): boolean {
    return this.#values.has(name);
  }

  /** Whether a boolean flag is on. */
  on(name: string, otherwise = false): boolean {
    return (this.#values.get(name)?.at(-1) ?? otherwise) === true;
  }

  text(name: string): string | undefined {
    const value = this.#values.get(name)?.at(-1);
    return value === undefined ? undefined : String(value);
  }

  number(name: string): number | undefined {
    const value = this.#values.get(name)?.at(-1);
    return typeof value === 'number' ? value : undefined;
  }

  all(name: string): readonly string[] {
    return (this.#values.get(name) ?? []).map(String);
  }
}

export type FlagValue = string | number | boolean;

/** Throws an Error with the reference's words for an invalid value. */
export function parseFlagValue(
  { type, ownWords = [] }: Pick<Flag, 'type' | 'ownWords'>,
  text: string,
): readonly FlagValue[] {
  switch (type) {
    case 'string':
      return [text];
    case 'strings':
      return text === '' ? [] : text.split(',');
    case 'bool':
      return [parseBool(text)];
    case 'int':
      return [parseInteger(text)];
    case 'float':
      return [parseFloat64(text)];
    case 'duration':
      return [parseDuration(text)];
    default:
      if (!type.includes(text) && !ownWords.includes(text))
        throw new Error(`must be one of {${type.join(',')}}${ownWords.length > 0 ? ` or ${ownWords.join(', ')}` : ''}`);
      return [text];
  }
}

function parseBool(text: string): boolean {
  if (/^(?:1|t|T|true|TRUE|True)$/.test(text)) return true;
  if (/^(?:0|f|F|false|FALSE|False)$/.test(text)) return false;
  throw new Error(`strconv.ParseBool: parsing ${JSON.stringify(text)}: invalid syntax`);
}

function parseInteger(text: string): number {
  const plain = text.replaceAll('_', '');
  if (!/^[+-]?(?:0[xX][0-9a-fA-F]+|0[bB][01]+|0[oO]?[0-7]+|0|[1-9][0-9]*)$/.test(plain))
    throw new Error(`strconv.ParseInt: parsing ${JSON.stringify(text)}: invalid syntax`);
  const value = Number(plain.replace(/^[+-]/, '').replace(/^0(?=[0-7])/, '0o'));
  if (!Number.isSafeInteger(value))
    throw new Error(`strconv.ParseInt: parsing ${JSON.stringify(text)}: value out of range`);
  return plain.startsWith('-') ? -value : value;
}

function parseFloat64(text: string): number {
  if (/^[+-]?(?:\d+\.?\d*|\.\d+)(?:[eE][+-]?\d+)?$/.test(text)) return Number(text);
  throw new Error(`strconv.ParseFloat: parsing ${JSON.stringify(text)}: invalid syntax`);
}

const milliseconds: ReadonlyMap<string, number> = new Map([
  ['ns', 1e-6],
  ['us', 1e-3],
  ['µs', 1e-3],
  ['μs', 1e-3],
  ['ms', 1],
  ['s', 1000],
  ['m', 60_000],
  ['h', 3_600_000],
]);

/** Parses `1h2m3.5s` to milliseconds. */
function parseDuration(text: string): number {
  const shown = JSON.stringify(text);
  const sign = /^[+-]/.exec(text)?.[0] ?? '';
  let rest = text.slice(sign.length);
  if (rest === '0') return 0;
  if (rest === '') throw new Error(`time: invalid duration ${shown}`);
  let total = 0;
  while (rest !== '') {
    const part = /^(\d+\.?\d*|\.\d+)([^\d.]*)/.exec(rest);
    if (part === null) throw new Error(`time: invalid duration ${shown}`);
    const [whole, count, name = ''] = part;
    if (name === '') throw new Error(`time: missing unit in duration ${shown}`);
    const unit = milliseconds.get(name);
    if (unit === undefined) throw new Error(`time: unknown unit ${JSON.stringify(name)} in duration ${shown}`);
    total += Number(count) * unit;
    rest = rest.slice(whole.length);
  }
  return sign === '-' ? -total : total;
}
