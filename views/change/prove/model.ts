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
    const [a = 0, b = 1] = operands.map((operand) => Number(printedValue(operand)));
    if (operator === '-' && operands.length === 1 && typeof operands[0] === 'string') return negated(operands[0]);
    return operator === '-' ? -a : operator === '/' ? a / b : 0;
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

function negated(text: string): string | number {
  const value = numberOf(text);
  return typeof value === 'number' ? -value : `-${value}`;
}
