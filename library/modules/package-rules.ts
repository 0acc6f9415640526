/** The rules of a package as exports of a module. */
import type { Compiled, CompiledRule, Diagnostic, Entrypoint } from '../../compiler/index.js';
import { groundPrefix, isTestHead, packageSegments, rulesAtPath, stringKeys } from '../../compiler/index.js';
import { compareStrings, isSamePath } from '../../values/index.js';
import { refusedRules } from './refused-builtins.js';

export interface PackageRules {
  /** The package's path. */
  readonly path: readonly string[];
  readonly entrypoints: readonly Entrypoint[];
  /** Documents that no module can have, by their names, each with a complaint. */
  readonly refused: ReadonlyMap<string, Diagnostic>;
}

/**
 * The documents that the rules of a package make: those of the first names of heads (`roles`), and
 * below them those of longer heads (`roles.admin`). Functions and tests are left out.
 */
export function packageDocuments(compiled: Compiled, path: readonly string[]): readonly Entrypoint[] {
  return documentPaths(compiled, path).map((document) => {
    return {
      name: document.map((segment) => segment.replaceAll(/[%/]/g, encodeURIComponent)).join('/'),
      path: document,
    };
  });
}

/** The documents of a package, apart from those that no module can have. */
export function rulesOfPackage(compiled: Compiled, path: readonly string[]): PackageRules {
  const complaints = refusedRules(compiled);
  const entrypoints: Entrypoint[] = [];
  const refused = new Map<string, Diagnostic>();
  for (const entrypoint of packageDocuments(compiled, path)) {
    const rules = complaints.size === 0 ? [] : rulesAtPath(compiled, entrypoint.path);
    const [complaint] = rules.flatMap((rule) => complaints.get(rule) ?? []);
    if (complaint === undefined) entrypoints.push(entrypoint);
    else refused.set(entrypoint.name, complaint);
  }
  return { path, entrypoints, refused };
}

/** The package of a policy. Throws an Error where there is no such policy. */
export function packageOf({ modules }: Compiled, file: string): readonly string[] {
  const module = modules.get(file);
  if (module === undefined) throw new Error(`there is no policy ${file}`);
  return packageSegments(module.parsed);
}

function documentPaths(compiled: Compiled, at: readonly string[]): readonly (readonly string[])[] {
  const paths = new Map<string, readonly string[]>();
  for (const rule of rulesOf(compiled, at)) {
    const path = rule.rule.head.args === undefined ? stringKeys(groundPrefix(rule.ref).slice(1)) : undefined;
    if (path === undefined || isTestHead(rule.rule.head)) continue;
    for (let length = at.length + 1; length <= path.length; length++) {
      const prefix = path.slice(0, length);
      paths.set(prefix.join('\u0000'), prefix);
    }
  }
  return [...paths].sort(([a], [b]) => compareStrings(a, b)).map(([, path]) => path);
}

/** The rules of the package's files that are no tests. */
function rulesOf(compiled: Compiled, at: readonly string[]): readonly CompiledRule[] {
  const files = [...compiled.modules.values()].filter(({ name, parsed }) => {
    const path = packageSegments(parsed);
    return isSamePath(path, at) && !name.endsWith('_test.rego');
  });
  return files.flatMap(({ rules }) => rules);
}
