/** Rules that cannot stand beside each other, beside a package, or beside data. */

import { type Steps, visitSteps } from '../../values/index.js';
import { compareRefs } from '../ast/compare-terms.js';
import { equalRefs } from '../ast/equal.js';
import type { Ref, ScalarTerm } from '../ast/nodes.js';
import { printPackage, printRef } from '../ast/print.js';
import { Diagnostics } from '../diagnostics/diagnostics.js';
import { type CompiledModule, type CompiledRule, ruleKind } from '../resolve/compiled-rule.js';
import type { ModuleTree, RuleTree } from '../resolve/tree.js';
import {
  constantKeys,
  groundPrefix,
  keyOfTerm,
  rulesAt,
  rulesPerStep,
  walkRules,
  walkRulesSteps,
} from '../resolve/tree.js';
import { type Context, report } from '../resolve/working-module.js';
import { type Location, locationOf, type Span } from '../source/location.js';
import { writtenRef } from './written.js';

export function* checkConflicts(
  rules: RuleTree,
  packages: ModuleTree,
  modules: Iterable<CompiledModule>,
  context: Context,
): Steps {
  yield* walkRulesSteps(rules, (node) => (node.rules.length > 0 ? checkNode(node, context) : undefined));
  if (context.options.dataExists) checkData(rules, context.options.dataExists, context);
  yield* checkPackages(packages, modules, context);
}

/**
 * Whether rules are in conflict with others, with packages or with data, and are themselves or
 * their packages among `modules`.
 */
export function* hasConflicts(
  rules: RuleTree,
  packages: ModuleTree,
  modules: Iterable<CompiledModule>,
  context: Context,
): Steps<boolean> {
  const diagnostics = new Diagnostics();
  const probe = { ...context, diagnostics };
  const seen = new Set<RuleTree>();
  for (const module of modules) {
    yield* visitSteps(module.rules, rulesPerStep, ({ ref }) => checkWay(constantKeys(ref), rules, seen, probe));
    // Rules of other modules may stand where the package is.
    if (rulesAt(rules, module.parsed.package.path).some((rule) => rule.module !== module && isComplete(rule)))
      return true;
  }
  if (context.options.dataExists) checkData(rules, context.options.dataExists, probe);
  yield* checkPackages(packages, modules, probe);
  return diagnostics.hasErrors;
}

/** The rules at a path, and those above with which they may be in conflict. */
function checkWay(path: readonly ScalarTerm[], root: RuleTree, seen: Set<RuleTree>, context: Context): void {
  let node: RuleTree | undefined = root;
  for (const key of path) {
    node = node?.children.get(keyOfTerm(key));
    if (!node || node.rules.length === 0 || seen.has(node)) continue;
    seen.add(node);
    checkNode(node, context);
  }
}

/** Answers whether it reported something, after which the node's children are left out. */
function checkNode(node: RuleTree, context: Context): boolean {
  const { rules } = node;
  const last = rules[rules.length - 1]!;
  const name = (): string => printRef(writtenRef(last));
  const first = rules[0]!.rule.loc;
  // A rule with one value has no room for others under it; one with variables in its ref has, but
  // not for functions.
  if (node.children.size > 0) {
    const others = rulesUnder(node, rules.some(isComplete) ? () => true : isFunction);
    if (others.length > 0) {
      report(context, 'ruleConflicts', first, {
        name: name(),
        others: others.map((other) => ({ rule: printRef(writtenRef(other)), at: locationText(other.rule.loc) })),
      });
      return true;
    }
  }
  const kinds = new Set(rules.map(({ rule }) => ruleKind(rule.head)));
  const arities = new Set(rules.map(({ rule }) => rule.head.args?.length ?? 0));
  const complete = rules.filter(isComplete);
  if (kinds.size > 1 || arities.size > 1 || (complete.length > 0 && complete.length < rules.length)) {
    report(context, 'conflictingRules', first, { name: name() });
    return true;
  }
  const defaults = rules.filter(({ rule }) => rule.default);
  if (defaults.length < 2) return false;
  const at = defaults.map(({ rule }) => locationText(rule.loc)).join(', ');
  report(context, 'multipleDefaults', defaults[0]!.module.parsed.package.loc, { name: name(), at });
  return true;
}

