/**
 * Members that are asked of a set and that none of its rules makes: those that are like another
 * one, and messages that a test asks for with an input of its own.
 */

import type { Steps } from '../../../values/index.js';
import type { Expr, Node, RefTerm, Rule, StringTerm, Term } from '../../ast/nodes.js';
import { leadingKeys } from '../../ast/paths.js';
import { forEachChild, walk } from '../../ast/walk.js';
import { isTestHead } from '../../check/test-heads.js';
import { builtinName } from '../../resolve/builtin-table.js';
import { type CompiledRule, ruleKind } from '../../resolve/compiled-rule.js';
import { isEquality } from '../../resolve/expression-kinds.js';
import { isGeneratedName } from '../../resolve/local-names.js';
import { constantKeys, findNode, type RuleTree, rulesAt, walkRules } from '../../resolve/tree.js';
import { ConstantTexts } from '../constant-texts.js';
import { similar } from '../known-names.js';
import type { WarningSearch } from '../warning-search.js';

export function* findUnmadeMembers(search: WarningSearch): Steps {
  const sets = new ConstantSets(search);
  if (sets.names.length === 0) return;
  for (const { parsed, rules } of search.compiled.modules.values()) {
    const { text } = parsed.source;
    if (!sets.names.some((name) => text.includes(name))) continue;
    for (const { rule } of rules) if (!rule.default) new MemberCheck(rule, sets, search).check();
    yield;
  }
}

/** The members of sets whose rules make constants alone. */
class ConstantSets {
  readonly #search: WarningSearch;
  readonly #known = new Map<RuleTree, ReadonlySet<string>>();
  /** The last names of their paths. */
  readonly names: readonly string[];

  constructor(search: WarningSearch) {
    this.#search = search;
    const names = new Set<string>();
    walkRules(search.compiled.ruleTree, (node) => {
      const members = node.rules.length > 0 ? this.#membersOf(node) : undefined;
      if (members === undefined || node.key.type !== 'string') return undefined;
      this.#known.set(node, members);
      names.add(node.key.value);
      return undefined;
    });
    this.names = [...names];
  }

  /** Undefined for what is no such set, or may have others. */
  of({ terms }: RefTerm): ReadonlySet<string> | undefined {
    const node = findNode(this.#search.compiled.ruleTree, terms);
    return node && this.#known.get(node);
  }

  #membersOf({ rules, children }: RuleTree): ReadonlySet<string> | undefined {
    const { names } = this.#search;
    const { ref } = rules[0]!;
    // The rules of a node may go on with variables: their paths are longer.
    const { length } = constantKeys(ref);
    const path = leadingKeys(ref.slice(1));
    if (children.size > 0 || ref.length !== length + 1 || names.isGiven(path) || names.isElsewhere(path))
      return undefined;
    const constant = names.constant(ref);
    if (constant !== undefined) return constantMembers(constant);
    const members = new Set<string>();
    for (const rule of rules) {
      const texts =
        ruleKind(rule.rule.head) === 'multi' && rule.ref.length === ref.length ? this.#textsOf(rule) : undefined;
      if (texts === undefined) return undefined;
      for (const { value } of texts) members.add(value);
    }
    return members;
  }

  #textsOf({ rule }: CompiledRule): readonly StringTerm[] | undefined {
    return new ConstantTexts(rule, this.#search.names).whole(rule.head.key!);
  }
}

/** The members of a set that is written as such. */
function constantMembers(constant: Term): ReadonlySet<string> | undefined {
  if (constant.type !== 'set' || constant.items.length === 0) return undefined;
  const texts = constant.items.flatMap((item) => (item.type === 'string' ? [item.value] : []));
  return texts.length === constant.items.length ? new Set(texts) : undefined;
}

class MemberCheck {
  readonly #rule: Rule;
  readonly #sets: ConstantSets;
  readonly #search: WarningSearch;
  readonly #isInTest: boolean;
  #texts: ConstantTexts | undefined;
  #refs: ReadonlyMap<string, RefTerm> | undefined;

  constructor(rule: Rule, sets: ConstantSets, search: WarningSearch) {
    this.#rule = rule;
    this.#sets = sets;
    this.#search = search;
    this.#isInTest = isTestHead(rule.head);
  }

  check(): void {
    this.#visit(this.#rule, false, false);
  }

  #visit(node: Node, isNegated: boolean, isModified: boolean): void {
    let [negated, modified] = [isNegated, isModified];
    if (node.type === 'expr') {
      negated = node.negated || node.kind === 'not' || (isNegated && node.generated === true);
      modified ||= node.with.length > 0;
      this.#membership(node, negated, modified);
    } else if (node.type === 'ref') this.#ref(node, negated, modified);
    forEachChild(node, (child) => this.#visit(child, negated, modified));
  }

  /** `deny["x"]` */
  #ref({ terms }: RefTerm, isNegated: boolean, isModified: boolean): void {
    const key = terms.at(-1)!;
    if (terms.length < 3) return;
    const [head, ...keys] = terms;
    this.#tell(
      key,
      { type: 'ref', loc: head.loc, terms: [head, ...keys.slice(0, -1)] } as RefTerm,
      isNegated,
      isModified,
    );
  }

  /** `"x" in deny` */
  #membership(expr: Expr, isNegated: boolean, isModified: boolean): void {
    if (expr.kind !== 'call' || builtinName(expr.operator.terms) !== 'internal.member_2') return;
    const [member, set, output] = expr.args;
    if (member === undefined || set === undefined || output !== undefined) return;
    const ref = set.type === 'var' ? this.#refOf(set.name) : set;
    if (ref?.type === 'ref') this.#tell(member, ref, isNegated, isModified);
  }

  #tell(key: Term, ref: RefTerm, isNegated: boolean, isModified: boolean): void {
    const members = key.type === 'string' || key.type === 'var' ? this.#sets.of(ref) : undefined;
    if (members === undefined) return;
    this.#texts ??= new ConstantTexts(this.#rule, this.#search.names);
    const [text, ...others] = this.#texts.whole(key) ?? [];
    if (text === undefined || others.length > 0 || members.has(text.value)) return;
    const meant = similar(text.value, members);
    const isMade = rulesAt(this.#search.compiled.ruleTree, ref.terms).every(
      ({ rule }) => ruleKind(rule.head) === 'multi',
    );
    // A test may ask for a name on purpose, but a message is one that a rule has had.
    const isMessage = /\s/.test(text.value);
    if (meant === undefined && !(isMessage && this.#isInTest && isModified && isMade)) return;
    const holes = { ref: JSON.stringify(text.value), set: ref.terms.at(-1)!.loc.text, meant, file: undefined };
    const where = { isNegated, isInTest: this.#isInTest };
    this.#search.warnings.report('unresolvedReference', key.loc, { ...holes, ...where });
  }

  /** The ref that a generated variable stands for. */
  #refOf(name: string): RefTerm | undefined {
    this.#refs ??= refsOf(this.#rule);
    return this.#refs.get(name);
  }
}

function refsOf(rule: Rule): ReadonlyMap<string, RefTerm> {
  const refs = new Map<string, RefTerm>();
  walk(rule, (node) => {
    if (node.type !== 'expr' || !isEquality(node) || node.negated) return;
    const [variable, value] = node.args;
    if (variable.type === 'var' && isGeneratedName(variable.name) && value.type === 'ref')
      refs.set(variable.name, value);
  });
  return refs;
}
