/** The names of a module that stand for paths: its package's rules and its imports. */

import { stringTerm } from '../ast/make.js';
import type { Import, Module, Package, Ref } from '../ast/nodes.js';
import { printImport } from '../ast/print.js';
import { type Context, report, type WorkingModule } from './working-module.js';

/** A name that stands for a path. */
export interface Global {
  readonly terms: Ref;
  used: boolean;
}

/** The name under which an import is known. */
export function importName({ alias, path: { terms } }: Import): string {
  if (alias !== undefined) return alias;
  const last = terms[terms.length - 1]!;
  return last.type === 'var' ? last.name : last.type === 'string' ? last.value : '';
}

/** `import future.keywords` and `import rego.v1` make keywords, not names. */
function importsKeywords({ path: { terms } }: Import): boolean {
  const [head] = terms;
  return head.type === 'var' && (head.name === 'future' || head.name === 'rego');
}

const namesOfModules = new WeakMap<Module, ReadonlySet<string>>();

/** The names that the rules of a module define. */
export function ruleNamesOf(module: Module): ReadonlySet<string> {
  let names = namesOfModules.get(module);
  if (!names) {
    const found = new Set<string>();
    for (const { head } of module.rules) {
      const [first] = head.ref;
      if (first.type === 'var') found.add(first.name);
    }
    namesOfModules.set(module, (names = found));
  }
  return names;
}

/** The names that the rules of each package define, by the package's path. */
export function exportsOf(modules: Iterable<Module>): ReadonlyMap<string, ReadonlySet<string>> {
  const exports = new Map<string, Set<string>>();
  for (const module of modules) {
    const key = packageKey(module.package);
    let names = exports.get(key);
    if (!names) exports.set(key, (names = new Set()));
    for (const name of ruleNamesOf(module)) names.add(name);
  }
  return exports;
}

/** A package's path as one string. */
export function packageKey({ path }: Package): string {
  return path.map((term) => (term.type === 'string' ? JSON.stringify(term.value) : '')).join('.');
}

/** The globals of a module; an import hides a rule of the same name. */
export function globalsOf(
  pkg: Package | undefined,
  exports: ReadonlySet<string> | undefined,
  imports: readonly Import[],
): Map<string, Global> {
  const globals = new Map<string, Global>();
  if (pkg !== undefined)
    for (const name of exports ?? [])
      globals.set(name, { terms: [...pkg.path, stringTerm(pkg.loc, name)], used: false });
  for (const statement of imports) {
    if (!importsKeywords(statement)) globals.set(importName(statement), { terms: statement.path.terms, used: false });
  }
  return globals;
}

/** Strict mode: an import is there to be used. */
export function checkUnusedImports(
  module: WorkingModule,
  globals: ReadonlyMap<string, Global>,
  context: Context,
): void {
  for (const statement of module.imports) {
    if (importsKeywords(statement) || globals.get(importName(statement))?.used !== false) continue;
    report(context, 'importUnused', statement.loc, { statement: printImport(statement) });
  }
}

/**
 * Two imports of one name: an error in version 1 and in strict mode. Also where `rego.v1` cannot be
 * imported.
 */
export function checkImports(module: WorkingModule, context: Context): void {
  const { capabilities, strict } = context.options;
  const features = capabilities?.features;
  const takesVersionOne = features === undefined || features.includes('rego_v1_import') || features.includes('rego_v1');
  const seen = new Map<string, Import>();
  for (const statement of module.imports) {
    const { terms } = statement.path;
    if (
      !takesVersionOne &&
      importsKeywords(statement) &&
      terms.length === 2 &&
      (terms[0] as { name: string }).name === 'rego'
    )
      report(context, 'versionOneUnsupported', statement.loc, {});
    if (!strict && module.parsed.regoVersion === 'v0') continue;
    const name = importName(statement);
    const first = seen.get(name);
    if (first) report(context, 'importShadows', statement.loc, { statement: printImport(first) });
    else seen.set(name, statement);
  }
}
