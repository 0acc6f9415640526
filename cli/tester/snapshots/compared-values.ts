/** Comparisons of tests with `data.snapshots`, as rules that give the compared values. */
import type { CallExpr, Rule, Span, Term } from '../../../compiler/index.js';
import {
  elseChain,
  functionName,
  isRoot,
  isSkippedTest,
  nameOfKey,
  parseModule,
  stringKeys,
  testRef,
} from '../../../compiler/index.js';
import type { ParsedFile } from '../../load-policies.js';
import { fullTestName } from '../discover.js';

/** A snapshot that a test compares with, and the rule that gives its value. */
export interface ComparedValue {
  /** Below `data.snapshots`. */
  readonly path: readonly string[];
  /** Below `data`: a set with the values of all solutions. */
  readonly rule: readonly string[];
  readonly location: Span;
}

export interface ComparedValues {
  readonly values: readonly ComparedValue[];
  readonly modules: readonly ParsedFile[];
}

/** The comparisons in the tests that are selected. */
export function comparedValues(parsed: readonly ParsedFile[], matches: (fullName: string) => boolean): ComparedValues {
  const values: ComparedValue[] = [];
  const modules: ParsedFile[] = [];
  for (const one of parsed) {
    const found = new ModuleComparisons(one, matches, modules.length);
    if (found.values.length === 0) continue;
    values.push(...found.values);
    modules.push(found.module());
  }
  return { values, modules };
}

/** A name that no test has. */
const variable = 'value_of_the_snapshot';

class ModuleComparisons {
  readonly values: ComparedValue[] = [];
  readonly #rules: string[] = [];
  readonly #file: ParsedFile;
  readonly #number: number;

  constructor(file: ParsedFile, matches: (fullName: string) => boolean, number: number) {
    this.#file = file;
    this.#number = number;
    const { module } = file;
    for (const rule of module.rules) {
      const ref = testRef(rule.head);
      if (ref === undefined || isSkippedTest(nameOfKey(ref.at(-1)!))) continue;
      if (!matches(fullTestName(module, ref))) continue;
      for (const link of elseChain(rule)) this.#body(link);
    }
  }

  #body({ body }: Rule): void {
    for (const [i, expr] of body.entries()) {
      const compared = expr.kind === 'call' && !expr.negated ? snapshotOf(expr) : undefined;
      if (compared === undefined) continue;
      const { loc } = expr;
      const before = loc.source.text.slice(body[0]!.loc.start, loc.start);
      const value = `${variable} := ${[compared.value, ...expr.with].map((part) => textOfSpan(part.loc)).join(' ')}`;
      this.#add(compared.path, i === 0 ? value : `${before}${value}`, loc);
    }
  }

  #add(path: readonly string[], body: string, location: Span): void {
    const { regoVersion, package: pkg } = this.#file.module;
    const name = `snapshot_${this.#number}_${this.values.length}`;
    const head = regoVersion === 'v0' ? `${name}[${variable}]` : `${name} contains ${variable} if`;
    this.#rules.push(`${head} {\n${body}\n}\n`);
    const segments = pkg.path.slice(1).map((term) => (term.type === 'string' ? term.value : ''));
    this.values.push({ path, rule: [...segments, name], location });
  }

  module(): ParsedFile {
    const { module } = this.#file;
    const path = `${this.#file.name} (snapshots)`;
    // The package and the imports, as they are written before the first rule.
    const header = module.source.text.slice(0, module.rules[0]!.loc.start);
    const text = `${header}\n${this.#rules.join('\n')}`;
    const file = { path, url: path, bundlePath: path, text, bytes: new TextEncoder().encode(text) };
    return {
      name: path,
      file,
      module: parseModule(path, text, { regoVersion: module.regoVersion === 'v1' ? 'v1' : 'v0' }),
    };
  }
}

/** The two sides of `x == data.snapshots.name`; undefined for other expressions. */
function snapshotOf({
  operator,
  args,
}: CallExpr): { readonly path: readonly string[]; readonly value: Term } | undefined {
  const [a, b] = args;
  if (!['equal', 'eq'].includes(functionName(operator) ?? '') || a === undefined || b === undefined) return undefined;
  const [left, right] = [snapshotPath(a), snapshotPath(b)];
  if (left !== undefined) return right === undefined ? { path: left, value: b } : undefined;
  return right && { path: right, value: a };
}

function snapshotPath(term: Term): readonly string[] | undefined {
  if (term.type !== 'ref') return undefined;
  const [head, root, ...keys] = term.terms;
  if (!isRoot(head, 'data') || root?.type !== 'string' || root.value !== 'snapshots') return undefined;
  return keys.length === 0 ? undefined : stringKeys(keys);
}

function textOfSpan({ source, start, end }: Span): string {
  return source.text.slice(start, end);
}
