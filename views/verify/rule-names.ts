/** The rules that a check asks for, and their exceptions. */
import { type Module, printRef } from '../../compiler/index.js';

const failing = /^(?:deny|violation)(?:_[a-zA-Z0-9]+)*$/;
const warning = /^warn(?:_[a-zA-Z0-9]+)*$/;

/** A rule by its name, with the number of its definitions. */
export interface CheckedRule {
  readonly name: string;
  readonly kind: 'failure' | 'warning';
  readonly count: number;
  readonly isFunction: boolean;
}

/** `rooms.hall` of `package rooms.hall`. */
export function namespaceOf({ package: { path } }: Module): string {
  return printRef(path).replace(/^data\.?/, '');
}

/** The path of a namespace below `data`, which has no quoted parts. */
export function namespacePath(namespace: string): readonly string[] {
  return namespace.split('.');
}

/** The rules of a namespace as they are written, files by path. */
export function checkedRules(modules: readonly Module[], namespace: string): readonly CheckedRule[] {
  const found = new Map<string, CheckedRule>();
  for (const module of modules) {
    if (namespaceOf(module) !== namespace) continue;
    for (const { head } of module.rules) {
      // Empty for longer refs, which are not looked at.
      const { name } = head;
      const kind = failing.test(name) ? 'failure' : warning.test(name) ? 'warning' : undefined;
      if (kind === undefined) continue;
      const known = found.get(name);
      const isFunction = head.args !== undefined || known?.isFunction === true;
      found.set(name, { name, kind, count: (known?.count ?? 0) + 1, isFunction });
    }
  }
  return [...found.values()];
}

/** The name by which an exception calls a rule: `bright` of `deny_bright`, nothing of `deny`. */
export function exceptionName(rule: string): string {
  const at = rule.indexOf('_');
  return at < 0 ? '' : rule.slice(at + 1);
}

/** The namespaces that patterns name; those that name none stay as they are written. */
export function namespacesOf(modules: readonly Module[], patterns: readonly string[]): string[] {
  const known = [...new Set(modules.map(namespaceOf))];
  const found = patterns.flatMap((pattern) => {
    if (!/[*?[\]\\]/.test(pattern)) return [pattern];
    const matches = matcherOf(pattern);
    return known.filter(matches);
  });
  return [...new Set(found)];
}

/** Shell patterns over a namespace as a path of parts: a star stays within a part. */
function matcherOf(pattern: string): (name: string) => boolean {
  const source = pattern.replace(/\[(\^?)([^\]]*)\]|[.*+?^${}()|\\]/g, (part, not, range) => {
    if (range !== undefined) return `[${not}${range}]`;
    return part === '*' ? '.*' : part === '?' ? '.' : `\\${part}`;
  });
  const expression = new RegExp(`^${source}$`);
  return (name) => expression.test(name);
}
