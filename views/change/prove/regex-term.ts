/** Regular expressions as the solver has them: the forms without assertions inside. */
import { smtText } from './formulas.js';

const anything = '(re.* re.allchar)';

/** The texts in which a pattern is found; undefined for a form that is not known. */
export function regexTerm(pattern: string): string | undefined {
  const reader = new PatternReader(pattern);
  try {
    return reader.read();
  } catch (error) {
    if (error instanceof UnknownForm) return undefined;
    throw error;
  }
}

class UnknownForm extends Error {}

const classes: Readonly<Record<string, string>> = {
  d: '(re.range "0" "9")',
  w: '(re.union (re.range "0" "9") (re.range "a" "z") (re.range "A" "Z") (str.to_re "_"))',
  s: `(re.union (str.to_re " ") (re.range "\\u{9}" "\\u{a}") (re.range "\\u{c}" "\\u{d}"))`,
};

const controls: Readonly<Record<string, string>> = {
  a: '\\u{7}',
  t: '\\u{9}',
  n: '\\u{a}',
  v: '\\u{b}',
  f: '\\u{c}',
  r: '\\u{d}',
};

class PatternReader {
  readonly #characters: readonly string[];
  #at = 0;

  constructor(pattern: string) {
    this.#characters = [...pattern];
  }

  /** Each alternative at the top may have anchors of its own. */
  read(): string {
    const parts: string[] = [];
    do parts.push(this.#anchored());
    while (this.#takes('|'));
    if (this.#at < this.#characters.length) throw new UnknownForm();
    return joined('re.union', parts);
  }

  #anchored(): string {
    const isStart = this.#takes('^');
    const inner = this.#sequence();
    const isEnd = this.#takes('$');
    return joined('re.++', [...(isStart ? [] : [anything]), inner, ...(isEnd ? [] : [anything])]);
  }

  #alternatives(): string {
    const parts = [this.#sequence()];
    while (this.#takes('|')) parts.push(this.#sequence());
    return joined('re.union', parts);
  }

  #sequence(): string {
    const parts: string[] = [];
    for (let next = this.#next; next !== undefined && !'|)$'.includes(next); next = this.#next)
      parts.push(this.#repeated());
    return parts.length === 0 ? '(str.to_re "")' : joined('re.++', parts);
  }

  #repeated(): string {
    const inner = this.#single();
    if (this.#takes('*')) return this.#greedy(`(re.* ${inner})`);
    if (this.#takes('+')) return this.#greedy(`(re.+ ${inner})`);
    if (this.#takes('?')) return this.#greedy(`(re.opt ${inner})`);
    if (this.#next !== '{') return inner;
    const found = /^\{(\d+)(?:(,)(\d*))?\}/.exec(this.#characters.slice(this.#at).join(''));
    if (found === null) throw new UnknownForm();
    this.#at += found[0].length;
    const [, least, comma, most] = found as unknown as [string, string, string | undefined, string | undefined];
    if (Number(least) > 1000 || Number(most ?? 0) > 1000) throw new UnknownForm();
    if (comma === undefined) return this.#greedy(`((_ re.^ ${least}) ${inner})`);
    if (most === undefined || most === '') return this.#greedy(`(re.++ ((_ re.^ ${least}) ${inner}) (re.* ${inner}))`);
    if (Number(most) < Number(least)) throw new UnknownForm();
    return this.#greedy(`((_ re.loop ${least} ${most}) ${inner})`);
  }

  /** A lazy repetition finds the same texts. */
  #greedy(term: string): string {
    this.#takes('?');
    return term;
  }

  #single(): string {
    const character = this.#take();
    switch (character) {
      case '(': {
        if (this.#takes('?') && !this.#takes(':')) throw new UnknownForm();
        const inner = this.#alternatives();
        if (!this.#takes(')')) throw new UnknownForm();
        return inner;
      }
      case '[':
        return this.#class();
      case '.':
        return '(re.inter re.allchar (re.comp (str.to_re "\\u{a}")))';
      case '\\':
        return this.#escaped();
      case '^':
      case '*':
      case '+':
      case '?':
        throw new UnknownForm();
      default:
        return `(str.to_re ${smtText(character)})`;
    }
  }

  #escaped(): string {
    const character = this.#take();
    const known = classes[character.toLowerCase()];
    if (known !== undefined)
      return character === character.toLowerCase() ? known : `(re.inter re.allchar (re.comp ${known}))`;
    const control = controls[character];
    if (control !== undefined) return `(str.to_re "${control}")`;
    if (/[A-Za-z0-9]/.test(character)) throw new UnknownForm();
    return `(str.to_re ${smtText(character)})`;
  }

  #class(): string {
    const isNegated = this.#takes('^');
    const parts: string[] = [];
    for (let isFirst = true; isFirst || this.#next !== ']'; isFirst = false) {
      const from = this.#take();
      if (from === '[') throw new UnknownForm();
      if (from === '\\') {
        parts.push(this.#escaped());
        continue;
      }
      if (this.#next === '-' && this.#characters[this.#at + 1] !== ']') {
        this.#at++;
        const to = this.#take();
        if (to === '\\' || to < from) throw new UnknownForm();
        parts.push(`(re.range ${smtText(from)} ${smtText(to)})`);
      } else parts.push(`(str.to_re ${smtText(from)})`);
    }
    this.#at++;
    const all = joined('re.union', parts);
    return isNegated ? `(re.inter re.allchar (re.comp ${all}))` : all;
  }

  get #next(): string | undefined {
    return this.#characters[this.#at];
  }

  #take(): string {
    const character = this.#characters[this.#at++];
    if (character === undefined) throw new UnknownForm();
    return character;
  }

  #takes(character: string): boolean {
    if (this.#next !== character) return false;
    this.#at++;
    return true;
  }
}

function joined(operator: string, parts: readonly string[]): string {
  return parts.length === 1 ? parts[0]! : `(${operator} ${parts.join(' ')})`;
}
