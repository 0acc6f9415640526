/** Refs and imports of names that no rule, document or modifier has. */

import type { Steps } from '../../../values/index.js';
import type { Body, Import, Node, Ref, RefTerm, Rule, StringTerm, Term } from '../../ast/nodes.js';
import { isRoot } from '../../ast/paths.js';
import { printRef } from '../../ast/print.js';
import { forEachChild, innerBodies } from '../../ast/walk.js';
import { isTestHead } from '../../check/test-heads.js';
import type { Warnings } from '../../diagnostics/warnings.js';
import type { CompiledModule } from '../../resolve/compiled-rule.js';
import { isEquality } from '../../resolve/expression-kinds.js';
import { importName } from '../../resolve/imports.js';
import { elseChain } from '../../resolve/links.js';
import { isGeneratedName } from '../../resolve/local-names.js';
import { nowhere, Span } from '../../source/location.js';
import type { KnownNames } from '../known-names.js';
import type { WarningSearch } from '../warning-search.js';

/** Reports the imports and refs of modules that nothing has. */
export function* findUnresolved({ compiled, names, warnings }: WarningSearch): Steps {
  for (const module of compiled.modules.values()) {
    findInModule(module, names, warnings);
    yield;
  }
}

function findInModule(module: CompiledModule, names: KnownNames, warnings: Warnings): void {
  const broken = unresolvedImports(module.imports, names, warnings);
  for (const { rule } of module.rules) {
    const refs = new RefCheck(names, warnings, broken, isTestHead(rule.head));
    for (const link of elseChain(rule)) refs.link(link);
  }
}

/** Reports the refs of a query that nothing has. */
export function findUnresolvedInQuery(query: Body, names: KnownNames, warnings: Warnings): void {
  new RefCheck(names, warnings, new Set(), false).body(query);
}

/** Reports imports of nothing. A ref through one of them has the same cause, and is not told. */
function unresolvedImports(imports: readonly Import[], names: KnownNames, warnings: Warnings): ReadonlySet<string> {
  const broken = new Set<string>();
  for (const statement of imports) {
    const { terms, loc } = statement.path;
    if (!isRoot(terms[0], 'data')) continue;
    const missing = names.missing(terms);
    if (missing === undefined) continue;
    broken.add(importName(statement));
    const { meant, file } = missing;
    warnings.report('unresolvedImport', statement.loc, { ref: printRef(terms), meant, file }, loc);
  }
  return broken;
}

class RefCheck {
  readonly #names: KnownNames;
  readonly #warnings: Warnings;
  readonly #broken: ReadonlySet<string>;
  readonly #isInTest: boolean;
  /** Variables that are one text wherever they are read: `k := "rolez"`. */
  #texts: ReadonlyMap<string, StringTerm> = new Map();

  /** @param broken the names of imports of nothing */
  constructor(names: KnownNames, warnings: Warnings, broken: ReadonlySet<string>, isInTest: boolean) {
    this.#names = names;
    this.#warnings = warnings;
    this.#broken = broken;
    this.#isInTest = isInTest;
  }

  link({ head, body }: Rule): void {
    this.#texts = this.#textsOf(body);
    for (const term of [...(head.args ?? []), head.key, head.value]) if (term) this.#visit(term, false);
    this.body(body);
  }

  body(body: Body): void {
    this.#texts = this.#textsOf(body);
    for (const expr of body) this.#visit(expr, false);
  }

  #visit(node: Node, isNegated: boolean): void {
    if (node.type === 'with') return this.#visit(node.value, false);
    if (node.type === 'ref') this.#ref(node, isNegated);
    const negates = node.type === 'expr' && (node.negated || node.kind === 'not');
    const outside = this.#texts;
    for (const body of innerBodies(node)) this.#texts = this.#textsOf(body);
    forEachChild(node, (child) => this.#visit(child, negates || (isNegated && passesOn(node))));
    this.#texts = outside;
  }

  /** The texts outside of a body, and those that it gives to variables of its own. */
  #textsOf(body: Body): ReadonlyMap<string, StringTerm> {
    let texts: Map<string, StringTerm> | undefined;
    for (const expr of body) {
      if (!isEquality(expr) || expr.negated || expr.with.length > 0) continue;
      const [variable, value] = expr.args;
      // The names of generated variables stand for one value in the whole rule.
      if (variable.type !== 'var' || !isGeneratedName(variable.name)) continue;
      const text = value.type === 'ref' ? this.#names.constant(value.terms) : value;
      if (text?.type !== 'string') continue;
      texts ??= new Map(this.#texts);
      texts.set(variable.name, text);
    }
    return texts ?? this.#texts;
  }

  /** A ref with texts in the place of the variables that stand for them. */
  #known(terms: Ref): Ref {
    const [head, ...keys] = terms;
    return [
      head,
      ...keys.map((key): Term => {
        const text = key.type === 'var' ? this.#texts.get(key.name) : undefined;
        return text ? { ...text, loc: key.loc } : key;
      }),
    ];
  }

  #ref(ref: RefTerm, isNegated: boolean): void {
    const terms = isRoot(ref.terms[0], 'data') ? this.#known(ref.terms) : ref.terms;
    const missing = isRoot(terms[0], 'data') ? this.#names.missing(terms) : undefined;
    if (missing === undefined || this.#broken.has(terms[0].loc.text)) return;
    const span = spanOf(terms);
    if (span === undefined) return;
    const { at, meant, file } = missing;
    const holes = { ref: printRef(constantPart(terms)), meant, file, isNegated, isInTest: this.#isInTest };
    this.#warnings.report('unresolvedReference', span, holes, terms[at]!.loc);
  }
}

/** Whether what is negated is the node's child too: not inside of a comprehension. */
function passesOn(node: Node): boolean {
  return node.type === 'expr' || node.type === 'call';
}

/** The text of a ref as far as its keys are constant; undefined where no text stands for it. */
function spanOf(terms: Ref): Span | undefined {
  const constant = constantPart(terms);
  const [first, last] = [constant[0].loc, constant.at(-1)!.loc];
  if (first.source === nowhere.source || first.source !== last.source) return undefined;
  return new Span(first.source, first.start, Math.max(first.end, last.end));
}

function constantPart(terms: Ref): Ref {
  const end = terms.findIndex((term: Term, i) => i > 0 && term.type !== 'string');
  return end < 0 ? terms : ([terms[0], ...terms.slice(1, end)] as const);
}
