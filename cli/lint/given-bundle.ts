/** The linter's own bundle, given as a folder of rules: its data, and what it reads. */

import { readdirSync, readFileSync, statSync } from 'node:fs';
import { dirname, join, relative, sep } from 'node:path';
import { type Module, packageSegments } from '../../compiler/index.js';
import { isObject, type PlainObject, setOwn, textOfFile, type Value } from '../../values/index.js';
import type { LintRule } from '../../views/index.js';

/** The packages `regal.…` of modules: they stand in the place of those that writ has. */
export function givenPackages(modules: Iterable<Module>): ReadonlySet<string> {
  const names = [...modules].map((module) => packageSegments(module).join('.'));
  return new Set(names.filter((name) => name.startsWith('regal.')));
}

/** The data files of folders, each below the path of its directory. Rejects with a YamlError. */
export async function readRuleData(paths: readonly string[]): Promise<PlainObject> {
  const { parseYaml } = await import('../../values/yaml/yaml.js');
  const data: PlainObject = {};
  for (const folder of paths.filter((path) => statSync(path).isDirectory()))
    for (const name of (readdirSync(folder, { recursive: true }) as string[]).sort()) {
      if (!/(?:^|[/\\])data\.(?:json|ya?ml)$/.test(name)) continue;
      const below = relative(folder, dirname(join(folder, name)));
      put(data, below === '' ? [] : below.split(sep), parseYaml(textOfFile(readFileSync(join(folder, name)))));
    }
  return data;
}

function put(data: PlainObject, path: readonly string[], value: Value): void {
  let at = data;
  for (const key of path) {
    if (!Object.hasOwn(at, key)) setOwn<Value>(at, key, {});
    at = at[key] as PlainObject;
  }
  if (isObject(value)) for (const [key, member] of Object.entries(value as PlainObject)) setOwn(at, key, member);
}

/**
 * The configuration of all rules: their levels and options, and over them those of the user.
 * Options that a user names replace all others of the rule.
 */
export function combinedRules(table: readonly LintRule[], user: PlainObject): PlainObject {
  const combined: Record<string, Record<string, Value>> = {};
  for (const { category, name, options = {}, isOff, level } of table)
    (combined[category] ??= {})[name] = {
      level: isOff ? 'ignore' : (level ?? 'error'),
      ...options,
    } as unknown as PlainObject;
  for (const [category, rules] of Object.entries(user)) {
    if (category === 'default' || !isObject(rules)) continue;
    const known = (combined[category] ??= {});
    for (const [name, rule] of Object.entries(rules as PlainObject)) {
      if (name === 'default' || !isObject(rule)) continue;
      const { level = 'error' } = (known[name] ?? {}) as PlainObject;
      known[name] = { level, ...(rule as PlainObject) };
    }
  }
  return combined as unknown as PlainObject;
}
