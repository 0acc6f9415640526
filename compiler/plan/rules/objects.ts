/** Rules that make an object together: partial objects, and refs that go on below a document. */
import type { Block } from '../../../ir-schema/index.js';
import type { Steps } from '../../../values/index.js';
import type { Rule, Term } from '../../ast/nodes.js';
import { type CompiledRule, ruleKind } from '../../resolve/compiled-rule.js';
import { headKeys } from '../../resolve/head-keys.js';
import type { RuleDocument } from '../../resolve/virtual-document.js';
import { type EmptyPart, emptyParts } from '../../rule-index/empty-parts.js';
import { indexOrderSteps } from '../../rule-index/order.js';
import type { Span } from '../../source/location.js';
import { local, trueOperand } from '../emit/emit.js';
import type { FunctionPlanner } from '../function-planner.js';
import { type Construction, planInside } from './construction.js';
import { keyVariables } from './key-variables.js';
import { because, movedRules, serve } from './subjects.js';

/**
 * Rules whose refs go on below the document: each solution puts a value, or a member of a set, into
 * the object that all of them make. A step for each rule.
 * @param wanted the keys that are asked for, each below the one before; none for all
 */
export function* planObject(
  p: FunctionPlanner,
  document: RuleDocument,
  result: number,
  wanted: readonly number[] = [],
): Steps<readonly Block[]> {
  const { e } = p;
  const span = document.rules[0].rule.loc;
  const depth = document.path.length + 1;
  // Values come before rules that insert below them or that are no values, so that these find them;
  // defaults come last, for paths without a value.
  const rules: readonly CompiledRule[] = [...(yield* indexOrderSteps(p, document.rules))].sort(
    (a, b) => defaultness(a) - defaultness(b) || a.ref.length - b.ref.length || multiness(a) - multiness(b),
  );
  const mixed = new Set(rules.map((rule) => `${rule.ref.length} ${multiness(rule)}`)).size > 1;
  const moved = movedRules(document.rules, rules);
  serve(p, document.rules[0]);
  const construction: Construction = { values: result, shape: mixed ? e.newLocal() : undefined };
  const make = e.block(() => {
    e.emit('MakeObjectStmt', span, { target: result });
    if (construction.shape !== undefined) e.emit('MakeObjectStmt', span, { target: construction.shape });
  });
  const blocks: Block[] = [
    make,
    ...emptyParts(document).map((part) => planEmpty(p, part, construction, { wanted, span })),
  ];
  for (const compiled of rules) {
    blocks.push(...planMember(p, compiled, { construction, depth, wanted, moved }));
    yield;
  }
  return blocks;
}

/** Puts an empty object or set where rules may put entries. */
function planEmpty(
  p: FunctionPlanner,
  { keys, kind }: EmptyPart,
  construction: Construction,
  { wanted, span }: { readonly wanted: readonly number[]; readonly span: Span },
): Block {
  return p.e.block(() => {
    for (const [i, key] of keys.slice(0, wanted.length).entries()) p.match(key, local(wanted[i]!), span);
    const make = kind === 'set' ? 'MakeSetStmt' : 'MakeObjectStmt';
    planInside(p, construction, keys, { make, span, fill: () => {} });
  });
}

function defaultness({ rule }: CompiledRule): number {
  return Number(rule.default);
}

function multiness({ rule }: CompiledRule): number {
  return Number(ruleKind(rule.head) === 'multi');
}

interface Members {
  readonly construction: Construction;
  readonly depth: number;
  /** Locals of the keys that are asked for. */
  readonly wanted: readonly number[];
  readonly moved: ReadonlySet<CompiledRule>;
}

function planMember(
  p: FunctionPlanner,
  compiled: CompiledRule,
  { construction, depth, wanted, moved }: Members,
): Block[] {
  const { e } = p;
  const { module, rule } = compiled;
  serve(p, compiled, rule, moved);
  // The head's own terms have the names that the body's variables were given.
  const keys = headKeys(module, rule.head, depth - 1);
  const asked = keys.slice(0, wanted.length);
  const known = asked.flatMap(keyVariables);
  const ask = (span: Span): void => {
    because(p, 'argument', () => {
      for (const [i, key] of asked.entries()) p.match(key, local(wanted[i]!), span);
    });
  };
  if (rule.default) return [planDefaultMember(p, rule, keys, construction, ask)];
  const found = e.newLocal();
  const blocks: Block[] = [];
  for (let link: Rule | undefined = rule; link !== undefined; link = link.else) {
    const { body, head, loc } = link;
    const isFirst = link === rule;
    serve(p, compiled, link, moved);
    blocks.push(
      e.block(() => {
        if (isFirst && rule.else !== undefined) e.emit('ResetLocalStmt', loc, { target: found });
        if (!isFirst) e.emit('IsUndefinedStmt', loc, { source: found });
        ask(loc);
        p.ruleBody(body, known);
        if (rule.else !== undefined) e.emit('AssignVarStmt', loc, { source: trueOperand, target: found });
        if (ruleKind(head) === 'multi') {
          const value = p.term(head.key!);
          const fill = (set: number): void => e.emit('SetAddStmt', loc, { set, value });
          planInside(p, construction, keys, { make: 'MakeSetStmt', span: loc, fill });
        } else {
          const value = p.term(head.value!);
          const key = p.term(keys.at(-1)!);
          const fill = (object: number): void => e.emit('ObjectInsertOnceStmt', loc, { object, key, value });
          planInside(p, construction, keys.slice(0, -1), { make: 'MakeObjectStmt', span: loc, fill });
        }
      }),
    );
  }
  return blocks;
}

/** The default of a path inside of the object, where nothing is there yet. */
function planDefaultMember(
  p: FunctionPlanner,
  rule: Rule,
  keys: readonly Term[],
  construction: Construction,
  ask: (span: Span) => void,
): Block {
  const { e } = p;
  const { loc } = rule;
  return e.block(() => {
    ask(loc);
    p.body(rule.body);
    const key = p.term(keys.at(-1)!);
    const value = p.term(rule.head.value!);
    const fill = (object: number): void => {
      const known = e.block(() => e.emit('DotStmt', loc, { source: local(object), key, target: e.newLocal() }));
      e.emit('NotStmt', loc, { block: known });
      e.emit('ObjectInsertStmt', loc, { object, key, value });
    };
    planInside(p, construction, keys.slice(0, -1), { make: 'MakeObjectStmt', span: loc, fill });
  });
}
