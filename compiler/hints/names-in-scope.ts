/** The names in scope at a place in a module. */

import { documentText, isWildcard } from '../ast/names.js';
import type { Module, Rule } from '../ast/nodes.js';
import { leadingKeys } from '../ast/paths.js';
import { walk } from '../ast/walk.js';
import type { Span } from '../source/location.js';

/** The rule that holds a place. */
export function ruleAt(
  modules: Iterable<Module>,
  span: Span,
): { readonly module: Module; readonly rule: Rule | undefined } | undefined {
  for (const module of modules) {
    if (module.source !== span.source) continue;
    return { module, rule: module.rules.findLast(({ loc }) => loc.start <= span.start && span.start < loc.end) };
  }
  return undefined;
}

/** Variables of the rule, rules of the package, imports, and the root documents. */
export function namesAt(
  modules: Iterable<Module>,
  module: Module | undefined,
  rule: Rule | undefined,
  unbound: string,
): Set<string> {
  const names = new Set(['input', 'data']);
  if (module) {
    for (const { path, alias } of module.imports) {
      const last = path.terms.at(-1)!;
      names.add(alias ?? (last.type === 'string' ? last.value : ''));
    }
    for (const other of modules)
      if (packagePath(other) === packagePath(module)) for (const { head } of other.rules) names.add(headName(head.ref));
  }
  if (rule)
    walk(rule, (node) => {
      if (node.type === 'var' && !isWildcard(node.name)) names.add(node.name);
    });
  names.delete('');
  names.delete(unbound);
  return names;
}

/** The path of a package as policies write it. */
export function packagePath(module: Module): string {
  return documentText(leadingKeys(module.package.path.slice(1)));
}

export function headName([first]: Rule['head']['ref']): string {
  return first?.type === 'var' ? first.name : '';
}

/** The functions of policies by their full paths, without the variables in them. */
export function functionNames(
  modules: Iterable<Module>,
): readonly { readonly path: string; readonly package: string; readonly name: string }[] {
  const found = [];
  for (const module of modules) {
    const pkg = packagePath(module);
    for (const { head } of module.rules) {
      if (!head.args) continue;
      const name = head.ref
        .map((term) => (term.type === 'var' ? term.name : term.type === 'string' ? term.value : '_'))
        .join('.');
      found.push({ path: `${pkg}.${name}`, package: pkg, name });
    }
  }
  return found;
}
