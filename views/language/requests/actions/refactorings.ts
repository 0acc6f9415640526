/** Changes of policies that keep or complete their meaning: code actions without a finding. */

import type { CodeAction, Range, TextEdit } from 'vscode-languageserver-types';
import type { Body, Expr, Node, Rule, Term, Type } from '../../../../compiler/index.js';
import { elseChain, innerBodies, isTestHead, walk } from '../../../../compiler/index.js';
import { typeOfDocument } from '../../analysis/types-of-names.js';
import type { PolicyFile } from '../../workspace/policy-file.js';
import { offsetAt, rangeBetween } from '../../workspace/positions.js';
import type { Workspace } from '../../workspace/workspace.js';
import { placedRulesAt } from '../hover.js';
import type { RequestContext } from '../request.js';
import { testableName, testMakers } from './make-tests.js';

/** The actions at a range. */
export function refactorings(policy: PolicyFile, range: Range, { workspace, client }: RequestContext): CodeAction[] {
  const { module, source } = policy;
  if (module === undefined) return [];
  const target = workspace.editorUri(policy.uri);
  const start = offsetAt(source, range.start);
  const end = offsetAt(source, range.end);
  const rule = module.rules.find(({ loc }) => start >= loc.start && start <= loc.end);
  const found: CodeAction[] = [];
  if (rule !== undefined && source.row(start) === rule.loc.row && start === end) {
    found.push(...defaultActions(policy, rule, workspace));
    const name = testableName(rule);
    if (name !== undefined && !isTestHead(rule.head))
      found.push(commandAction(`Make a test of ${name}`, 'refactor', testMakers.ofRule, { target, name }));
  }
  if (rule !== undefined && end > start) found.push(...extractions(policy, rule, { start, end }, workspace));
  if (client.initializationOptions.enableExplorer === true) {
    const title = 'Explore compiler stages for this policy';
    found.push(commandAction(title, 'source.explore', 'regal.explorer', { target, format: true }));
  }
  if (!policy.name.endsWith('_test.rego'))
    found.push(commandAction('Create tests for this file', 'source.createTest', testMakers.ofFile, { target }));
  return found;
}

function commandAction(title: string, kind: string, command: string, argument: object): CodeAction {
  return { title, kind, command: { title, command, arguments: [argument] } };
}

function editAction(
  title: string,
  kind: string,
  policy: PolicyFile,
  edits: TextEdit[],
  workspace: Workspace,
): CodeAction {
  return { title, kind, edit: { changes: { [workspace.editorUri(policy.uri)]: edits } } };
}

/** A default for a rule that has none. */
function defaultActions(policy: PolicyFile, rule: Rule, workspace: Workspace): CodeAction[] {
  const { head } = rule;
  const name = testableName(rule);
  const isComplete = head.key === undefined && head.ref.every(({ type }, i) => type === 'string' || i === 0);
  if (name === undefined || !isComplete || rule.default) return [];
  const path = workspace.names
    .of(policy)
    .occurrences.find(
      ({ role, start }) => role === 'definition' && start >= rule.loc.start && start < rule.loc.end,
    )?.path;
  if (path === undefined) return [];
  const all = placedRulesAt(path, workspace);
  if (all.some((each) => each.rule.default)) return [];
  const first = all.find((each) => each.policy === policy)?.rule ?? rule;
  const at = policy.source.lineStarts[firstRow(policy, first) - 1]!;
  const newText = `default ${name} := ${defaultValue(typeOfDocument(workspace.compiled, path))}\n\n`;
  return [
    editAction(
      `Add a default for ${name}`,
      'refactor.rewrite',
      policy,
      [{ range: rangeBetween(policy.source, at, at), newText }],
      workspace,
    ),
  ];
}

/** The row of a rule, or of the comments just above it. */
function firstRow({ source }: PolicyFile, rule: Rule): number {
  let { row } = rule.loc;
  while (row > 1 && source.line(row - 1).startsWith('#')) row--;
  return row;
}

/** A value of the same type, which says no. */
function defaultValue(type: Type | undefined): string {
  switch (type?.kind) {
    case 'string':
      return '""';
    case 'number':
      return '0';
    case 'array':
      return '[]';
    case 'object':
      return '{}';
    case 'set':
      return 'set()';
    default:
      return 'false';
  }
}

interface Selected {
  readonly start: number;
  readonly end: number;
}

function extractions(policy: PolicyFile, rule: Rule, given: Selected, workspace: Workspace): CodeAction[] {
  const selected = trimmed(policy.text, given);
  const bodies = bodiesOf(rule);
  return [
    ...termExtraction(policy, bodies, selected, workspace),
    ...bodyExtraction(policy, rule, bodies, selected, workspace),
  ];
}

function trimmed(text: string, { start, end }: Selected): Selected {
  const inside = text.slice(start, end);
  return { start: start + (inside.length - inside.trimStart().length), end: start + inside.trimEnd().length };
}

