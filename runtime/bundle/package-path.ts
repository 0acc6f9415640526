/** A module's package, read without parsing the module: all that the check of a bundle's roots needs. */

/** The package's path (`['a', 'b']` for `package a.b`), undefined where the text does not begin with a package (the compiler says why). */
export function packagePath(source: string): string[] | undefined {
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
    const key = part[1] ?? unquote(part[2]!);
    if (key === undefined) return undefined;
    path.push(key);
    rest = rest.slice(part[0].length);
  }
}

function unquote(text: string): string | undefined {
  try {
    return JSON.parse(`"${text}"`) as string;
  } catch {
    return undefined;
  }
}

/** A package as the language writes it: `package a["b c"]`. */
export function printPackage(path: readonly string[]): string {
  const parts = path.map((part, i) => (i === 0 ? part : isName.test(part) ? `.${part}` : `[${JSON.stringify(part)}]`));
  return `package ${parts.join('')}`;
}

const isName = /^[A-Za-z_][A-Za-z0-9_]*$/;

/** A path as manifests write it: segments escaped as in an URL, with slashes between. */
export function slashPath(path: readonly string[]): string {
  return path.map((part) => encodeURIComponent(part).replace(/%(24|26|2B|3A|3D|40)/g, decodeURIComponent)).join('/');
}
