/** Documents in the place of rules. Only the paths that a write touches are checked. */
import { type CompiledRule, locationOf, type RuleTree } from '../../compiler/index.js';
import { PolicyError } from '../policy-error.js';

/** Whether a document is at a path, or something other than an object above it. */
export type Occupied = (path: readonly string[]) => boolean;

/** Throws a PolicyError where a document written at a path of `paths` meets a rule. */
export function checkDataConflicts(rules: RuleTree, occupied: Occupied, paths: readonly (readonly string[])[]): void {
  const found = new Map<string, CompiledRule>();
  for (const path of paths) {
    let node: RuleTree | undefined = rules;
    for (let i = 0; node !== undefined && i < path.length; i++) {
      if (i > 0) note(node, path.slice(0, i), occupied, found);
      node = node.children.get(`"${path[i]}`);
    }
    if (node !== undefined) searchBelow(node, path, occupied, found);
  }
  if (found.size === 0) return;
  const places = [...found].map(([path, { rule }]) => ({ path, ...locationOf(rule.loc) }));
  places.sort((a, b) => (a.file === b.file ? 0 : a.file < b.file ? -1 : 1) || a.row - b.row);
  const lines = places.map(
    ({ path, file, row }) => `${file}:${row}: rego_compile_error: conflicting rule for data path ${path} found`,
  );
  const text =
    lines.length === 1 ? `1 error occurred: ${lines[0]}` : `${lines.length} errors occurred:\n${lines.join('\n')}`;
  throw new PolicyError('rule_conflict', text);
}

function searchBelow(
  start: RuleTree,
  at: readonly string[],
  occupied: Occupied,
  found: Map<string, CompiledRule>,
): void {
  const pending = [{ node: start, path: at }];
  for (let next = pending.pop(); next !== undefined; next = pending.pop()) {
    const { node, path } = next;
    if (!occupied(path)) continue;
    if (node.rules.length > 0) {
      note(node, path, occupied, found);
      continue;
    }
    for (const child of node.children.values()) {
      if (child.key.type === 'string') pending.push({ node: child, path: [...path, child.key.value] });
    }
  }
}

function note(node: RuleTree, path: readonly string[], occupied: Occupied, found: Map<string, CompiledRule>): void {
  const [rule] = node.rules;
  if (rule !== undefined && occupied(path)) found.set(path.join('/'), rule);
}
