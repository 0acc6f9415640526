/** The rules of a document that the rule index finds, as the reference counts them. */

import { isLiteral } from '../../compiler/ast/names.js';
import type { Body, Expr, Rule } from '../../compiler/ast/nodes.js';
import { printTerm } from '../../compiler/ast/print.js';
import { varsOf } from '../../compiler/ast/vars.js';
import type { CompiledRule } from '../../compiler/resolve/compiled-rule.js';
import { elseChain } from '../../compiler/resolve/links.js';
import type { VirtualDocument } from '../../compiler/resolve/virtual-document.js';
import type { Value } from '../../values/value.js';
import { Frame } from '../bindings.js';
import { unknownMark } from '../explain/locals.js';
import { Machine } from '../machine.js';
import { QuerySearch } from '../query-search.js';
import { match } from '../unify.js';
import type { Traced } from './traced.js';
import { isUnknown } from './unknown.js';
import { withoutPrints } from './without-prints.js';

/** A rule, and the links of its `else` chain that can hold. */
export interface MatchedRule {
  readonly compiled: CompiledRule;
  readonly links: readonly Rule[];
}

interface MatchedRules {
  readonly rules: readonly MatchedRule[];
  /** Whether all of them have the same constant value: the first solution is the answer. */
  readonly isEarly: boolean;
}

/** Asks the rule index, and reports its result. */
export function matchedRules(search: Traced, document: VirtualDocument, args: readonly Value[]): MatchedRules {
  const rules: MatchedRule[] = [];
  const excluded: Rule[] = [];
  const hidesPrints = !search.tracer.wantsPrints && search.program.builtins.has('internal.print');
  for (const compiled of search.program.index.rulesOf(document)) {
    const rule = hidesPrints ? withoutPrints(compiled.rule) : compiled.rule;
    if (rule.default) continue;
    const links: Rule[] = [];
    for (const link of elseChain(rule)) (holds(search, rule, link, args) ? links : excluded).push(link);
    if (links.length > 0) rules.push({ compiled, links });
  }
  const isEarly = new Set(rules.flatMap(({ links }) => links.map(constantOf))).size < 2 && rules.every(isConstant);
  const count = `matched ${rules.length} ${rules.length === 1 ? 'rule' : 'rules'}`;
  search.report('index', { message: `(${count}${isEarly ? ', early exit' : ''})`, document, excluded });
  return { rules, isEarly };
}

function isConstant({ links }: MatchedRule): boolean {
  return links.every((link) => constantOf(link) !== undefined);
}

function constantOf({ head: { value } }: Rule): string | undefined {
  return value !== undefined && isLiteral(value) ? printTerm(value) : undefined;
}

/** Evaluates the guards of a body, without events. */
function holds(search: Traced, { head }: Rule, { body, loc }: Rule, args: readonly Value[]): boolean {
  const { program, evaluation, machine } = search;
  const { environment } = machine;
  const frame = new Frame(undefined, undefined, loc);
  const guards: Body = knownOnly(search, program.index.guardsOf(body, head.args ?? [], environment), frame);
  if (guards.length === 0) return true;
  const inner = new Machine(environment, evaluation.meter);
  head.args?.forEach((arg, i) => {
    if (arg.type === 'var') match(inner, arg, args[i]!, frame);
  });
  let found = false;
  inner.run(
    new QuerySearch(program, evaluation, inner).body(guards, frame, () => {
      found = true;
      return undefined;
    }),
  );
  return found;
}

/** The guards that depend on nothing unknown: the others may hold. */
function knownOnly(search: Traced, guards: Body, frame: Frame): Body {
  if (search.unknowns === undefined) return guards;
  const known: Expr[] = [];
  for (const guard of guards) {
    if (!isUnknown(search, guard, frame)) known.push(guard);
    else for (const name of varsOf(guard, { skipOperators: true, skipRefHead: true })) frame.values.set(unknownMark + name, true);
  }
  return known;
}
