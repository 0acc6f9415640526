/** The rules of a document that the rule index finds, as the reference counts them. */
import type { Body, CallExpr, CompiledRule, Expr, Rule, Term, VirtualDocument } from '../../../compiler/index.js';
import {
  booleanTerm,
  elseChain,
  functionName,
  isLiteral,
  mapExprChildren,
  mapLinks,
  mapTermChildren,
  printTerm,
  termExpr,
  varsOf,
  walk,
} from '../../../compiler/index.js';
import type { Value } from '../../../values/index.js';
import { Frame } from '../bindings.js';
import { Machine } from '../machine.js';
import type { Unknowns } from '../partial/unknowns.js';
import { QuerySearch } from '../query-search.js';
import { matchTerm } from '../unify.js';
import type { Traced } from './traced.js';

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

/**
 * Asks the rule index, and reports its result.
 * @param args undefined ones are unknown, as documents are in partial evaluation
 */
export function matchedRules(
  search: Traced,
  document: VirtualDocument,
  args: readonly (Value | undefined)[],
  unknowns?: Unknowns,
): MatchedRules {
  const rules: MatchedRule[] = [];
  const excluded: Rule[] = [];
  const hidesPrints = !search.tracer.wantsPrints && search.program.builtins.has('internal.print');
  for (const compiled of search.program.index.rulesOf(document)) {
    const rule = hidesPrints ? withoutPrints(compiled.rule) : compiled.rule;
    if (rule.default) continue;
    const links: Rule[] = [];
    for (const link of elseChain(rule)) (holds(search, rule, link, args, unknowns) ? links : excluded).push(link);
    if (links.length > 0) rules.push({ compiled, links });
  }
  const isEarly =
    new Set(rules.flatMap(({ links }) => links.map(constantOf))).size < 2 &&
    rules.every(isConstant) &&
    rules.every(({ compiled }) => compiled.ref.every((term, i) => i === 0 || isLiteral(term)));
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
function holds(
  search: Traced,
  { head }: Rule,
  { body, loc }: Rule,
  args: readonly (Value | undefined)[],
  unknowns: Unknowns | undefined,
): boolean {
  const { program, evaluation, machine } = search;
  const { environment } = machine;
  const all = program.index.guardsOf(body, head.args ?? [], environment);
  const guards: Body = unknowns === undefined ? all : knownOnly(all, head.args ?? [], args, unknowns);
  if (guards.length === 0) return true;
  const frame = new Frame(undefined, undefined, loc);
  const inner = new Machine(environment, evaluation.meter);
  head.args?.forEach((arg, i) => {
    if (arg.type === 'var' && args[i] !== undefined) matchTerm(inner, arg, args[i], frame);
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
function knownOnly(
  guards: Body,
  params: readonly Term[],
  args: readonly (Value | undefined)[],
  unknowns: Unknowns,
): Body {
  const open = new Set(params.flatMap((param, i) => (args[i] === undefined ? [...varsOf(param)] : [])));
  const known: Expr[] = [];
  for (const guard of guards) {
    if (!isUnknown(guard, unknowns, open)) known.push(guard);
    else for (const name of varsOf(guard, { skipOperators: true, skipRefHead: true })) open.add(name);
  }
  return known;
}

/** Whether an expression reads something unknown, or an open variable. */
function isUnknown(expr: Expr, unknowns: Unknowns, open: ReadonlySet<string>): boolean {
  let found = false;
  walk(expr, (node) => {
    if (node.type === 'ref') found ||= unknowns.includes(node.terms);
    else if (node.type === 'var') found ||= open.has(node.name);
    return !found;
  });
  return found;
}

const known = new WeakMap<Rule, Rule>();

/** A rule without its calls of `print`: text that is not printed is in no trace. */
function withoutPrints(rule: Rule): Rule {
  let found = known.get(rule);
  if (found === undefined) {
    found = mapLinks(rule, (link) => {
      const body = stripped(link.body);
      return body === link.body ? link : { ...link, body };
    });
    known.set(rule, found);
  }
  return found;
}

const children = {
  term: (term: Term): Term => mapTermChildren(term, children),
  body: (body: Body): Body => stripped(body),
};

/** A body that only prints is true. */
function stripped(body: Body): Body {
  const prints = body.filter(isPrint);
  const printed = new Set(prints.flatMap(({ args }) => args).flatMap(namesOf));
  const rest = body.filter((expr) => !isPrint(expr) && !bindsOne(expr, printed));
  const mapped = rest.map((expr) => mapExprChildren(expr, children));
  const [print] = prints;
  if (print !== undefined && mapped.length === 0) return [termExpr(print.loc, booleanTerm(print.loc, true))];
  return print === undefined && mapped.every((expr, i) => expr === body[i]) ? body : mapped;
}

function isPrint(expr: Expr): expr is CallExpr {
  return expr.kind === 'call' && functionName(expr.operator) === 'internal.print';
}

/** The operands are variables, bound to sets by generated expressions. */
function namesOf(operands: Term): readonly string[] {
  return operands.type === 'array' ? operands.items.flatMap((item) => (item.type === 'var' ? [item.name] : [])) : [];
}

function bindsOne(expr: Expr, names: ReadonlySet<string>): boolean {
  if (!expr.generated || expr.kind !== 'call') return false;
  const [first] = expr.args;
  return first?.type === 'var' && names.has(first.name);
}
