/**
 * Notes on statements: what they serve and why they stand where they stand. Debug information is
 * made of them. They are kept beside the members of a statement under a symbol, so that a pass
 * which copies a statement copies its note, and JSON has none.
 */
import type { DebugReason, Operand, Stmt } from '../../../ir-schema/index.js';
import type { Rule } from '../../ast/nodes.js';
import type { Span } from '../../source/location.js';
import type { PlanScope } from './scope.js';

/** The purpose of the statements that are emitted. */
export interface Subject {
  readonly reason: DebugReason;
  /** The rule or the `else`. */
  readonly rule?: Rule | undefined;
  /** The expression. */
  readonly expr?: Span | undefined;
  /** Generated variable → the name that the author wrote. */
  readonly names?: ReadonlyMap<string, string> | undefined;
}

export interface StatementNote {
  readonly subject: Subject;
  /** The variables that have a value before the statement: the first `bindings` of the scope. */
  readonly scope: PlanScope;
  readonly bindings: number;
  /** Locals that a pass has removed, and the operands that are read in their place. */
  readonly copies?: ReadonlyMap<number, Operand>;
}

const noteKey = Symbol('note');

interface Noted {
  readonly [noteKey]?: StatementNote;
}

export function noteOf(node: Stmt): StatementNote | undefined {
  return (node.stmt as Noted)[noteKey];
}

/** The note of a statement as members for another one. */
export function noteMember(node: Stmt): object {
  const note = noteOf(node);
  return note === undefined ? {} : { [noteKey]: note };
}

/** Puts a note on a statement that is being made. */
export function putNote(node: Stmt, note: StatementNote): void {
  (node.stmt as { [noteKey]?: StatementNote })[noteKey] = note;
}

/** The statement with another reason; the same one if it has no note. */
export function withReason(node: Stmt, reason: DebugReason): Stmt {
  const note = noteOf(node);
  return note === undefined ? node : withNote(node, { ...note, subject: { ...note.subject, reason } });
}

/** The statement with a note of what is read in place of some locals; itself if it has no note. */
export function withCopies(node: Stmt, copies: ReadonlyMap<number, Operand>): Stmt {
  const note = noteOf(node);
  return note === undefined ? node : withNote(node, { ...note, copies });
}

function withNote(node: Stmt, note: StatementNote): Stmt {
  return { type: node.type, stmt: { ...node.stmt, [noteKey]: note } } as unknown as Stmt;
}
