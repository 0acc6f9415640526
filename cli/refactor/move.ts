/**
 * Moves packages: replaces the paths of packages and references in the text of a module. All else,
 * comments included, stays as it is.
 */
import type { Module, Node, Term } from '../../compiler/ast/nodes.js';
import { printRef } from '../../compiler/ast/print.js';
import { walk } from '../../compiler/ast/walk.js';
import { type Mapping, mappingBelow, mappingFor } from './mapping.js';

interface Edit {
  readonly start: number;
  readonly end: number;
  readonly text: string;
}

/**
 * The text of a module after the move. Throws an Error rather than losing a comment, and for a
 * reference to a parent of what moves.
 */
export function movedText(module: Module, mappings: readonly Mapping[]): string {
  const edits = new Map<number, Edit>();
  const add = (edit: Edit | undefined) => {
    // Several bodies of a rule share one head.
    if (edit !== undefined) edits.set(edit.start, edit);
  };
  add(packageEdit(module, mappings));
  const visit = (node: Node): boolean => {
    if (node.type === 'package') return false;
    if (node.type === 'var') refuseParent([node], mappings);
    if (node.type !== 'ref') return true;
    const edit = referenceEdit(node.terms, mappings);
    if (edit === undefined) refuseParent(node.terms, mappings);
    add(edit);
    for (const term of node.terms.slice(1)) walk(term, visit);
    return false;
  };
  walk(module, visit);
  let { text } = module.source;
  for (const edit of [...edits.values()].sort((a, b) => b.start - a.start)) {
    refuseComments(module, edit);
    text = text.slice(0, edit.start) + edit.text + text.slice(edit.end);
  }
  return text;
}

function packageEdit({ package: { path } }: Module, mappings: readonly Mapping[]): Edit | undefined {
  const mapping = mappingFor(path, mappings);
  if (mapping === undefined) return undefined;
  const { from, to } = mapping;
  // The text has no `data`.
  const moved = [...to.slice(1), ...path.slice(from.length)];
  if (moved.length === 0) throw new Error(`${printRef(from)} cannot become ${printRef(to)}: a package has a name`);
  return { start: path[1]!.loc.start, end: endOf(path.at(-1)!), text: printRef(moved) };
}

function referenceEdit(terms: readonly Term[], mappings: readonly Mapping[]): Edit | undefined {
  const head = terms[0]!;
  const mapping = head.type === 'var' && head.name === 'data' ? mappingFor(terms, mappings) : undefined;
  if (mapping === undefined) return undefined;
  return { start: head.loc.start, end: endOf(terms[mapping.from.length - 1]!), text: printRef(mapping.to) };
}

/** A reference to `data.a` reads `data.a.b` too, which moves away: no text says the same then. */
function refuseParent(terms: readonly Term[], mappings: readonly Mapping[]): void {
  const below = mappingBelow(terms, mappings);
  if (below === undefined) return;
  const { file, row } = terms[0]!.loc;
  throw new Error(
    `${file}:${row}: \`${printRef(below.from)}\` prefix is too short: ${printRef(terms)} contains what moves`,
  );
}

/** The end of a part of a reference, with the bracket after a quoted one. */
function endOf({ loc: { source, start, end } }: Term): number {
  if (!/["`]/.test(source.text[start] ?? '')) return end;
  return end + /^(?:\s|#[^\n]*\n)*\]/.exec(source.text.slice(end))![0].length;
}

function refuseComments({ comments, source: { file } }: Module, { start, end }: Edit): void {
  const lost = comments.find(({ loc }) => loc.start >= start && loc.end <= end);
  if (lost !== undefined)
    throw new Error(
      `${file}:${lost.loc.row}: the comment stands inside a reference that moves: put it elsewhere first`,
    );
}
