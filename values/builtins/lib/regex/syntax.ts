/**
 * The plain part of RE2's syntax, as a tree: patterns that mean the same to a RegExp, with all
 * classes spelled out. A pattern with anything else, or with an error, is left to RE2 itself.
 */

import { StacklessError } from '../../../stackless-error.js';
import type { CharRange, CharSet } from './charset.js';
import { anyCharacter, charSet, complement, digits, foldAscii, isAsciiOrComplement, spaces, words } from './charset.js';

export type RegexNode =
  | { readonly kind: 'set'; readonly set: CharSet }
  | { readonly kind: 'concat'; readonly nodes: readonly RegexNode[] }
  | { readonly kind: 'alternate'; readonly nodes: readonly RegexNode[] }
  | {
      readonly kind: 'repeat';
      readonly of: RegexNode;
      readonly min: number;
      readonly max: number;
      readonly lazy: boolean;
    }
  | { readonly kind: 'group'; readonly of: RegexNode; readonly index: number }
  | { readonly kind: 'assert'; readonly what: 'start' | 'end' | 'word' | 'notWord' };

interface ParsedRegex {
  readonly node: RegexNode;
  /** Names of the groups, by index; the whole match is 0. */
  readonly names: readonly string[];
}

/** Thrown within this file where a pattern is not plain. */
class NotPlain extends StacklessError {}

const maxNesting = 100;
/** Go allows 1000; repeats multiply when they nest, which is RE2's to count. */
const maxRepeat = 100;

/** The tree of a plain pattern, undefined for all others. */
export function parsePlainRegex(pattern: string): ParsedRegex | undefined {
  if (pattern.length > 1000) return undefined;
  try {
    return new Parser(pattern).parse();
  } catch (error) {
    if (error instanceof NotPlain) return undefined;
    throw error;
  }
}

