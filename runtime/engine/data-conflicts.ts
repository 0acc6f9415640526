/** Documents that would stand where rules are. Only the paths that a write touches are looked at. */
import type { CompiledRule } from '../../compiler/resolve/compiled.js';
import type { RuleTree } from '../../compiler/resolve/tree.js';
import { locationOf } from '../../compiler/source/location.js';
import { isObject, type PlainObject, type Value } from '../values/value.js';
import { PolicyError } from './policy-engine.js';

/** Whether a base document is at a path: one that is no object stands for everything below it. */
export function documentExists(root: Value, path: readonly string[]): boolean {
  let node: Value = root;
  for (const segment of path) {
    if (!isObject(node)) return true;
    if (!Object.hasOwn(node, segment)) return false;
    node = (node as PlainObject)[segment]!;
  }
  return true;
}

/** Throws a PolicyError where a document written at a path of `paths` meets a rule. */
export function checkDataConflicts(rules: RuleTree, data: PlainObject, paths: readonly (readonly string[])[]): void {
  const found = new Map<string, CompiledRule>();
  for (const path of paths) {
    let node: RuleTree | undefined = rules;
    for (let i = 0; node !== undefined && i < path.length; i++) {
      if (node.rules.length > 0 && i > 0) note(node, path.slice(0, i), data, found);
      node = node.children.get(`"${path[i]}`);
    }
    if (node !== undefined) searchBelow(node, path, data, found);
  }
  if (found.size === 0) return;
  const lines = [...found].map(([path, { rule }]) => {
    const { file, row } = locationOf(rule.loc);
    return `${file}:${row}: rego_compile_error: conflicting rule for data path ${path} found`;
  });
  const text = lines.length === 1 ? `1 error occurred: ${lines[0]}` : `${lines.length} errors occurred:\n${lines.join('\n')}`;
  throw new PolicyError('rule_conflict', text);
}

function searchBelow(start: RuleTree, at: readonly string[], data: PlainObject, found: Map<string, CompiledRule>): void {
  const pending = [{ node: start, path: at }];
  for (let next = pending.pop(); next !== undefined; next = pending.pop()) {
    const { node, path } = next;
    if (!documentExists(data, path)) continue;
    if (node.rules.length > 0) {
      note(node, path, data, found);
      continue;
    }
    for (const child of node.children.values()) {
      if (child.key.type === 'string') pending.push({ node: child, path: [...path, child.key.value] });
    }
  }
}

function note(node: RuleTree, path: readonly string[], data: PlainObject, found: Map<string, CompiledRule>): void {
  if (documentExists(data, path)) found.set(path.join('/'), node.rules[0]!);
}
