/**
 * The package of a policy and the documents that it names, from its text: faster than parsing, to
 * divide a repository among threads that parse.
 */

/** Places below `data`. */
interface TextRefs {
  readonly package: readonly string[];
  /** Refs up to the first term that is no string; some stand where the policy has no ref. */
  readonly refs: readonly (readonly string[])[];
}

const packageAtStart = /^(?:\s|#[^\n]*(?:\n|$))*package\s+([A-Za-z_]\w*(?:\.[A-Za-z_]\w*|\["(?:[^"\\\n]|\\.)*"\])*)[ \t]*(?=[\r\n;#]|$)/;

/** Texts, comments and refs. A name after a point is a field. */
const parts = /"(?:[^"\\\n]|\\.)*"|`[^`]*`|#[^\n]*|(?<![.\w])data(?!\w)(?:\.[A-Za-z_]\w*|\["(?:[^"\\\n]|\\.)*"\])*/g;

/** The same without texts and comments: templates have refs in their texts. */
const partsOfTemplates = /(?<![.\w])data(?!\w)(?:\.[A-Za-z_]\w*|\["(?:[^"\\\n]|\\.)*"\])*/g;

const steps = /\.([A-Za-z_]\w*)|\[("(?:[^"\\\n]|\\.)*")\]/g;

/** Undefined where the package is written in an unusual way. */
export function textRefs(text: string): TextRefs | undefined {
  const path = textPackage(text);
  if (path === undefined) return undefined;
  const found = new Set<string>();
  const hasTemplates = text.includes('$"') || text.includes('$`');
  if (hasTemplates || text.includes('`')) for (const [part] of text.matchAll(hasTemplates ? partsOfTemplates : parts)) addRef(part, found);
  else for (const line of linesWithData(text)) for (const [part] of line.matchAll(parts)) addRef(part, found);
  return { package: path, refs: [...found].map((ref) => stepsOf(ref.slice('data'.length)).names) };
}

/** The package of a text, undefined where it is written in an unusual way. */
export function textPackage(text: string): readonly string[] | undefined {
  const [, name] = packageAtStart.exec(text) ?? [];
  const path = name === undefined ? undefined : stepsOf(`.${name}`);
  return path === undefined || path.isCut ? undefined : path.names;
}

function addRef(part: string, found: Set<string>): void {
  if (part.startsWith('data')) found.add(part);
}

/** The lines that have the word: only texts in backquotes reach over several lines. */
function* linesWithData(text: string): Generator<string> {
  for (let at = text.indexOf('data'); at >= 0; ) {
    const end = text.indexOf('\n', at);
    yield text.slice(text.lastIndexOf('\n', at) + 1, end < 0 ? undefined : end);
    at = end < 0 ? -1 : text.indexOf('data', end);
  }
}

/** @returns the names, cut before the first one that is no JSON string */
function stepsOf(text: string): { readonly names: readonly string[]; readonly isCut: boolean } {
  const names: string[] = [];
  for (const [, name, quoted] of text.matchAll(steps)) {
    if (name !== undefined) {
      names.push(name);
      continue;
    }
    try {
      names.push(JSON.parse(quoted!));
    } catch {
      return { names, isCut: true };
    }
  }
  return { names, isCut: false };
}
