/** Imports: removal, order and groups. */

import type { Import, Module } from '../ast/nodes.js';
import { walk } from '../ast/walk.js';
import type { FormatOptions } from './format-options.js';

/** Whether an import goes: where `rego.v1` is imported, it brings the keywords of the future. */
export function isDropped(statement: Import, module: Module, options: FormatOptions): boolean {
  const keyword = keywordOf(statement);
  if (keyword === undefined) return false;
  const version = options.to ?? module.regoVersion;
  if (options.dropV0Imports && version === 'v1') return keyword !== '*' || !usesMoreKeywords(module);
  if (keyword === '*' && usesMoreKeywords(module)) return false;
  return keyword !== '*v1' && (version === 'v0v1' || module.imports.some((each) => keywordOf(each) === '*v1'));
}

/** Whether there is an `and` or an `or`, which version 1 does not have without an import. */
function usesMoreKeywords({ rules }: Module): boolean {
  let found = false;
  for (const rule of rules)
    walk(rule, (node) => {
      found ||= node.type === 'expr' && (node.kind === 'and' || node.kind === 'or');
    });
  return found;
}

/** The keyword that an import brings: `*` for all, `*v1` by `rego.v1`. */
export function keywordOf({ path }: Import): string | undefined {
  const [head, ...rest] = path.terms.map((term) =>
    term.type === 'var' ? term.name : term.type === 'string' ? term.value : '',
  );
  if (head === 'rego') return rest[0] === 'v1' && rest.length === 1 ? '*v1' : undefined;
  if (head !== 'future' || rest[0] !== 'keywords') return undefined;
  if (rest.length === 1) return '*';
  const [, keyword] = rest;
  return keyword && /^(in|if|contains|every)$/.test(keyword) ? keyword : undefined;
}

/** The order of imports: by path, part by part, then by name. */
export function compareImports(a: Import, b: Import): number {
  const order = (left: string, right: string): number => (left < right ? -1 : left > right ? 1 : 0);
  const parts = (statement: Import): string[] =>
    statement.path.terms.map((term) => (term.type === 'var' ? term.name : term.type === 'string' ? term.value : ''));
  const [left, right] = [parts(a), parts(b)];
  for (const [i, part] of left.entries()) {
    const other = right[i];
    const found = other === undefined ? 0 : order(part, other);
    if (found !== 0) return found;
  }
  return left.length - right.length || order(a.alias ?? '', b.alias ?? '');
}

/** Imports that no blank line separates. */
export function groupImports(imports: readonly Import[]): readonly (readonly [Import, ...Import[]])[] {
  const groups: [Import, ...Import[]][] = [];
  for (const [i, statement] of imports.entries()) {
    const [last, before] = [groups.at(-1), imports[i - 1]];
    if (last && before && statement.loc.row <= before.loc.row + 1) last.push(statement);
    else groups.push([statement]);
  }
  return groups;
}
