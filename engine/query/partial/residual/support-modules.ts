/** Rules of the residual: rules of the policy that were not inlined, and conditions under `not`. */

import {
  compareBodies,
  compareTerms,
  type Module,
  nowhere,
  type Package,
  type Ref,
  type RegoVersion,
  type Rule,
  type RuleHead,
  reserved,
  Source,
  stringTerm,
  type Term,
  type VirtualDocument,
  varTerm,
} from '../../../../compiler/index.js';
import type { Value } from '../../../../values/index.js';

/** A document whose rules are in the residual. */
export interface SupportedDocument {
  readonly isEmpty: boolean;
  /** Whether its residual has the objects and sets inside of it that the policy's rules make. */
  readonly isWhole: boolean;
  /** The value, where no rule of it depends on unknowns; undefined in it: there is none. */
  readonly known: { readonly value: Value | undefined } | undefined;
  readonly add: () => void;
  /** Whether one of its rules may have some keys; undefined ones are open. */
  readonly mayHave: (keys: readonly (Value | undefined)[]) => boolean;
}

/** The package of all generated rules. */
export const supportPackage = 'partial';

export class SupportModules {
  readonly #packages = new Map<string, { readonly path: Package['path']; readonly rules: Rule[] }>();
  readonly documents = new Map<VirtualDocument, SupportedDocument>();
  /** Paths of the documents whose rules were added. */
  readonly added: (readonly string[])[] = [];
  #conditions = 0;

  /** The modules in order of their packages, with their rules in order. */
  modules(regoVersion: RegoVersion): readonly Module[] {
    const packages = [...this.#packages.values()].sort((a, b) => comparePaths(a.path, b.path));
    return packages.map(({ path, rules }) => ({
      type: 'module',
      source: new Source('', ''),
      regoVersion,
      package: { type: 'package', loc: nowhere, path },
      imports: [],
      rules: rules.sort(compareRules),
      comments: [],
      annotations: [],
    }));
  }

  /** Adds a rule; `ref` is its full path below `data`, its key or arguments are in the head. */
  add(ref: readonly Term[], rule: Omit<Rule, 'head'>, head: Omit<RuleHead, 'name' | 'ref'>): void {
    let split = ref.findIndex(({ type }) => type !== 'string');
    if (split < 0) split = ref.length;
    while (split > 1 && !isRuleName((ref[split - 1] as Term & { type: 'string' }).value)) split--;
    const keys = [
      stringTerm(nowhere, supportPackage),
      ...ref.slice(0, split - 1).filter((term) => term.type === 'string'),
    ];
    const name = (ref[split - 1] as Term & { type: 'string' }).value;
    const own: Ref = [varTerm(nowhere, name), ...ref.slice(split)];
    const key = JSON.stringify(keys.map(({ value }) => value));
    let pkg = this.#packages.get(key);
    if (pkg === undefined) this.#packages.set(key, (pkg = { path: [varTerm(nowhere, 'data'), ...keys], rules: [] }));
    pkg.rules.push({ ...rule, head: { ...head, name: own.length <= 2 ? name : '', ref: own } });
  }

  /** A name for a condition under `not`. */
  condition(): string {
    return `__not0_0_${++this.#conditions}__`;
  }
}

/** Names of the documents that all rules see. */
const documents: ReadonlySet<string> = new Set(['data', 'input']);

/** Whether a rule can have a text for its name. */
export function isRuleName(name: string): boolean {
  return /^[A-Za-z_]\w*$/.test(name) && !reserved.has(name) && !documents.has(name);
}

function comparePaths(a: readonly Term[], b: readonly Term[]): number {
  for (const [i, term] of a.entries()) {
    const other = b[i];
    const order = other === undefined ? 0 : compareTerms(term, other);
    if (order !== 0) return order;
  }
  return a.length - b.length;
}

/** The order by heads (without arguments first, defaults behind equal ones), then by bodies. */
function compareRules(a: Rule, b: Rule): number {
  const values = ({ head: { key, value } }: Rule) => [...(key ? [key] : []), ...(value ? [value] : [])];
  return (
    comparePaths(a.head.args ?? [], b.head.args ?? []) ||
    comparePaths(a.head.ref, b.head.ref) ||
    comparePaths(values(a), values(b)) ||
    Number(a.default) - Number(b.default) ||
    compareBodies(a.body, b.body)
  );
}

/** The ref of a rule of the residual. */
export function supportRef(path: readonly string[]): Term {
  const keys = [supportPackage, ...path].map((key) => stringTerm(nowhere, key));
  return { type: 'ref', loc: nowhere, terms: [varTerm(nowhere, 'data'), ...keys] };
}
