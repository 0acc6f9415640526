/** Formulas over an input, each kept once, and their text in SMT-LIB. */
import type { ExactNumber, NumberValue } from '../../../values/index.js';
import { Unprovable } from './unprovable.js';

/** A truth over the unknown input: equal ones are one object. */
export interface Formula {
  readonly id: number;
  readonly op: 'true' | 'false' | 'not' | 'and' | 'or' | 'atom';
  readonly args: readonly Formula[];
  /** The text of an atom in SMT-LIB. */
  readonly text: string;
}

/** The formulas of one question. */
export class Formulas {
  readonly #known = new Map<string, Formula>();
  readonly yes: Formula = this.#made('true', []);
  readonly no: Formula = this.#made('false', []);

  #made(op: Formula['op'], args: readonly Formula[], text = ''): Formula {
    const key = `${op} ${text} ${args.map(({ id }) => id).join(' ')}`;
    let known = this.#known.get(key);
    if (known === undefined) this.#known.set(key, (known = { id: this.#known.size, op, args, text }));
    return known;
  }

  /** The number of formulas, by which the work is bounded. */
  get size(): number {
    return this.#known.size;
  }

  atom(text: string): Formula {
    return this.#made('atom', [], text);
  }

  of(truth: boolean): Formula {
    return truth ? this.yes : this.no;
  }

  not(formula: Formula): Formula {
    if (formula === this.yes) return this.no;
    if (formula === this.no) return this.yes;
    return formula.op === 'not' ? formula.args[0]! : this.#made('not', [formula]);
  }

  and(...all: readonly Formula[]): Formula {
    return this.#joined('and', this.yes, this.no, all);
  }

  or(...all: readonly Formula[]): Formula {
    return this.#joined('or', this.no, this.yes, all);
  }

  /** `a` without `b`: alternatives that both have fall away. */
  butNot(a: Formula, b: Formula): Formula {
    const others = new Set(b.op === 'or' ? b.args : [b]);
    const left = (a.op === 'or' ? a.args : [a]).filter((part) => !others.has(part));
    return this.and(this.or(...left), this.not(b));
  }

  #joined(op: 'and' | 'or', neutral: Formula, final: Formula, all: readonly Formula[]): Formula {
    const parts = new Set<Formula>();
    for (const part of all.flatMap((one) => (one.op === op ? one.args : [one]))) {
      if (part === final) return final;
      if (part !== neutral) parts.add(part);
    }
    for (const part of parts) if (part.op === 'not' && parts.has(part.args[0]!)) return final;
    if (parts.size === 0) return neutral;
    const sorted = [...parts].sort((a, b) => a.id - b.id);
    return sorted.length === 1 ? sorted[0]! : this.#made(op, sorted);
  }
}

/** Definitions of the parts of formulas, and the names of the wholes. */
export function definitionsOf(formulas: readonly Formula[]): {
  readonly definitions: readonly string[];
  readonly nameOf: (formula: Formula) => string;
} {
  const definitions: string[] = [];
  const names = new Map<Formula, string>();
  // Parts come before the formulas that they are part of; no recursion: a formula may be deep.
  const open: Formula[] = [...formulas];
  while (open.length > 0) {
    const next = open.at(-1)!;
    const missing = next.args.filter((arg) => !names.has(arg));
    if (missing.length > 0 && !names.has(next)) {
      open.push(...missing);
      continue;
    }
    open.pop();
    if (names.has(next)) continue;
    const { op, args, text, id } = next;
    if (op === 'atom' || args.length === 0) names.set(next, op === 'atom' ? text : op);
    else {
      definitions.push(`(define-fun f${id} () Bool (${op} ${args.map((arg) => names.get(arg)).join(' ')}))`);
      names.set(next, `f${id}`);
    }
  }
  return { definitions, nameOf: (formula) => names.get(formula)! };
}

/** The last character that solvers have; Unicode goes on to 0x10FFFF. */
export const lastCharacter = 0x2ffff;

/**
 * A text of SMT-LIB: quotes are doubled, other characters than plain ones escaped. Throws an
 * Unprovable for a character that the solver lacks.
 */
export function smtText(text: string): string {
  let written = '';
  for (const character of text) {
    const code = character.codePointAt(0)!;
    if (code >= lastCharacter) throw new Unprovable('a character beyond those of the solver');
    if (character === '"') written += '""';
    else written += code < 32 || code > 126 || character === '\\' ? `\\u{${code.toString(16)}}` : character;
  }
  return `"${written}"`;
}

/** A number of SMT-LIB; undefined for one that is too large to be written out. */
export function smtNumber(value: NumberValue): string | undefined {
  if (typeof value !== 'number') return exactText(value);
  if (!Number.isFinite(value)) return undefined;
  const text = Number.isInteger(value) ? `${BigInt(value)}.0` : String(Math.abs(value));
  if (text.includes('e')) return undefined;
  return value < 0 ? `(- ${text.replace('-', '')})` : text;
}

/** All digits, where these are not too many. */
function exactText({ size, integer, text }: ExactNumber): string | undefined {
  if (size > mostDigits) return undefined;
  const digits = integer === undefined ? text : `${integer}.0`;
  if (!/^-?\d+\.\d+$/.test(digits)) return undefined;
  return digits.startsWith('-') ? `(- ${digits.slice(1)})` : digits;
}

const mostDigits = 400;
