/** Queries that need no compiler: a reference to a document, or a plan's name. */

/** A query that needs no compiler. */
export type Query =
  | {
      readonly kind: 'data' | 'input';
      readonly path: readonly (string | number)[];
      readonly text: string;
      readonly col: number;
      readonly row: number;
    }
  | { readonly kind: 'plan'; readonly name: string; readonly text: string; readonly col: number; readonly row: number };

interface QueryScope {
  /** Names of the available plans. */
  readonly plans: readonly string[];
  /** `--package`: names other than `data` and `input` refer to rules of this package. */
  readonly package?: string | undefined;
  /** `--import`: `data.a.b` or `data.a.b as c`. */
  readonly imports: readonly string[];
}

/** Parses a query; undefined if only the compiler can plan it. */
export function parseEvalQuery(given: string, scope: QueryScope): Query | undefined {
  const text = given.trim();
  const leading = given.slice(0, given.indexOf(text));
  const place = { text, row: leading.split('\n').length, col: leading.length - (leading.lastIndexOf('\n') + 1) + 1 };
  if (scope.plans.includes(text)) return { kind: 'plan', name: text, ...place };
  const ref = parseEvalRef(text);
  if (ref === undefined) return undefined;
  const [head, ...path] = resolved(ref, scope);
  if (head !== 'data' && head !== 'input') return undefined;
  return { kind: head, path, ...place };
}

/** Parses a reference with constant keys: `data.a["b c"][0]`. The head is the first of the keys. */
export function parseEvalRef(text: string): (string | number)[] | undefined {
  const names = text.split('.');
  return names.every(isName) ? names : parseGeneralRef(text);
}

/** Without a pattern: V8 would compile it for a few short names. */
function isName(text: string): boolean {
  for (let i = 0; i < text.length; i++) {
    const c = text.charAt(i);
    const isLetter = (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || c === '_';
    if (!isLetter && !(i > 0 && c >= '0' && c <= '9')) return false;
  }
  return text !== '';
}

function parseGeneralRef(text: string): (string | number)[] | undefined {
  const head = /^[A-Za-z_][A-Za-z0-9_]*/.exec(text);
  if (head === null) return undefined;
  const keys: (string | number)[] = [head[0]];
  let rest = text.slice(head[0].length);
  while (rest !== '') {
    const part = /^(?:\.([A-Za-z_][A-Za-z0-9_]*)|\[\s*(?:("(?:[^"\\]|\\.)*")|`([^`]*)`|(0|[1-9]\d{0,8}))\s*\])/.exec(
      rest,
    );
    if (part === null) return undefined;
    const [whole, name, quoted, raw = '', index] = part;
    if (index !== undefined) keys.push(Number(index));
    else if (quoted === undefined) keys.push(name ?? raw);
    else {
      const key = unquoted(quoted);
      if (key === undefined) return undefined;
      keys.push(key);
    }
    rest = rest.slice(whole.length);
  }
  return keys;
}

function unquoted(literal: string): string | undefined {
  try {
    return JSON.parse(literal) as string;
  } catch {
    return undefined;
  }
}

function resolved(ref: readonly (string | number)[], scope: QueryScope): readonly (string | number)[] {
  const [head, ...rest] = ref;
  if (head === 'data' || head === 'input') return ref;
  for (const line of scope.imports) {
    const [, path, alias] = /^\s*(\S+)(?:\s+as\s+(\S+))?\s*$/.exec(line) ?? [];
    const imported = path === undefined ? undefined : parseEvalRef(path);
    if (imported !== undefined && (alias ?? imported.at(-1)) === head) return [...imported, ...rest];
  }
  const own = scope.package === undefined ? undefined : parseEvalRef(scope.package);
  return own === undefined ? ref : ['data', ...own, ...ref];
}