/** The bodies that are written in a rule, outer ones first. */
function bodiesOf(rule: Rule): readonly Body[] {
  const bodies: Body[] = [];
  for (const link of elseChain(rule)) if (!link.generatedBody) bodies.push(link.body);
  walk(rule, (node: Node) => {
    bodies.push(...innerBodies(node));
  });
  return bodies;
}

/** A term of a body becomes a variable before the expression that it is in. */
function termExtraction(
  policy: PolicyFile,
  bodies: readonly Body[],
  { start, end }: Selected,
  workspace: Workspace,
): CodeAction[] {
  const expr = bodies
    .flat()
    .filter(({ loc }) => start >= loc.start && end <= loc.end)
    .sort((a, b) => a.loc.end - a.loc.start - (b.loc.end - b.loc.start))[0];
  if (expr === undefined || expr.kind === 'some' || expr.kind === 'every') return [];
  let isTerm = false;
  walk(expr, (node: Node) => {
    if (isValue(node) && node.loc.start === start && node.loc.end === end) isTerm = true;
    return !isTerm;
  });
  // A whole expression has no value to be named, and the left side of `:=` is a name already.
  const isAssigned = expr.kind === 'call' && /^\s*:=/.test(policy.text.slice(end)) && start === expr.loc.start;
  if (!isTerm || isAssigned || (start === expr.loc.start && end === expr.loc.end)) return [];
  const lineStart = policy.text.lastIndexOf('\n', expr.loc.start - 1) + 1;
  const before = policy.text.slice(lineStart, expr.loc.start);
  if (before.trim() !== '') return [];
  const name = freeVariable('value', policy, workspace);
  return [
    editAction(
      'Extract to a variable',
      'refactor.extract',
      policy,
      [
        { range: rangeBetween(policy.source, start, end), newText: name },
        {
          range: rangeBetween(policy.source, lineStart, lineStart),
          newText: `${before}${name} := ${policy.text.slice(start, end)}\n`,
        },
      ],
      workspace,
    ),
  ];
}

function isValue(node: Node): node is Term {
  return node.type !== 'expr' && node.type !== 'rule' && node.type !== 'module' && 'loc' in node;
}

/** Expressions of a body become a rule, or a function of the variables that they read. */
function bodyExtraction(
  policy: PolicyFile,
  rule: Rule,
  bodies: readonly Body[],
  selected: Selected,
  workspace: Workspace,
): CodeAction[] {
  const body = bodies.find((each) => chosen(each, selected).length > 0);
  const exprs = body === undefined ? [] : chosen(body, selected);
  if (exprs.length === 0 || exprs[0]!.loc.start !== selected.start || exprs.at(-1)!.loc.end !== selected.end) return [];
  const parameters = new Set<string>();
  for (const [key, places] of workspace.names.of(policy).byKey) {
    if (!key.startsWith('l')) continue;
    const isInside = ({ start }: { start: number }): boolean => start >= selected.start && start < selected.end;
    const inside = places.filter(isInside);
    const outside = places.filter((each) => !isInside(each));
    if (inside.length === 0 || outside.length === 0) continue;
    // The head takes what the body binds.
    const isInHead = ({ start }: { start: number }): boolean => start < rule.head.loc.end;
    if (rule.head.args === undefined && outside.every(isInHead)) return [];
    // A variable that gets its value here and is read elsewhere cannot leave.
    if (outside[0]!.start > inside[0]!.start || inside.some(({ role }) => role === 'declaration')) return [];
    parameters.add(inside[0]!.name!);
  }
  const name = freeVariable('condition', policy, workspace);
  const call = parameters.size === 0 ? name : `${name}(${[...parameters].join(', ')})`;
  const word = policy.regoVersion === 'v0' ? '' : 'if ';
  const lines = exprs.map(({ loc }) => `\t${loc.text}`).join('\n');
  return [
    editAction(
      parameters.size === 0 ? 'Extract to a rule' : 'Extract to a function',
      'refactor.extract',
      policy,
      [
        { range: rangeBetween(policy.source, selected.start, selected.end), newText: call },
        {
          range: rangeBetween(policy.source, rule.loc.end, rule.loc.end),
          newText: `\n\n${call} ${word}{\n${lines}\n}`,
        },
      ],
      workspace,
    ),
  ];
}

/** The expressions of a body that are selected as a whole. */
function chosen(body: Body, { start, end }: Selected): readonly Expr[] {
  return body.filter(({ loc }) => loc.start >= start && loc.end <= end);
}

/** A name that the policy does not have. */
function freeVariable(base: string, { text }: PolicyFile, { names }: Workspace): string {
  let name = base;
  for (let i = 2; new RegExp(`\\b${name}\\b`).test(text) || names.builtins.get(name); i++) name = `${base}_${i}`;
  return name;
}
