/** Parses globs as gobwas/glob has them, into the tree of a regular expression. */
import { anyCharacter, type CharRange, type CharSet, charSet, complement } from '../regex/charset.js';
import type { RegexNode } from '../regex/syntax.js';

/** A glob that does not parse; the message is the reference's. */
export class GlobError extends Error {}

const maxNesting = 100;
const maxLength = 10_000;

/** The tree of a glob; `*` and `?` do not match the separators. Throws a GlobError. */
export function parseGlob(pattern: string, separators: readonly string[]): RegexNode {
  if (pattern.length > maxLength) throw new GlobError(`pattern too long: more than ${maxLength} characters`);
  return new Parser(pattern, separators).parse();
}

/** The reason why a text is no glob; undefined for one. */
export function globFault(pattern: string): string | undefined {
  try {
    parseGlob(pattern, []);
    return undefined;
  } catch (error) {
    if (error instanceof GlobError) return error.message;
    throw error;
  }
}

class Parser {
  readonly #characters: readonly string[];
  readonly #notSeparator: CharSet;
  #i = 0;
  #depth = 0;

  constructor(pattern: string, separators: readonly string[]) {
    this.#characters = Array.from(pattern);
    this.#notSeparator = complement(charSet(separators.map(single)));
  }

  parse(): RegexNode {
    return this.#sequence();
  }

  get #next(): string | undefined {
    // The reference takes NUL for the end of the pattern.
    const c = this.#characters[this.#i];
    return c === '\0' ? undefined : c;
  }

  #sequence(): RegexNode {
    const nodes: RegexNode[] = [];
    for (let c = this.#next; c !== undefined; c = this.#next) {
      if (this.#depth > 0 && (c === ',' || c === '}')) break;
      this.#i++;
      if (c === '*') nodes.push(this.#any());
      else if (c === '?') nodes.push({ kind: 'set', set: this.#notSeparator });
      else if (c === '[') nodes.push(this.#range());
      else if (c === '{') nodes.push(this.#alternatives());
      else {
        this.#i--;
        for (const character of this.#text(this.#depth > 0 ? '?*[{},' : '?*[{'))
          nodes.push({ kind: 'set', set: [single(character)] });
      }
    }
    return { kind: 'concat', nodes };
  }

  #any(): RegexNode {
    const isSuper = this.#next === '*';
    if (isSuper) this.#i++;
    const set = isSuper ? anyCharacter : this.#notSeparator;
    return { kind: 'repeat', of: { kind: 'set', set }, min: 0, max: Number.POSITIVE_INFINITY, lazy: false };
  }

  /** Characters up to one of the breakers; after a backslash every character means itself. */
  #text(breakers: string): string[] {
    const text: string[] = [];
    for (let c = this.#next; c !== undefined && !breakers.includes(c); c = this.#next) {
      this.#i++;
      if (c !== '\\') {
        text.push(c);
        continue;
      }
      const escaped = this.#next;
      if (escaped === undefined) break;
      text.push(escaped);
      this.#i++;
    }
    return text;
  }

  /** An unclosed one ends with the pattern. */
  #alternatives(): RegexNode {
    if (++this.#depth > maxNesting) throw new GlobError('pattern nests too deeply');
    const first = this.#sequence();
    const nodes = [first];
    while (this.#next === ',') {
      this.#i++;
      nodes.push(this.#sequence());
    }
    if (this.#next === '}') this.#i++;
    this.#depth--;
    return { kind: 'group', index: 0, of: nodes.length === 1 ? first : { kind: 'alternate', nodes } };
  }

  /** One range, `[a-z]`, or a list of characters, `[ab-]`; either negated by `!`. */
  #range(): RegexNode {
    const isNegated = this.#next === '!';
    if (isNegated) this.#i++;
    const low = this.#next;
    if (low === undefined) throw new GlobError('unexpected end of input');
    const set = this.#characters[this.#i + 1] === '-' ? this.#bounds(low) : this.#list();
    return { kind: 'set', set: isNegated ? complement(set) : set };
  }

  #bounds(low: string): CharSet {
    this.#i += 2;
    const high = this.#next;
    if (high === undefined) throw new GlobError('unexpected end of input');
    this.#i++;
    this.#close();
    const range: CharRange = [single(low)[0], single(high)[1]];
    if (range[1] < range[0]) throw new GlobError(`hi character '${high}' should be greater than lo '${low}'`);
    return [range];
  }

  #list(): CharSet {
    const text = this.#text(']');
    this.#close();
    if (text.length === 0) throw new GlobError('could not parse range');
    return charSet(text.map(single));
  }

  #close(): void {
    if (this.#next === undefined) throw new GlobError('unexpected end of input');
    if (this.#next !== ']') throw new GlobError('expected close range character');
    this.#i++;
  }
}

/** The range of one character. */
function single(character: string): CharRange {
  const code = character.codePointAt(0)!;
  return [code, code];
}
