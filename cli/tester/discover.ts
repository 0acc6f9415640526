/** Finds tests among rules, and names them. */

import type { Body, Compiled, Expr, Location, Module, Ref, Rule, RuleHead, Span, Term } from '../../compiler/index.js';
import {
  groundPrefix,
  isSkippedTest,
  locationOf,
  mapList,
  nameOfKey,
  printRef,
  testRef,
} from '../../compiler/index.js';
import type { ParsedFile } from '../load-policies.js';

export interface TestRule {
  /** `data.authz_test`. */
  readonly package: string;
  /** `test_allowed`; for a rule `a.test_allowed[x]`, `a.test_allowed`. */
  readonly name: string;
  /** Below `data`. */
  readonly path: readonly string[];
  /** The package and name as one text, which `--run` matches. */
  readonly fullName: string;
  readonly location: Location;
  readonly span: Span;
  /** The body in the source. */
  readonly body: Body;
  /** A `todo_test_` rule is listed but not run. */
  readonly skip: boolean;
  /** Whether the value is an object of results by case. */
  readonly hasCases: boolean;
  /** Whether it is a function, which has no value of its own. */
  readonly isFunction: boolean;
}

/** Renames tests with the same name: the second is `name#01`, and so on. */
export function renameDuplicates(parsed: readonly ParsedFile[]): ParsedFile[] {
  const counts = new Map<string, number>();
  return parsed.map((file) => {
    const pkg = printRef(file.module.package.path);
    const rules = file.module.rules.map((rule) => renamed(pkg, rule, counts));
    return rules.every((rule, i) => rule === file.module.rules[i])
      ? file
      : { ...file, module: { ...file.module, rules } };
  });
}

function renamed(pkg: string, rule: Rule, counts: Map<string, number>): Rule {
  const ref = testRef(rule.head);
  const last = ref?.at(-1);
  if (ref === undefined || last === undefined || isSkippedTest(nameOfKey(last))) return rule;
  const key = `${pkg} ${printRef(ref)}`;
  const count = counts.get(key) ?? 0;
  counts.set(key, count + 1);
  if (count === 0) return rule;
  const name = `${nameOfKey(last)}#${String(count).padStart(2, '0')}`;
  const term: Term = last.type === 'var' ? { ...last, name } : { type: 'string', loc: last.loc, value: name };
  const { head } = rule;
  const isFirst = ref.length === 1;
  return {
    ...rule,
    head: {
      ...head,
      ...(isFirst && head.name !== '' && { name }),
      ref: mapList(head.ref, (one, i) => (i === ref.length - 1 ? term : one)),
    },
  };
}

/** Selects tests. Patterns use the syntax of Rego's regular expressions; empty ones select all. */
export async function testMatcher(pattern: string): Promise<(fullName: string) => boolean> {
  if (pattern === '') return () => true;
  const { RE2JS } = await import('re2js');
  const compiled = RE2JS.compile(pattern);
  return (fullName) => compiled.matcher(fullName).find();
}

/** The tests of some modules, by file and then in source order. */
export function discoverTests(parsed: readonly ParsedFile[], matches: (fullName: string) => boolean): TestRule[] {
  return parsed.flatMap(({ module }) => {
    const pkg = printRef(module.package.path);
    return module.rules.flatMap((rule): TestRule[] => {
      const ref = testRef(rule.head);
      if (ref === undefined) return [];
      const path = [...module.package.path.slice(1), ...ref].map(nameOfKey);
      const fullName = fullTestName(module, ref);
      if (!matches(fullName)) return [];
      const skip = isSkippedTest(path.at(-1));
      return [
        {
          package: pkg,
          name: printRef(ref),
          path,
          fullName,
          location: locationOf(rule.loc),
          span: rule.loc,
          body: rule.body,
          skip,
          hasCases: hasCases(rule.head),
          isFunction: rule.head.args !== undefined,
        },
      ];
    });
  });
}

/** The package and the name of a test as one text. */
export function fullTestName(module: Module, ref: Ref): string {
  const [root, ...keys] = [...module.package.path, ...ref];
  return printRef([root!, ...keys.map((key): Term => ({ type: 'string', loc: key.loc, value: nameOfKey(key) }))]);
}

/** Whether a head defines an object: by a key and a value, or by a variable in its ref. */
function hasCases(head: RuleHead): boolean {
  if (head.key !== undefined) return head.value !== undefined;
  return groundPrefix(head.ref).length < head.ref.length;
}

/**
 * The expressions of all tests, including those inside `every`. Their variables' values are
 * recorded.
 */
export function testExpressions(compiled: Compiled): ReadonlySet<Expr> {
  const found = new Set<Expr>();
  const add = (body: Body): void => {
    for (const expr of body) {
      found.add(expr);
      if (expr.kind === 'every') add(expr.body);
    }
  };
  for (const { rules } of compiled.modules.values()) {
    for (const { rule } of rules) if (testRef(rule.head) !== undefined) add(rule.body);
  }
  return found;
}
