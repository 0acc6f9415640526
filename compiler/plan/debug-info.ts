/** The notes on the statements of a plan → its debug information. */

import type { Block, Operand, Policy, Stmt } from '../../ir-schema/index.js';
import {
  blocksOf,
  type DebugInfo,
  type DebugName,
  type DebugOwner,
  type DebugReason,
  type DebugRun,
  debugReasons,
  effectsOf,
} from '../../ir-schema/index.js';
import type { Rule } from '../ast/nodes.js';
import type { Compiled } from '../resolve/compiled.js';
import { isGeneratedName, shownName } from '../resolve/local-names.js';
import { DebugTables, type DebugTablesOptions } from './debug-tables.js';
import { noteOf, type StatementNote } from './emit/notes.js';

export type DebugInfoOptions = DebugTablesOptions;

/**
 * The debug information of a plan that was made with notes, optimized or not.
 * @example debugInfo(plan(compiled, requests, { notes: true }), compiled)
 */
export function debugInfo(policy: Policy, compiled: Compiled, options: DebugInfoOptions = {}): DebugInfo {
  const tables = new DebugTables(compiled, options);
  const names = new Map<string, number>();
  const bodies = [
    ...(policy.plans?.plans ?? []).map((body) => ({ kind: 'plan', body }) as const),
    ...(policy.funcs?.funcs ?? []).map((body) => ({ kind: 'func', body }) as const),
  ];
  const listed = bodies.map(({ kind, body }) => ({ kind, body, nodes: statementsOf(body.blocks ?? []) }));
  // Expressions of queries are known by their statements alone.
  for (const node of listed.flatMap(({ nodes }) => nodes)) {
    const expr = noteOf(node)?.subject.expr;
    if (expr !== undefined) tables.noteQuery(expr);
  }
  const owners = listed.map(({ kind, body, nodes }): DebugOwner => {
    const params = 'params' in body ? (body.params ?? []) : [0, 1];
    return { kind, name: body.name, runs: runsOf(nodes, tables), names: namesOf(nodes, params, names, tables) };
  });
  const { sources, rules, expressions, ...made } = tables.tables();
  return { version: 1, sources, rules, expressions, names: [...names.keys()], ...made, owners };
}

/** The statements in preorder. */
function statementsOf(blocks: readonly Block[]): Stmt[] {
  const found: Stmt[] = [];
  const visit = (list: readonly Block[]): void => {
    for (const { stmts } of list) {
      for (const node of stmts) {
        found.push(node);
        visit(blocksOf(node));
      }
    }
  };
  visit(blocks);
  return found;
}

function runsOf(nodes: readonly Stmt[], tables: DebugTables): DebugRun[] {
  const runs: DebugRun[] = [];
  for (const node of nodes) {
    const [reason, rule, expression] = servedBy(noteOf(node), tables);
    const last = runs.at(-1);
    if (last?.[1] === reason && last[2] === rule && last[3] === expression)
      runs[runs.length - 1] = [last[0] + 1, reason, rule, expression];
    else runs.push([1, reason, rule, expression]);
  }
  return runs;
}

const none = [-1, -1, -1] as const;

function servedBy(
  note: StatementNote | undefined,
  tables: DebugTables,
): readonly [reason: number, rule: number, expression: number] {
  if (note === undefined) return none;
  const { rule, expr } = note.subject;
  const ruleIndex = rule === undefined ? -1 : tables.rule(rule.loc);
  const expression = expr === undefined ? -1 : tables.expression(expr);
  return [debugReasons.indexOf(reasonOf(note, ruleIndex, expression, tables)), ruleIndex, expression];
}

function reasonOf(
  { subject: { reason, rule, expr } }: StatementNote,
  index: number,
  expression: number,
  tables: DebugTables,
): DebugReason {
  // A part of a head that the compiler has moved into the body.
  if (reason === 'expression' && expression < 0) return index < 0 ? 'query' : 'rule';
  if ((reason !== 'expression' && reason !== 'rule') || rule === undefined || !tables.isGenerated(rule)) return reason;
  return expr !== undefined && tables.isInlined(index, expression) ? 'inlined' : 'partial';
}

