/** The tests of policies: rules whose names begin with `test_`. */

import { isSkippedTest, packageSegments, type Rule, testNames } from '../../../compiler/index.js';
import type { PolicyFile } from '../workspace/policy-file.js';

export interface TestOfPolicy {
  readonly name: string;
  /** The path of its package and its own, below `data`. */
  readonly path: readonly string[];
  readonly packagePath: readonly string[];
  readonly rule: Rule;
  /** Listed, and not run. */
  readonly isSkipped: boolean;
}

/** The tests of a policy, in the order of the text. */
export function testsOf({ module }: PolicyFile): readonly TestOfPolicy[] {
  if (module === undefined) return [];
  const packagePath = packageSegments(module);
  const seen = new Set<string>();
  return module.rules.flatMap((rule): TestOfPolicy[] => {
    const own = testNames(rule);
    const name = own?.join('.');
    if (own === undefined || name === undefined || seen.has(name)) return [];
    seen.add(name);
    return [{ name, path: [...packagePath, ...own], packagePath, rule, isSkipped: isSkippedTest(own.at(-1)) }];
  });
}
