/** The tests of policies: rules whose names begin with `test_`. */

import type { Rule } from '../../../compiler/index.js';
import type { PolicyFile } from '../workspace/policy-file.js';

export interface TestOfPolicy {
  readonly name: string;
  /** The path of its package and its own, below `data`. */
  readonly path: readonly string[];
  readonly packagePath: readonly string[];
  readonly rule: Rule;
}

const testName = /^(?:todo_)?test_/;

/** The tests of a policy, in the order of the text. */
export function testsOf({ module }: PolicyFile): readonly TestOfPolicy[] {
  if (module === undefined) return [];
  const packagePath = module.package.path.slice(1).map((term) => (term.type === 'string' ? term.value : ''));
  const seen = new Set<string>();
  return module.rules.flatMap((rule): TestOfPolicy[] => {
    const names = rule.head.ref.map((term, i) =>
      term.type === 'string' ? term.value : i === 0 && term.type === 'var' ? term.name : undefined,
    );
    const at = names.findIndex((name) => name !== undefined && testName.test(name));
    const own = names.slice(0, at + 1);
    if (at < 0 || rule.head.args !== undefined || own.includes(undefined)) return [];
    const name = own.join('.');
    if (seen.has(name)) return [];
    seen.add(name);
    return [{ name, path: [...packagePath, ...(own as string[])], packagePath, rule }];
  });
}
