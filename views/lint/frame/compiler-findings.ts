/** Findings of the compiler: rules of the category `writ`, which look at all files together. */

import type { Compiled, Module, Warning } from '../../../compiler/index.js';
import { codesOfNames, compileModules, findWarnings, isIgnored, loadPatterns } from '../../../compiler/index.js';
import type { Finding } from './finding.js';
import { foundAt } from './lint-file.js';
import { type ActiveRule, type KeptFile, type LintOptions, pathOf } from './lint-source.js';
import { findingOf, placed } from './run-rules.js';

/** A file, with its tree where it was read in this run. */
interface CompiledFile extends KeptFile {
  readonly module: Module;
}

/**
 * Compiles the files together, and looks for what their rules find. Files that do not compile have
 * no findings.
 */
export async function compilerFindings(
  files: readonly CompiledFile[],
  active: readonly ActiveRule[],
  { capabilities, schemas, findWarnings: find = findCertain, onErrors }: LintOptions,
): Promise<readonly Finding[]> {
  const rules = new Map(active.flatMap((one) => (one.rule.category === 'writ' ? [[one.rule.name, one] as const] : [])));
  const compiling = files.filter(({ module }) => !isOwnRule(module));
  if (rules.size === 0 || compiling.length === 0) return [];
  const modules = new Map(compiling.map(({ source, module }) => [source.file, module]));
  const options = { capabilities, schemas, print: true, schemaAnnotations: true };
  const compiled = compileModules({ modules, options });
  if (compiled.diagnostics.length > 0) {
    onErrors?.(compiled.diagnostics);
    return [];
  }
  await loadPatterns(compiled);
  const byName = new Map(files.map((file) => [file.source.file, file]));
  return (await find(compiled)).flatMap(({ code, message, location, span, mark, meant }): Finding[] => {
    const file = byName.get(location.file);
    const one = rules.get(code);
    if (file === undefined || one === undefined || one.setting.ignores(pathOf(file.source))) return [];
    const { row } = location;
    if (isIgnored(file.directives, code, row)) return [];
    const lines = file.source.text.split(/\r?\n/);
    const place = placed(file.source.file, foundAt(mark ?? span), lines);
    return [{ ...findingOf(one.rule, one.setting.level, message), ...place, ...(meant !== undefined && { meant }) }];
  });
}

function findCertain(compiled: Compiled): readonly Warning[] {
  return findWarnings(compiled, { isLint: true, isPart: true }).filter(
    ({ code, isCertain }) => isCertain || !codesOfNames.has(code),
  );
}

/** A rule of the linter's users stands beside policies, and imports packages of the linter. */
export function isOwnRule({ package: { path } }: Module): boolean {
  const [first, second] = path.slice(1).map((term) => (term.type === 'string' ? term.value : ''));
  return (first === 'custom' && second === 'regal') || first === 'regal';
}
