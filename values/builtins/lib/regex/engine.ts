/**
 * Regular expressions in RE2's syntax and meaning, in time linear in the text. Patterns that are
 * plain and cheap for their text run as RegExps, which are many times faster; all others on RE2.
 */
import type { RE2JS } from 're2js';
import type { BuiltinContext, Cache } from '../../builtin-context.js';
import { BuiltinError, HaltError } from '../../builtin-errors.js';
import { costOf } from './cost.js';
import { emitRegex } from './emit.js';
import { parsePlainRegex, type RegexNode } from './syntax.js';

/** A module, once it is loaded: most patterns need it, and no start does. */
let re2: typeof RE2JS | undefined;

/** Loads RE2, without which no pattern can be compiled. */
export async function loadRegex(): Promise<void> {
  re2 ??= (await import('re2js')).RE2JS;
}

/**
 * Where a match and its groups lie: start and end of each in turn, -1 for a group that took no
 * part.
 */
export type MatchIndexes = readonly [start: number, end: number, ...groups: number[]];

/** A RegExp takes its backtracking stack from a fixed store. */
const longestNative = 1 << 20;
/** The steps that a RegExp may take, some milliseconds. */
const nativeSteps = 4_000_000;

/** Units for a match. */
const unitsPerMatch = 20;
/** Units for a character that RE2 reads while its automaton fits into memory. */
const unitsOfRe2 = 10;
/**
 * Instructions of RE2 from which on a character may be compared with each of them, and how many of
 * them take a unit.
 */
const largeProgram = 500;
const instructionsPerUnit = 10;

export class Pattern {
  readonly #source: string;
  #slow: RE2JS | undefined;
  readonly #fast: RegExp | undefined;
  #global: RegExp | undefined;
  /** Texts up to this length are for the RegExp. */
  readonly #limit: number;
  readonly #groupInLoop: boolean;
  /** Names of groups by index. Unnamed groups have an empty name. */
  readonly #names: readonly string[] | undefined;

  constructor(
    source: string,
    slow: RE2JS | undefined,
    plain?: { readonly node: RegexNode; readonly names: readonly string[] },
  ) {
    this.#source = source;
    this.#slow = slow;
    const cost = plain === undefined ? undefined : costOf(plain.node);
    this.#names = plain?.names;
    this.#groupInLoop = cost?.groupInLoop ?? true;
    if (plain === undefined || cost === undefined) {
      this.#limit = -1;
      return;
    }
    const degree = cost.degree + (cost.anchored ? 0 : 1);
    this.#limit = degree <= 1 ? longestNative : Math.floor((nativeSteps / cost.ways) ** (1 / degree));
    this.#fast = new RegExp(emitRegex(plain.node, 'javascript'), 'u');
  }

  /** Whether texts of up to a million characters need no RE2; so for `groups` of the matches. */
  isLinear(groups: boolean): boolean {
    return this.#limit >= longestNative && !(groups && this.#groupInLoop);
  }

  get #re2(): RE2JS {
    return (this.#slow ??= compileRe2(this.#source));
  }

