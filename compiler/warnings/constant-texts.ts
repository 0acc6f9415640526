/** Constant texts of operands, as literals or constant rules of the policies give them. */

import type { Rule, StringTerm, Term } from '../ast/nodes.js';
import { walk } from '../ast/walk.js';
import { isEquality } from '../resolve/expression-kinds.js';
import { isGeneratedName } from '../resolve/local-names.js';
import type { KnownNames } from './known-names.js';

/** The constant texts of one compiled rule. */
export class ConstantTexts {
  readonly #names: KnownNames;
  /** The values of variables that stages made: each stands for one value in the whole rule. */
  readonly #values = new Map<string, Term>();

  constructor(rule: Rule, names: KnownNames) {
    this.#names = names;
    walk(rule, (node) => {
      if (node.type !== 'expr' || !isEquality(node) || node.negated || node.with.length > 0) return;
      const [variable, value] = node.args;
      if (variable.type === 'var' && isGeneratedName(variable.name)) this.#values.set(variable.name, value);
    });
  }

  /**
   * The literals that a term may be: one, or the members of a constant collection that it goes
   * through. None for other terms.
   */
  of(term: Term): readonly StringTerm[] {
    return (this.#allOf(term) ?? []).filter(isText);
  }

  /** All values of a term, where each is a text; undefined where it may have others. */
  whole(term: Term): readonly StringTerm[] | undefined {
    const values = this.#allOf(term);
    return values?.every(isText) ? values : undefined;
  }

  #allOf(term: Term): readonly Term[] | undefined {
    const value = this.#valueOf(term);
    if (value === undefined || value.type === 'string') return value && [value];
    if (value.type !== 'ref') return undefined;
    const key = value.terms.at(-1);
    if (value.terms.length < 2 || key?.type !== 'var') return undefined;
    const [head, ...keys] = value.terms;
    const collection = this.#valueOf(keys.length === 1 ? head : { ...value, terms: [head, ...keys.slice(0, -1)] });
    return collection && membersOf(collection);
  }

  /** A term with variables and constant rules replaced by their values. */
  #valueOf(term: Term): Term | undefined {
    let value: Term | undefined = term;
    // Variables of other rules may have the same names.
    let isOwn = true;
    // A rule that is the constant of another one, and so on; a few steps are enough.
    for (let step = 0; step < 8; step++) {
      if (value?.type === 'var') value = isOwn ? this.#values.get(value.name) : undefined;
      else if (value?.type === 'ref') {
        const constant: Term | undefined = this.#names.constant(value.terms);
        if (constant === undefined) return isOwn ? value : undefined;
        value = constant;
        isOwn = false;
      } else return value;
    }
    return undefined;
  }
}

function isText(term: Term): term is StringTerm {
  return term.type === 'string';
}

/** Undefined for what is no collection as the text has it. */
function membersOf(collection: Term): readonly Term[] | undefined {
  if (collection.type === 'array' || collection.type === 'set') return collection.items;
  return collection.type === 'object' ? collection.entries.map(({ value }) => value) : undefined;
}
