/** Entrypoints of a plan: documents by their names. */

import { sortStrings } from '../values/index.js';
import type { Module, Term } from './ast/nodes.js';
import { stringKeys } from './ast/paths.js';
import { closest } from './hints/closest.js';
import type { PlanRequest } from './plan/planner.js';
import type { Compiled } from './resolve/compiled.js';
import type { CompiledRule } from './resolve/compiled-rule.js';
import { childNames, groundPrefix, keyOfString, type RuleTree, rulesRead } from './resolve/tree.js';
import { nowhere } from './source/location.js';

export interface Entrypoint {
  /** The path in the source, which is the plan's name. */
  readonly name: string;
  readonly path: readonly string[];
}

/** The entrypoints that annotations of packages and rules declare, in the order of their paths. */
export function annotatedEntrypoints(modules: Iterable<Module>): Entrypoint[] {
  const found = new Map<string, Entrypoint>();
  for (const { annotations } of modules) {
    for (const { entrypoint, scope, path } of annotations) {
      if (!entrypoint || (scope !== 'package' && scope !== 'document')) continue;
      const keys = stringKeys(path.slice(1));
      if (keys !== undefined) found.set(keys.join('/'), { name: keys.join('/'), path: keys });
    }
  }
  return sortStrings([...found.keys()]).map((name) => found.get(name)!);
}

/** The path of a module's package below `data`, which has constants alone. */
export function packageSegments(module: Module): string[] {
  return module.package.path.slice(1).flatMap((term) => (term.type === 'string' ? [term.value] : []));
}

/** Parses `authz/allow`; leading and trailing slashes are allowed. Throws an Error. */
export function parseEntrypoint(name: string): Entrypoint {
  const path = name.replace(/^\/+|\/+$/g, '').split('/');
  if (path.some((segment) => segment === '')) throw new Error(`entrypoint ${name} not valid: use <package>/<rule>`);
  return { name, path: path.map(unescaped) };
}

function unescaped(segment: string): string {
  try {
    return decodeURIComponent(segment);
  } catch {
    return segment;
  }
}

/** Removes duplicates and keeps the order. */
export function distinctEntrypoints(entrypoints: readonly Entrypoint[]): Entrypoint[] {
  return [
    ...new Map(entrypoints.toReversed().map((entrypoint) => [entrypoint.path.join('\u0000'), entrypoint])).values(),
  ].reverse();
}

/** The rules that a path may refer to: those at the path, above it and below it. */
export function rulesAtPath(compiled: Compiled, path: readonly string[]): readonly CompiledRule[] {
  return rulesRead(compiled.ruleTree, [
    { type: 'var', loc: nowhere, name: 'data' },
    ...path.map((value): Term => ({ type: 'string', loc: nowhere, value })),
  ]);
}

/**
 * The documents whose rules read the entrypoints, directly or indirectly: the reference plans them
 * as well. Functions are left out: they cannot be entrypoints.
 * @param leftOut names of modules whose rules are no entrypoints
 */
export function dependents(
  compiled: Compiled,
  entrypoints: readonly Entrypoint[],
  leftOut: ReadonlySet<string>,
): Entrypoint[] {
  const readers = new Map<CompiledRule, CompiledRule[]>();
  for (const [name, { rules }] of compiled.modules) {
    for (const rule of leftOut.has(name) ? [] : rules) {
      for (const read of compiled.graph.dependencies(rule)) {
        const known = readers.get(read);
        if (known === undefined) readers.set(read, [rule]);
        else known.push(rule);
      }
    }
  }
  const open = entrypoints.flatMap(({ path }) => rulesAtPath(compiled, path));
  const seen = new Set<CompiledRule>();
  for (let rule = open.pop(); rule !== undefined; rule = open.pop()) {
    for (const reader of readers.get(rule) ?? []) {
      if (seen.has(reader)) continue;
      seen.add(reader);
      open.push(reader);
    }
  }
  const names = new Map<string, Entrypoint>();
  for (const { rule, ref } of seen) {
    const path = stringKeys(groundPrefix(ref).slice(1));
    if (rule.head.args === undefined && path !== undefined) names.set(path.join('/'), { name: path.join('/'), path });
  }
  return sortStrings([...names.keys()]).map((name) => names.get(name)!);
}

/** Throws an Error for an entrypoint without rules. */
export function checkEntrypoints(compiled: Compiled, entrypoints: readonly Entrypoint[]): void {
  for (const { name, path } of entrypoints) {
    if (rulesAtPath(compiled, path).length === 0) throw new Error(undefinedEntrypoint(compiled, name, path));
  }
}

/** The message for an entrypoint without rules, with the one that may have been meant. */
export function undefinedEntrypoint(
  { ruleTree }: Pick<Compiled, 'ruleTree'>,
  name: string,
  path: readonly string[],
): string {
  const meant =
    meantPath(ruleTree, path) ??
    meantPath(ruleTree, name.replace(/^data[./:]/, '').split(/[./:]/)) ??
    ruleNamed(ruleTree, name);
  const hint =
    meant === undefined || meant.join('/') === name ? '' : `\nhint: did you mean ${JSON.stringify(meant.join('/'))}?`;
  return `entrypoint ${JSON.stringify(name)} does not refer to a rule or policy decision${hint}`;
}

/** The path, or one with names like its own; undefined if a name is like none. */
function meantPath(root: RuleTree, path: readonly string[]): readonly string[] | undefined {
  let node = root;
  const found: string[] = [];
  for (const name of path) {
    if (node.rules.length > 0) break;
    const names = childNames(node);
    const meant = names.includes(name) ? name : closest(name, names);
    if (meant === undefined) return undefined;
    found.push(meant);
    node = node.children.get(keyOfString(meant))!;
  }
  return found.length === 0 ? undefined : found;
}

/** The path of a rule by its name alone. */
function ruleNamed(node: RuleTree, name: string, path: readonly string[] = []): readonly string[] | undefined {
  for (const child of node.children.values()) {
    if (child.key.type !== 'string') continue;
    const below = [...path, child.key.value];
    const found = child.rules.length > 0 && child.key.value === name ? below : ruleNamed(child, name, below);
    if (found !== undefined) return found;
  }
  return undefined;
}

export function requestsFor(entrypoints: readonly Entrypoint[]): PlanRequest[] {
  return entrypoints.map(({ name, path }) => ({ name, path }));
}