/** Whether a rule's ref has no variables. */
function isComplete({ ref }: CompiledRule): boolean {
  return groundPrefix(ref).length === ref.length;
}

function isFunction({ rule }: CompiledRule): boolean {
  return (rule.head.args?.length ?? 0) > 0;
}

/**
 * The rules below a node that count, the first of each ref, sorted; of refs one of which is the
 * start of another, the shorter.
 */
function rulesUnder(node: RuleTree, counts: (rule: CompiledRule) => boolean): readonly CompiledRule[] {
  const found: CompiledRule[] = [];
  for (const child of node.children.values()) {
    walkRules(child, ({ rules }) => {
      for (const rule of rules) if (counts(rule)) found.push(rule);
      return undefined;
    });
  }
  found.sort((a, b) => compareRefs(a.ref, b.ref));
  const kept: CompiledRule[] = [];
  for (const rule of found) {
    const before = kept.at(-1)?.ref;
    if (before === undefined || !isStart(before, rule.ref)) kept.push(rule);
  }
  return kept;
}

function isStart(start: Ref, ref: Ref): boolean {
  return start.length <= ref.length && equalRefs(start, ref.slice(0, start.length));
}

/** `policy.rego:3`, as messages name a second place. */
function locationText(span: Span): string {
  const { file, row, col }: Location = locationOf(span);
  return file === '' ? `${row}:${col}` : `${file}:${row}`;
}

/** Rules at paths where there is data. */
function checkData(root: RuleTree, exists: (path: readonly string[]) => boolean, context: Context): void {
  const roots = context.options.dataRoots;
  if (roots === undefined || roots.length === 0 || roots.includes('')) {
    for (const child of root.children.values()) checkDataUnder(child, [], exists, context);
    return;
  }
  for (const path of roots) {
    const parts = path.split('/');
    let node: RuleTree | undefined = root;
    for (const part of parts) node = node?.children.get(`"${part}`);
    if (node) checkDataUnder(node, parts.slice(0, -1), exists, context);
  }
}

function checkDataUnder(
  start: RuleTree,
  above: readonly string[],
  exists: (path: readonly string[]) => boolean,
  context: Context,
): void {
  const todo: { node: RuleTree; path: readonly string[] }[] = [{ node: start, path: above }];
  for (let step = todo.pop(); step; step = todo.pop()) {
    const { key, rules, children } = step.node;
    if (key.type !== 'string') continue;
    const path = [...step.path, key.value];
    // Where there is nothing, there is nothing below.
    if (!exists(path)) continue;
    if (rules.length > 0) {
      report(context, 'dataConflicts', rules[0]!.rule.loc, { path: path.join('/') });
      continue;
    }
    for (const node of [...children.values()].reverse()) todo.push({ node, path });
  }
}

/** A rule and a package of one path. */
function* checkPackages(packages: ModuleTree, modules: Iterable<CompiledModule>, context: Context): Steps {
  for (const module of modules) {
    yield* visitSteps(module.rules, rulesPerStep, ({ rule, ref }) => {
      if (groundPrefix(ref).length < ref.length) return;
      let node: ModuleTree | undefined = packages;
      for (const key of constantKeys(ref)) node = node?.children.get(keyOfTerm(key));
      for (const other of node?.modules ?? []) {
        if (other === module) continue;
        report(context, 'packageConflicts', module.parsed.package.loc, {
          package: printPackage(other.parsed.package),
          rule: printRef(rule.head.ref),
          at: locationText(rule.loc),
        });
      }
    });
  }
}
