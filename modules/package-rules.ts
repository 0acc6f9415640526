import { type Entrypoint, stringsOf } from '../compiler/entrypoints.js';
import type { Compiled } from '../compiler/resolve/compiled.js';

const isTest = /^(?:todo_)?test_/;

/**
 * The documents that the rules of a package make: entrypoints named by the package and the first
 * name of a rule's head. Functions and tests are left out.
 */
export function packageRules({ modules }: Compiled, path: readonly string[]): readonly Entrypoint[] {
  const found = new Map<string, Entrypoint>();
  for (const { parsed } of modules.values()) {
    const own = stringsOf(parsed.package.path);
    if (own?.length !== path.length || own.some((segment, i) => segment !== path[i])) continue;
    for (const { head } of parsed.rules) {
      const [first] = head.ref;
      if (head.args !== undefined || first?.type !== 'var' || isTest.test(first.name)) continue;
      const rule = [...path, first.name];
      found.set(first.name, { name: rule.join('/'), path: rule });
    }
  }
  return [...found.values()];
}
