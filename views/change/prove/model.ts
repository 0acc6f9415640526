/** The values of a solver's variables, as it prints them. */

/** The values of the variables, by their names. */
export type Model = ReadonlyMap<string, string | number>;

/** Reads `sat` and the pairs behind it. */
export function modelOf(said: string): Model {
  const model = new Map<string, string | number>();
  const reader = new Reader(said.slice(said.indexOf('(')));
  for (const pair of reader.list()) {
    if (!Array.isArray(pair)) continue;
    const [name, value] = pair as [string, Printed];
    model.set(name, printedValue(value));
  }
  return model;
}

type Printed = string | readonly Printed[];

class Reader {
  readonly #tokens: readonly string[];
  #at = 0;

  constructor(text: string) {
    this.#tokens = text.match(/"(?:[^"]|"")*"|[()]|[^\s()]+/g) ?? [];
  }

  list(): readonly Printed[] {
    const items: Printed[] = [];
    if (this.#tokens[this.#at++] !== '(') return items;
    while (this.#at < this.#tokens.length && this.#tokens[this.#at] !== ')')
      items.push(this.#tokens[this.#at] === '(' ? this.list() : this.#tokens[this.#at++]!);
    this.#at++;
    return items;
  }
}

function printedValue(printed: Printed): string | number {
  if (typeof printed !== 'string') {
    const [operator, ...operands] = printed;
    const [a = '0', b = '1'] = operands.map((operand) => String(printedValue(operand)));
    if (operator === '-') return negated(a);
    return operator === '/' ? quotientOf(a, b) : 0;
  }
  if (printed === 'true' || printed === 'false') return printed === 'true' ? 1 : 0;
  if (!printed.startsWith('"')) return numberOf(printed);
  return printed
    .slice(1, -1)
    .replaceAll('""', '"')
    .replace(/\\u\{([0-9a-fA-F]+)\}|\\u([0-9a-fA-F]{4})/g, (_, braced: string, plain: string) =>
      String.fromCodePoint(Number.parseInt(braced ?? plain, 16)),
    );
}

/** A number, as text where a double would lose digits of it. */
function numberOf(text: string): string | number {
  const integer = text.endsWith('.0') ? text.slice(0, -2) : text;
  return /^\d{16,}$/.test(integer) ? integer : Number(text);
}

/** Digits behind the point of a quotient: more than the seconds of a clock have. */
const digitsOfQuotient = 20;

/** The digits of a quotient of two whole numbers. */
function quotientOf(a: string, b: string): string | number {
  const [own, divisor] = [a, b].map((text) => (/^-?\d+$/.test(text) ? BigInt(text) : undefined));
  if (own === undefined || divisor === undefined || divisor === 0n) return Number(a) / Number(b);
  const scaled = ((own < 0n ? -own : own) * 10n ** BigInt(digitsOfQuotient)) / divisor;
  const digits = String(scaled).padStart(digitsOfQuotient + 1, '0');
  const text = `${digits.slice(0, -digitsOfQuotient)}.${digits.slice(-digitsOfQuotient)}`.replace(/\.?0+$/, '');
  return own < 0n ? `-${text}` : text;
}

function negated(text: string): string | number {
  const value = numberOf(text);
  return typeof value === 'number' ? -value : `-${value}`;
}
