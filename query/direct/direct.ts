/**
 * Rules without modifiers, evaluated without the search: compiled to closures over numbered
 * variables, each of which calls its continuation. Conflicts are looked for at once, as
 * plans do. Where that is not possible, the search evaluates the rules.
 */

import type { Expr, RefTerm, Term } from '../../compiler/ast/nodes.js';
import type { VirtualDocument } from '../../compiler/resolve/virtual-document.js';
import type { Value } from '../../values/value.js';
import type { Frame } from '../bindings.js';
import type { Program, Search } from '../search.js';
import { DirectCollection } from './collections.js';
import type { Compiling, DirectRules, Get, GetDefined, Step } from './compiling.js';
import { comprehension } from './comprehensions.js';
import { body } from './expressions.js';
import { NeedsSearch } from './needs-search.js';
import { defined, iteratingRef, singleRef } from './refs.js';
import { DirectRun } from './run.js';
import type { Scope } from './scope.js';
import { plain } from './terms.js';
import { DirectValue } from './values.js';

class DirectCompiler implements Compiling {
  readonly program: Program;
  /** Documents that need the search. */
  readonly searched = new Set<VirtualDocument>();
  readonly #rules = new Map<VirtualDocument, DirectRules>();

  constructor(program: Program) {
    this.program = program;
  }

  rules(document: VirtualDocument): DirectRules {
    if (this.searched.has(document)) throw new NeedsSearch('rules that need the search');
    let rules = this.#rules.get(document);
    if (rules === undefined) {
      if (document.rules.every(({ rule }) => rule.body.some(hasModifier))) {
        this.searched.add(document);
        throw new NeedsSearch('a modifier in each rule');
      }
      const hasValue = document.kind === 'complete' || document.kind === 'function';
      rules = hasValue ? new DirectValue(this, document) : new DirectCollection(this, document);
      this.#rules.set(document, rules);
    }
    return rules;
  }

  body: Compiling['body'] = (exprs, scope, end) => body(this, exprs, scope, end);
  comprehension: Compiling['comprehension'] = (term, scope) => comprehension(this, term, scope);

  single(term: Term, scope: Scope): GetDefined | undefined {
    switch (term.type) {
      case 'ref':
        return singleRef(this, term, scope);
      case 'arraycomprehension':
      case 'setcomprehension':
      case 'objectcomprehension':
        return this.comprehension(term, scope);
      default:
        return plain(term, scope);
    }
  }

  operand(term: Term, scope: Scope, then: (value: Get) => Step): Step {
    const single = this.single(term, scope);
    if (single === undefined) return iteratingRef(this, term as RefTerm, scope, then);
    return term.type === 'ref' || term.type.endsWith('comprehension') ? defined(single, scope, then) : then(single as Get);
  }
}

function hasModifier(expr: Expr): boolean {
  return expr.with.length > 0;
}

const compilers = new WeakMap<Program, DirectCompiler>();

function compilerOf(program: Program): DirectCompiler {
  let compiler = compilers.get(program);
  if (compiler === undefined) compilers.set(program, (compiler = new DirectCompiler(program)));
  return compiler;
}

/**
 * The value of rules, or of a function for arguments: `{ value: undefined }` where that is
 * undefined, undefined where a search is needed.
 */
export function evaluateDirectly(
  search: Search,
  document: VirtualDocument,
  args: readonly Value[],
  caller: Frame,
): { readonly value: Value | undefined } | undefined {
  const { environment } = search.machine;
  const compiler = compilerOf(search.program);
  if (environment.hasMocks || environment.hasReplaced || compiler.searched.has(document)) return undefined;
  try {
    const rules = compiler.rules(document);
    const run = new DirectRun(search);
    return { value: document.kind === 'function' ? rules.call(run, args, caller) : rules.whole(run, caller) };
  } catch (error) {
    if (!(error instanceof NeedsSearch)) throw error;
    if (error.isLasting) for (const one of [document, ...error.documents]) compiler.searched.add(one);
    return undefined;
  }
}
