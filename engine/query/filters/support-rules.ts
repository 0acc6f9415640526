/** Rules that partial evaluation did not inline: `data.partial.…`. */

import type { Body, Module, RefTerm, Rule, Term } from '../../../compiler/index.js';
import { booleanTerm, compareTerms, isLiteral, isRoot, nowhere } from '../../../compiler/index.js';

/** The rules of support modules, by path. */
export class SupportRules {
  readonly #rules = new Map<string, Rule[]>();
  /** Paths above those of rules. */
  readonly #above = new Set<string>();

  constructor(modules: readonly Module[]) {
    for (const {
      package: { path },
      rules,
    } of modules) {
      for (const rule of rules) {
        const terms = [...path, ...rule.head.ref];
        const key = pathOf(terms);
        const found = key === undefined ? undefined : this.#rules.get(key);
        if (key !== undefined) this.#rules.set(key, [...(found ?? []), rule]);
        for (let i = path.length + 1; i < terms.length; i++) this.#above.add(pathOf(terms.slice(0, i)) ?? '');
      }
    }
  }

  /**
   * The bodies of the rules at a path that have a value, or with no value asked for any but false;
   * undefined where the rules do not say when the document has it: a rule with `else`, a set, a
   * default that has the value.
   */
  bodiesFor(ref: RefTerm, value: Term | undefined): readonly Body[] | undefined {
    const key = pathOf(ref.terms);
    const rules = key === undefined ? undefined : this.#rules.get(key);
    if (rules === undefined) return undefined;
    const bodies: Body[] = [];
    for (const rule of rules) {
      const { head } = rule;
      const given = head.value ?? trueTerm;
      if (rule.else !== undefined || head.key !== undefined || head.args !== undefined || !isLiteral(given))
        return undefined;
      const has = value === undefined ? !(given.type === 'boolean' && !given.value) : compareTerms(given, value) === 0;
      if (has && rule.default) return undefined;
      if (has) bodies.push(rule.body);
    }
    return bodies;
  }

  /** The kind of the rules that a ref leads to, or whose value it looks into. */
  kindOf({ terms }: RefTerm): SupportKind | undefined {
    for (let length = terms.length; length > 0; length--) {
      const key = pathOf(terms.slice(0, length)) ?? '';
      const rules = this.#rules.get(key);
      if (rules?.some((rule) => rule.default)) return 'default';
      if (rules !== undefined)
        return rules.some(({ head }) => head.key !== undefined && head.value === undefined)
          ? 'multi-value'
          : 'complete';
      if (this.#above.has(key)) return 'partial';
    }
    return undefined;
  }
}

/** The kind of rules that were not inlined. */
type SupportKind = 'default' | 'multi-value' | 'partial' | 'complete';

const trueTerm = booleanTerm(nowhere, true);

/** A path of constants; the first terms of a package and of a rule's ref are variables. */
function pathOf(terms: readonly Term[]): string | undefined {
  const names = terms.map((term) =>
    term.type === 'var' ? term.name : term.type === 'string' ? term.value : undefined,
  );
  return names.includes(undefined) ? undefined : JSON.stringify(names);
}

/** `data.partial.a.b` → `data.a.b`, the name that the author knows. */
export function authorsName(ref: RefTerm): RefTerm {
  const [head, , ...rest] = ref.terms;
  return isSupportRef(ref) ? { ...ref, terms: [head, ...rest] } : ref;
}

/** Whether a term is a ref into the rules that partial evaluation did not inline. */
export function isSupportRef(term: Term): term is RefTerm {
  if (term.type !== 'ref') return false;
  const [head, first] = term.terms;
  return isRoot(head, 'data') && first?.type === 'string' && first.value === 'partial';
}