const escapedLiteral = /[!-/:-@[-`{-~]/;
const controls: { readonly [letter: string]: number } = { a: 7, f: 12, t: 9, n: 10, r: 13, v: 11 };
const perl: { readonly [letter: string]: CharSet } = { d: digits, s: spaces, w: words };

class Parser {
  readonly #characters: readonly string[];
  readonly #names: string[] = [''];
  #i = 0;
  #fold = false;
  #dotAll = false;
  #depth = 0;

  constructor(pattern: string) {
    this.#characters = Array.from(pattern);
  }

  parse(): ParsedRegex {
    this.#flags();
    const node = this.#alternate();
    if (this.#i < this.#characters.length) throw new NotPlain();
    return { node, names: this.#names };
  }

  get #next(): string | undefined {
    return this.#characters[this.#i];
  }

  #take(): string {
    const c = this.#characters[this.#i++];
    if (c === undefined) throw new NotPlain();
    return c;
  }

  #eat(text: string): boolean {
    for (let i = 0; i < text.length; i++) if (this.#characters[this.#i + i] !== text[i]) return false;
    this.#i += text.length;
    return true;
  }

  /** Flags are supported only for the whole pattern. */
  #flags(): void {
    if (this.#eat('(?i)')) this.#fold = true;
    else if (this.#eat('(?s)')) this.#dotAll = true;
    else if (this.#eat('(?is)') || this.#eat('(?si)')) this.#fold = this.#dotAll = true;
  }

  #alternate(): RegexNode {
    if (++this.#depth > maxNesting) throw new NotPlain();
    const first = this.#concat();
    const nodes = [first];
    while (this.#eat('|')) nodes.push(this.#concat());
    this.#depth--;
    return nodes.length === 1 ? first : { kind: 'alternate', nodes };
  }

  #concat(): RegexNode {
    const nodes: RegexNode[] = [];
    while (this.#next !== undefined && this.#next !== '|' && this.#next !== ')') nodes.push(this.#repeat(this.#atom()));
    const [first, ...others] = nodes;
    return first !== undefined && others.length === 0 ? first : { kind: 'concat', nodes };
  }

  #repeat(of: RegexNode): RegexNode {
    const bounds = this.#bounds();
    if (bounds === undefined) return of;
    if (of.kind === 'assert') throw new NotPlain();
    const lazy = this.#eat('?');
    if (this.#next !== undefined && '*+?{'.includes(this.#next)) throw new NotPlain();
    return { kind: 'repeat', of, min: bounds[0], max: bounds[1], lazy };
  }

  #bounds(): [number, number] | undefined {
    if (this.#eat('*')) return [0, Number.POSITIVE_INFINITY];
    if (this.#eat('+')) return [1, Number.POSITIVE_INFINITY];
    if (this.#eat('?')) return [0, 1];
    if (this.#next !== '{') return undefined;
    const close = this.#characters.indexOf('}', this.#i);
    const found = /^\{(\d{1,4})(,(\d{0,4}))?$/.exec(this.#characters.slice(this.#i, close).join(''));
    if (close < 0 || found === null) throw new NotPlain();
    const min = Number(found[1]);
    const max = found[2] === undefined ? min : found[3] === '' ? Number.POSITIVE_INFINITY : Number(found[3]);
    if (min > max || min > maxRepeat || (max > maxRepeat && max !== Number.POSITIVE_INFINITY)) throw new NotPlain();
    this.#i = close + 1;
    return [min, max];
  }

  #atom(): RegexNode {
    const c = this.#take();
    switch (c) {
      case '^':
        return { kind: 'assert', what: 'start' };
      case '$':
        return { kind: 'assert', what: 'end' };
      case '.':
        return { kind: 'set', set: this.#dotAll ? anyCharacter : complement([[10, 10]]) };
      case '[':
        return { kind: 'set', set: this.#class() };
      case '(':
        return this.#group();
      case '\\':
        return this.#escape();
      case '*':
      case '+':
      case '?':
      case '{':
        throw new NotPlain();
      default:
        return this.#set([[codeOf(c), codeOf(c)]]);
    }
  }

  #set(set: CharSet): RegexNode {
    return { kind: 'set', set: this.#folded(set) };
  }

  #folded(set: CharSet): CharSet {
    if (!this.#fold) return set;
    if (!isAsciiOrComplement(set)) throw new NotPlain();
    return foldAscii(set);
  }

  #group(): RegexNode {
    let index = 0;
    if (this.#eat('?')) {
      if (!this.#eat(':')) index = this.#named();
    } else index = this.#names.push('') - 1;
    const of = this.#alternate();
    if (!this.#eat(')')) throw new NotPlain();
    return { kind: 'group', of, index };
  }

  #named(): number {
    if (!this.#eat('P<') && !this.#eat('<')) throw new NotPlain();
    let name = '';
    for (let c = this.#take(); c !== '>'; c = this.#take()) name += c;
    if (!/^\w+$/.test(name)) throw new NotPlain();
    return this.#names.push(name) - 1;
  }

  #escape(): RegexNode {
    const c = this.#take();
    if (c === 'A') return { kind: 'assert', what: 'start' };
    if (c === 'z') return { kind: 'assert', what: 'end' };
    if (c === 'b') return { kind: 'assert', what: 'word' };
    if (c === 'B') return { kind: 'assert', what: 'notWord' };
    const set = perlClass(c, this.#fold);
    if (set !== undefined) return { kind: 'set', set };
    return this.#set([[this.#escapedCode(c), this.#escapedCode(c)]]);
  }

  #escapedCode(c: string): number {
    if (escapedLiteral.test(c)) return c.charCodeAt(0);
    const control = controls[c];
    if (control === undefined) throw new NotPlain();
    return control;
  }

  #class(): CharSet {
    const isNegated = this.#eat('^');
    const ranges: CharRange[] = [];
    let first = true;
    while (this.#next !== ']' || first) {
      if (this.#next === '[') {
        if (this.#characters[this.#i + 1] === ':') throw new NotPlain();
      }
      // A hyphen is a literal only at either end.
      if (this.#next === '-' && !first && this.#characters[this.#i + 1] !== ']') throw new NotPlain();
      first = false;
      const low = this.#classMember(ranges);
      if (low === undefined) continue;
      if (this.#next === '-' && this.#characters[this.#i + 1] !== ']' && this.#characters[this.#i + 1] !== undefined) {
        this.#i++;
        const high = this.#classMember([]);
        if (high === undefined || high < low) throw new NotPlain();
        ranges.push([low, high]);
      } else ranges.push([low, low]);
    }
    this.#i++;
    const set = this.#folded(charSet(ranges));
    return isNegated ? complement(set) : set;
  }

  /** One character of a class; undefined for a class within it, which goes to `ranges`. */
  #classMember(ranges: CharRange[]): number | undefined {
    const c = this.#take();
    if (c !== '\\') return codeOf(c);
    const escaped = this.#take();
    const set = perlClass(escaped);
    if (set === undefined) return this.#escapedCode(escaped);
    if (this.#fold) throw new NotPlain();
    ranges.push(...set);
    return undefined;
  }
}

/** Negation comes after case folding. */
function perlClass(letter: string, folds = false): CharSet | undefined {
  const set = perl[letter.toLowerCase()];
  if (set === undefined) return undefined;
  const folded = folds ? foldAscii(set) : set;
  return letter === letter.toLowerCase() ? folded : complement(folded);
}

/** The code point of a character. */
function codeOf(character: string): number {
  return character.codePointAt(0)!;
}
