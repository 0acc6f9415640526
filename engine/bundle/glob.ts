/**
 * Patterns of file names: of the shell, for `--ignore` and signatures, and of `file_rego_versions`
 * in manifests.
 */

/** The most alternatives of a pattern, multiplied out: `{a,b}{c,d}` has four. */
const maxAlternatives = 1000;

type Step = { readonly kind: 'star' } | { readonly kind: 'one'; readonly accepts: (char: string) => boolean };

export class FileGlobError extends Error {
  readonly code = 'invalid_pattern';

  constructor(pattern: string, problem: string) {
    super(`bad pattern ${JSON.stringify(pattern)}: ${problem}`);
    this.name = 'GlobError';
  }
}

/**
 * A test for names that match a shell pattern: `*` and `?` stop at slashes, `[a-z]` and `[^a-z]`
 * are classes, `\` escapes a character. Throws a GlobError where a class is not closed.
 */
export function shellGlob(pattern: string): (name: string) => boolean {
  const steps = parse(pattern, '^', (char) => char !== '/');
  return (name) => matches(steps, name, (char) => char !== '/');
}

/**
 * A test for paths: `*` also matches slashes, `{a,b}` are alternatives, and `[!a-z]` negates.
 * Throws a GlobError.
 */
export function pathGlob(pattern: string): (path: string) => boolean {
  const all = expand(pattern).map((one) => parse(one, '!', () => true));
  return (path) => all.some((steps) => matches(steps, path, () => true));
}

function parse(pattern: string, negation: string, any: (char: string) => boolean): Step[] {
  const steps: Step[] = [];
  const chars = [...pattern];
  for (let i = 0; i < chars.length; i++) {
    const char = chars[i];
    if (char === '*') {
      if (steps.at(-1)?.kind !== 'star') steps.push({ kind: 'star' });
    } else if (char === '?') {
      steps.push({ kind: 'one', accepts: any });
    } else if (char === '[') {
      const { accepts, end } = parseClass(pattern, chars, i, negation);
      steps.push({ kind: 'one', accepts });
      i = end;
    } else {
      const literal = char === '\\' ? chars[++i] : char;
      if (literal === undefined) throw new FileGlobError(pattern, 'it ends in a backslash');
      steps.push({ kind: 'one', accepts: (c) => c === literal });
    }
  }
  return steps;
}

function parseClass(pattern: string, chars: readonly string[], start: number, negation: string) {
  let i = start + 1;
  const negated = chars[i] === negation;
  if (negated) i++;
  const ranges: [string, string][] = [];
  const next = (): string => {
    const char = chars[i] === '\\' ? chars[++i] : chars[i];
    if (char === undefined) throw new FileGlobError(pattern, 'a class is not closed');
    i++;
    return char;
  };
  while (chars[i] !== ']' || ranges.length === 0) {
    const from = next();
    const isRange = chars[i] === '-' && chars[i + 1] !== ']';
    if (isRange) i++;
    ranges.push([from, isRange ? next() : from]);
  }
  const accepts = (c: string) => ranges.some(([from, to]) => from <= c && c <= to) !== negated;
  return { accepts, end: i };
}

/**
 * Each star matches as little as possible, and only the last is extended: the time is at most
 * pattern times name.
 */
function matches(steps: readonly Step[], name: string, starTakes: (char: string) => boolean): boolean {
  const chars = [...name];
  let step = 0;
  let at = 0;
  let star = -1;
  let starAt = 0;
  for (let char = chars[at]; char !== undefined; char = chars[at]) {
    const now = steps[step];
    if (now?.kind === 'one' && now.accepts(char)) {
      step++;
      at++;
    } else if (now?.kind === 'star') {
      star = step++;
      starAt = at;
    } else if (star >= 0 && starTakes(chars[starAt]!)) {
      step = star + 1;
      at = ++starAt;
    } else return false;
  }
  while (steps[step]?.kind === 'star') step++;
  return step === steps.length;
}

/** The alternatives of a pattern, multiplied out: `a{b,c{d,e}}` has `ab`, `acd` and `ace`. */
function expand(pattern: string): string[] {
  const open = indexOutside(pattern, '{', 0);
  if (open < 0) return [pattern];
  let depth = 0;
  const cuts = [open];
  for (let i = open; i < pattern.length; i++) {
    const char = pattern[i];
    if (char === '\\') i++;
    else if (char === '{') depth++;
    else if (char === ',' && depth === 1) cuts.push(i);
    else if (char === '}' && --depth === 0) {
      cuts.push(i);
      const rests = expand(pattern.slice(i + 1));
      const heads = cuts.slice(1).flatMap((cut, n) => expand(pattern.slice((cuts[n] ?? open) + 1, cut)));
      if (heads.length * rests.length > maxAlternatives) throw new FileGlobError(pattern, 'too many alternatives');
      return heads.flatMap((head) => rests.map((rest) => pattern.slice(0, open) + head + rest));
    }
  }
  throw new FileGlobError(pattern, 'a { is not closed');
}

function indexOutside(pattern: string, wanted: string, from: number): number {
  for (let i = from; i < pattern.length; i++) {
    if (pattern[i] === '\\') i++;
    else if (pattern[i] === wanted) return i;
  }
  return -1;
}