  /** Units for a character that RE2 reads. Short patterns have large programs too: `(a.){1000}`. */
  get #unitsPerCharacter(): number {
    return unitsOfRe2 + Math.floor(Math.max(0, this.#re2.programSize() - largeProgram) / instructionsPerUnit);
  }

  /** Whether the pattern matches anywhere in the text. */
  test(text: string, context: Pick<BuiltinContext, 'tick'>): boolean {
    if (this.#fast !== undefined && text.length <= this.#limit) {
      if (text.length > 256) context.tick(text.length >> 1);
      return this.#fast.test(text);
    }
    context.tick(text.length * this.#unitsPerCharacter);
    return this.#re2.test(text);
  }

  /** Group names by index, empty for the whole match and for groups without one. */
  get names(): readonly string[] {
    if (this.#names !== undefined) return this.#names;
    const names = new Array<string>(this.#re2.groupCount() + 1).fill('');
    for (const [name, index] of Object.entries(this.#re2.namedGroups() as Record<string, number>)) {
      names[index] = name.startsWith(numbered) ? name.slice(name.indexOf('_', numbered.length) + 1) : name;
    }
    return names;
  }

  /**
   * All matches from left to right, at most `limit`. An empty match right after another match does
   * not count. With `groups` false only the whole matches are found, which is faster.
   */
  findAll(text: string, limit: number, groups: boolean, context: BuiltinContext): MatchIndexes[] {
    const find = this.#finder(text, groups, context);
    const found: MatchIndexes[] = [];
    let previousEnd = -1;
    for (let at = 0; found.length < limit && at <= text.length; ) {
      const match = find(at);
      if (match === undefined) break;
      const [start, end] = match;
      context.tick(unitsPerMatch + ((end - at) >> 1));
      const isEmptyHere = end === at;
      if (!isEmptyHere || start !== previousEnd) found.push(match);
      at = isEmptyHere ? at + characterLength(text, at) : end;
      previousEnd = end;
    }
    return found;
  }

  /** Finds the next match from a position on. */
  #finder(text: string, groups: boolean, context: BuiltinContext): (at: number) => MatchIndexes | undefined {
    if (this.#fast !== undefined && text.length <= this.#limit && !(groups && this.#groupInLoop))
      return this.#nativeFinder(this.#fast.source, text, groups);
    const matcher = this.#re2.matcher(text);
    const count = groups ? this.#re2.groupCount() : 0;
    const unitsPerCharacter = this.#unitsPerCharacter;
    return (at) => {
      context.tick(unitsPerCharacter * (1 + text.length - at));
      if (!matcher.find(at)) return undefined;
      const match: [number, number, ...number[]] = [matcher.start(0), matcher.end(0)];
      for (let i = 1; i <= count; i++) match.push(matcher.start(i), matcher.end(i));
      return match;
    };
  }

  #nativeFinder(source: string, text: string, groups: boolean): (at: number) => MatchIndexes | undefined {
    if (this.#global === undefined || (groups && !this.#global.hasIndices))
      this.#global = new RegExp(source, groups ? 'dgu' : 'gu');
    const regexp = this.#global;
    return (at) => {
      regexp.lastIndex = at;
      const match = regexp.exec(text);
      if (match === null) return undefined;
      const indexes: [number, number, ...number[]] = [match.index, match.index + match[0].length];
      if (!groups) return indexes;
      for (const range of (match.indices ?? []).slice(1)) indexes.push(range?.[0] ?? -1, range?.[1] ?? -1);
      return indexes;
    };
  }
}

function characterLength(text: string, at: number): number {
  return (text.codePointAt(at) ?? 0) > 0xffff ? 2 : 1;
}

const numbered = '__group';

/** Go lets groups share a name, RE2 does not: gives each name a number in front. */
function numberGroups(source: string): string {
  let count = 0;
  return source.replace(/\\Q.*?(?:\\E|$)|\\.|\[\^?\]?(?:\\.|\[:[a-z^]+:\]|[^\]\\])*\]|\(\?P?<(?=\w+>)/gs, (part) =>
    part.startsWith('(') ? `${part}${numbered}${count++}_` : part,
  );
}

function compileRe2(source: string): RE2JS {
  // Modules of simple patterns do without RE2 (`codegen/module/simple-patterns.ts`).
  if (re2 === undefined)
    throw new HaltError('eval_builtin_error', `a text of more than ${longestNative} characters needs RE2`);
  try {
    return re2.compile(source);
  } catch (error) {
    if (error instanceof Error && error.message.includes('duplicate capture group name')) {
      const distinct = numberGroups(source);
      if (distinct !== source && !source.includes(numbered)) return compileRe2(distinct);
    }
    // A pattern too deep for the stack is an error of the pattern like any other.
    if (error instanceof RangeError) throw new BuiltinError('error parsing regexp: expression nests too deeply');
    throw new BuiltinError(error instanceof Error ? error.message : String(error));
  }
}

/**
 * The reason why a text is no regular expression; undefined for one. Before `loadRegex` a text that
 * is not plain has none.
 */
export function regexFault(source: string): string | undefined {
  if (re2 === undefined || parsePlainRegex(source) !== undefined) return undefined;
  try {
    compileRe2(source);
    return undefined;
  } catch (error) {
    if (error instanceof BuiltinError) return error.message.replace(/^error parsing regexp: /, '');
    throw error;
  }
}

/** Whether a pattern needs no RE2: see `Pattern.isLinear`. */
export function isLinearRegex(source: string, groups: boolean): boolean {
  const plain = parsePlainRegex(source);
  return plain !== undefined && new Pattern(source, undefined, plain).isLinear(groups);
}

const unlimited = { tick: () => undefined };

/**
 * A test without limits, for patterns of configurations. One that is not plain needs `loadRegex`
 * before. Throws a BuiltinError for a text that is no regular expression.
 */
export function regexTest(source: string): (text: string) => boolean {
  const plain = parsePlainRegex(source);
  const pattern = new Pattern(source, plain === undefined ? compileRe2(source) : undefined, plain);
  return (text) => pattern.test(text, unlimited);
}

// In front of the engine's cache, which has to keep the order of use: a pattern depends on its text
// alone, so engines may share it.
const recent = new Map<string, Pattern>();
const maxRecent = 200;
const longestRecent = 10_000;

/** Units for a character of a pattern that is compiled. */
const unitsToCompile = 100;
/** Units for an instruction of RE2: `a{1000}` has a thousand. */
const unitsPerInstruction = 150;

/**
 * The compiled pattern, from the engine's cache if possible. Throws a BuiltinError with Go's
 * message if the pattern is invalid.
 */
export function compileRegex(source: string, context: BuiltinContext): Pattern {
  const known = recent.get(source);
  if (known !== undefined) return known;
  const cache: Cache<Pattern> = context.caches.of('regex', 500);
  let pattern = cache.get(source);
  if (pattern === undefined) {
    context.tick(source.length * unitsToCompile);
    const plain = parsePlainRegex(source);
    // Plain patterns are valid, so RE2 compiles them only for long texts.
    const slow = plain === undefined ? compileRe2(source) : undefined;
    if (slow !== undefined) context.tick(slow.programSize() * unitsPerInstruction);
    pattern = new Pattern(source, slow, plain);
    cache.set(source, pattern);
  }
  if (source.length > longestRecent) return pattern;
  if (recent.size >= maxRecent) recent.clear();
  recent.set(source, pattern);
  return pattern;
}

/** A pattern made from a tree, which matches whole texts only. */
export function patternOfTree(body: RegexNode): Pattern {
  const node: RegexNode = {
    kind: 'concat',
    nodes: [{ kind: 'assert', what: 'start' }, body, { kind: 'assert', what: 'end' }],
  };
  return new Pattern(emitRegex(node, 're2'), undefined, { node, names: [''] });
}
