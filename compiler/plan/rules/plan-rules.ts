/** Virtual documents → functions. */
import type { Block, Func } from '../../../ir-schema/index.js';
import type { Steps } from '../../../values/index.js';
import type { RuleDocument, VirtualDocument } from '../../resolve/virtual-document.js';
import { indexOrderSteps } from '../../rule-index/order.js';
import { nowhere } from '../../source/location.js';
import { func, local, ownPath } from '../emit/emit.js';
import type { FunctionPlanner } from '../function-planner.js';
import type { Callee } from '../planning.js';
import { keyVariables } from './key-variables.js';
import { planObject } from './objects.js';
import { planPackage } from './packages.js';
import { planValues } from './rule-values.js';
import { because, movedRules, serve } from './subjects.js';

/** The function that answers a document's value. A step for each rule. */
export function* planDocument(p: FunctionPlanner, document: VirtualDocument, callee: Callee): Steps<Func> {
  const result = p.e.newLocal();
  const blocks = yield* blocksOf(p, document, result);
  const [first] = document.rules;
  const span = first?.rule.loc ?? nowhere;
  if (first !== undefined) serve(p, first);
  const leave = p.e.block(() => p.e.emit('ReturnLocalStmt', span, { source: result }));
  // A package, or a part of an object, is called by its name only: a dynamic call must not take it
  // for a rule.
  const path = document.kind === 'package' || document.part !== undefined ? ownPath(callee.name) : callee.path;
  return func(callee.name, path, p.params, result, [...blocks, leave]);
}

/**
 * The function that returns a set's or an object's value at the keys given as arguments: rules for
 * other keys are skipped.
 */
export function* planKeys(p: FunctionPlanner, document: RuleDocument, name: string): Steps<Func> {
  const { e } = p;
  const [first] = p.args as readonly [number];
  const result = e.newLocal();
  const span = document.rules[0].rule.loc;
  const leave = () => e.emit('ReturnLocalStmt', span, { source: result });
  if (document.kind === 'set')
    return func(name, ownPath(name), p.params, result, [
      ...(yield* planMembership(p, document, first, result)),
      e.block(leave),
    ]);
  const object = e.newLocal();
  const blocks = yield* planObject(p, document, object, p.args);
  serve(p, document.rules[0]);
  const found = e.block(() => {
    p.args.reduce((source, key, i) => {
      const target = i === p.args.length - 1 ? result : e.newLocal();
      e.emit('DotStmt', span, { source: local(source), key: local(key), target });
      return target;
    }, object);
  });
  return func(name, ownPath(name), p.params, result, [...blocks, found, e.block(leave)]);
}

/** Answers a key if it is a member. */
function* planMembership(
  p: FunctionPlanner,
  document: VirtualDocument,
  key: number,
  result: number,
): Steps<readonly Block[]> {
  const { e } = p;
  const rules = yield* indexOrderSteps(p, document.rules);
  const moved = movedRules(document.rules, rules);
  const blocks: Block[] = [];
  for (const compiled of rules) {
    const { head, body, loc } = compiled.rule;
    serve(p, compiled, compiled.rule, moved);
    const block = e.block(() => {
      e.emit('IsUndefinedStmt', loc, { source: result });
      because(p, 'argument', () => p.match(head.key!, local(key), loc));
      p.ruleBody(body, keyVariables(head.key!));
      e.emit('AssignVarStmt', loc, { source: local(key), target: result });
      if (e.loops > 0) e.emit('BreakStmt', loc, { index: e.loops });
    });
    blocks.push(block);
    yield;
  }
  return blocks;
}

function* blocksOf(p: FunctionPlanner, document: VirtualDocument, result: number): Steps<readonly Block[]> {
  switch (document.kind) {
    case 'package':
      return planPackage(p, document, result);
    case 'set':
      return yield* planSet(p, document, result);
    case 'object':
      return yield* planObject(p, document, result);
    case 'complete':
    case 'function':
      return yield* planValues(p, document, result);
  }
}

function* planSet(p: FunctionPlanner, document: RuleDocument, result: number): Steps<readonly Block[]> {
  const { e } = p;
  const rules = yield* indexOrderSteps(p, document.rules);
  const moved = movedRules(document.rules, rules);
  const [first] = document.rules;
  serve(p, first);
  const make = e.block(() => e.emit('MakeSetStmt', first.rule.loc, { target: result }));
  const blocks: Block[] = [make];
  for (const compiled of rules) {
    const { rule } = compiled;
    serve(p, compiled, rule, moved);
    const block = e.block(() => {
      p.ruleBody(rule.body, []);
      e.emit('SetAddStmt', rule.loc, { set: result, value: p.term(rule.head.key!) });
    });
    blocks.push(block);
    yield;
  }
  return blocks;
}
