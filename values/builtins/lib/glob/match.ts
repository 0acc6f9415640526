import type { Value } from '../../../value.js';
import type { BuiltinContext, Cache } from '../../builtin-context.js';
import { BuiltinError, operandElementError, operandTypeError } from '../../builtin-errors.js';
import { overlap } from '../regex/charset.js';
import { type Pattern, patternOfTree } from '../regex/engine.js';
import type { RegexNode } from '../regex/syntax.js';
import { type Literals, literalsOf, mayMatch } from './literals.js';
import { GlobError, parseGlob } from './parser.js';

export function matchGlob(pattern: string, delimiters: string, value: string, context: BuiltinContext): boolean {
  const compiled = compile(pattern, delimiters, context);
  if (value === '' && compiled.matchesEmpty) return true;
  // A long text is counted by the pattern.
  return (value.length > longest || mayMatch(compiled.literals, value)) && compiled.pattern.test(value, context);
}

interface CompiledGlob {
  readonly pattern: Pattern;
  readonly literals: Literals;
  /** The reference takes an empty text for U+FFFD where the glob is one character. */
  readonly matchesEmpty: boolean;
}

/** Texts up to this length are compared with the literal parts first. */
const longest = 256;

const dot = '.';

/** The delimiters one after the other: none where the operand is null, a dot where it is empty. */
export function delimitersOperand(operand: Value, position: number): string {
  if (operand === null) return '';
  if (!Array.isArray(operand)) throw operandTypeError(position, operand, 'array', 'null');
  let joined = '';
  for (const delimiter of operand as readonly Value[]) {
    if (typeof delimiter !== 'string') throw operandElementError(position, 'array', delimiter, 'rune');
    if (delimiter.length !== 1 && Array.from(delimiter).length !== 1)
      throw operandElementError(position, 'array', delimiter, 'rune');
    joined = joined === '' ? delimiter : joined + delimiter;
  }
  return joined === '' ? dot : joined;
}

// Compiled globs by delimiters, then by pattern: joining these would take longer than a match.
const recent = new Map<string, Map<string, CompiledGlob>>();

const maxDelimiters = 20;

const maxRecent = 100;

/** Most policies have the same delimiters everywhere. */
let lastSeparators = '';
let ofLast: Map<string, CompiledGlob> = new Map();
recent.set(lastSeparators, ofLast);

function compile(source: string, separators: string, context: BuiltinContext): CompiledGlob {
  const ofSeparators = separators === lastSeparators ? ofLast : recentOf(separators);
  const known = ofSeparators.get(source);
  if (known !== undefined) return known;
  if (ofSeparators.size >= maxRecent) ofSeparators.clear();
  const compiled = compileCached(source, separators, context);
  ofSeparators.set(source, compiled);
  return compiled;
}

function recentOf(separators: string): Map<string, CompiledGlob> {
  let found = recent.get(separators);
  if (found === undefined) {
    if (recent.size >= maxDelimiters) recent.clear();
    recent.set(separators, (found = new Map()));
  }
  lastSeparators = separators;
  return (ofLast = found);
}

/** Units for a character of a pattern that is compiled. */
const unitsPerCharacter = 100;

function compileCached(source: string, separators: string, context: BuiltinContext): CompiledGlob {
  const cache: Cache<CompiledGlob> = context.caches.of('glob', 500);
  const key = `${separators}\0${source}`;
  let compiled = cache.get(key);
  if (compiled === undefined) {
    context.tick(source.length * unitsPerCharacter);
    try {
      const tree = parseGlob(source, Array.from(separators));
      compiled = {
        pattern: patternOfTree(tree),
        literals: literalsOf(tree),
        matchesEmpty: isReplacementCharacter(tree),
      };
    } catch (error) {
      if (error instanceof GlobError) throw new BuiltinError(error.message);
      throw error;
    }
    cache.set(key, compiled);
  }
  return compiled;
}

/** The tree of all texts that a glob matches; undefined where it is none. */
export function globTree(source: string, delimiters: Value): RegexNode | undefined {
  try {
    const tree = parseGlob(source, Array.from(delimitersOperand(delimiters, 2)));
    return isReplacementCharacter(tree) ? { kind: 'repeat', of: tree, min: 0, max: 1, lazy: false } : tree;
  } catch {
    return undefined;
  }
}

/** Whether a glob needs no RE2: see `Pattern.isLinear`. False where it is none. */
export function isLinearGlob(source: string, delimiters: Value): boolean {
  try {
    return patternOfTree(parseGlob(source, Array.from(delimitersOperand(delimiters, 2)))).isLinear(false);
  } catch {
    return false;
  }
}

function isReplacementCharacter(tree: RegexNode): boolean {
  const [only, ...others] = tree.kind === 'concat' ? tree.nodes : [];
  return only?.kind === 'set' && others.length === 0 && overlap(only.set, [[0xfffd, 0xfffd]]);
}
