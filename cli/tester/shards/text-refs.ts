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
  const [, name] = packageAtStart.exec(text) ?? [];
  const path = name === undefined ? undefined : stepsOf(`.${name}`);
  if (path === undefined || path.isCut) return undefined;
  const found = new Set<string>();
  const hasTemplates = text.includes('$"') || text.includes('$`');
  for (const [part] of text.matchAll(hasTemplates ? partsOfTemplates : parts)) if (part.startsWith('data')) found.add(part);
  return { package: path.names, refs: [...found].map((ref) => stepsOf(ref.slice('data'.length)).names) };
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
