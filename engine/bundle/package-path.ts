/** Reads a module's package without parsing the module, for the check of a bundle's roots. */

/**
 * The path of the package: `['a', 'b']` for `package a.b`. Undefined for a faulty text, which the
 * compiler reports.
 */
export function packagePathIn(source: string): string[] | undefined {
  const start = /^(?:\s|#[^\n]*(?:\n|$))*package(?=[\s])/.exec(source);
  if (start === null) return undefined;
  let rest = source.slice(start[0].length).trimStart();
  const head = /^[A-Za-z_][A-Za-z0-9_]*/.exec(rest);
  if (head === null) return undefined;
  const path = [head[0]];
  rest = rest.slice(head[0].length);
  for (;;) {
    const part = /^(?:\.([A-Za-z_][A-Za-z0-9_]*)|\["((?:[^"\\\n]|\\.)*)"\])/.exec(rest);
    if (part === null) return path;
    const [whole, name, quoted = ''] = part;
    const key = name ?? unquote(quoted);
    if (key === undefined) return undefined;
    path.push(key);
    rest = rest.slice(whole.length);
  }
}

function unquote(text: string): string | undefined {
  try {
    return JSON.parse(`"${text}"`) as string;
  } catch {
    return undefined;
  }
}

/** A package in the language: `package a["b c"]`. */
export function packageText(path: readonly string[]): string {
  const parts = path.map((part, i) => (i === 0 ? part : isName.test(part) ? `.${part}` : `[${JSON.stringify(part)}]`));
  return `package ${parts.join('')}`;
}

const isName = /^[A-Za-z_][A-Za-z0-9_]*$/;

/** A path in manifests: segments escaped as in a URL, with slashes between. */
export function slashPath(path: readonly string[]): string {
  return path
    .map((part) => encodeURIComponent(part.toWellFormed()).replace(/%(24|26|2B|3A|3D|40)/g, decodeURIComponent))
    .join('/');
}