/** A local that has a name since a statement. */
interface Named {
  readonly local: number;
  readonly from: number;
}

/** The locals with a name, and the statements for which they have it. */
function namesOf(
  nodes: readonly Stmt[],
  params: readonly number[],
  names: Map<string, number>,
  tables: DebugTables,
): DebugName[] {
  const found: DebugName[] = [];
  const open = new Map<string, Named>();
  const written = writtenLocals(nodes, params);
  const close = (name: string, { local, from }: Named, to: number): void => {
    open.delete(name);
    let index = names.get(name);
    if (index === undefined) names.set(name, (index = names.size));
    found.push([index, local, from, to]);
  };
  let last: StatementNote | undefined;
  for (const [i, note] of namingNotes(nodes).entries()) {
    if (note === undefined || note === last) continue;
    last = note;
    const now = namedLocals(note, written, tables);
    for (const [name, named] of open) if (now.get(name) !== named.local) close(name, named, i);
    for (const [name, local] of now) if (!open.has(name)) open.set(name, { local, from: i });
  }
  for (const [name, named] of open) close(name, named, nodes.length);
  return found.sort((a, b) => a[2] - b[2] || a[1] - b[1]);
}

/** The note that tells the names at each statement: a hoisted one has those of its loop. */
function namingNotes(nodes: readonly Stmt[]): readonly (StatementNote | undefined)[] {
  const notes = nodes.map(noteOf);
  for (let i = notes.length - 2; i >= 0; i--) if (notes[i]?.subject.reason === 'hoisted') notes[i] = notes[i + 1];
  return notes;
}

function namedLocals(
  note: StatementNote,
  written: ReadonlySet<number>,
  tables: DebugTables,
): ReadonlyMap<string, number> {
  const { rule, names = noNames } = note.subject;
  if (rule !== undefined && tables.isGenerated(rule)) return authorsLocals(note, rule, written, tables);
  const locals = new Map<string, number>();
  for (const [name, local] of boundLocals(note, written)) {
    const shown = shownName(name, names);
    if (shown !== undefined && !isGeneratedName(shown)) locals.set(shown, local);
  }
  return locals;
}

/**
 * In a generated rule. Several of the rules that it was made of may have a variable of one name:
 * the variable of the rule counts whose expression the statement serves.
 */
function authorsLocals(
  note: StatementNote,
  rule: Rule,
  written: ReadonlySet<number>,
  tables: DebugTables,
): ReadonlyMap<string, number> {
  const { expr, names = noNames } = note.subject;
  const served = expr === undefined ? -1 : tables.authorRule(tables.expression(expr));
  const locals = new Map<string, number>();
  const own = new Set<string>();
  for (const [name, local] of boundLocals(note, written)) {
    for (const author of tables.authorsOf(rule, names.get(name) ?? name)) {
      const isOwn = tables.rule(author.rule) === served;
      if (own.has(author.name) && !isOwn) continue;
      if (isOwn) own.add(author.name);
      locals.set(author.name, local);
    }
  }
  return locals;
}

/** The variables with a value before a statement, by their names in the plan, and their locals. */
function* boundLocals(
  { scope, bindings, copies }: StatementNote,
  written: ReadonlySet<number>,
): Iterable<readonly [string, number]> {
  for (const [name, operand] of scope.bindingsUntil(bindings)) {
    const local = localOf(operand, copies);
    if (local !== undefined && written.has(local) && !name.startsWith('#')) yield [name, local];
  }
}

const noNames: ReadonlyMap<string, string> = new Map();

function localOf(operand: Operand, copies: ReadonlyMap<number, Operand> | undefined): number | undefined {
  if (operand.type !== 'local') return undefined;
  const original = copies?.get(operand.value);
  if (original === undefined) return operand.value;
  return original.type === 'local' ? original.value : undefined;
}

/** Locals that a statement may give a value. */
function writtenLocals(nodes: readonly Stmt[], params: readonly number[]): ReadonlySet<number> {
  const written = new Set(params);
  for (const node of nodes) for (const local of effectsOf(node).writes) written.add(local);
  return written;
}
