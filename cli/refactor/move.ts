/**
 * Moves packages: replaces the paths of packages and references in the text of a module. All else,
 * comments included, stays as it is.
 */
import { type Module, type Node, printRef, type Term, walk } from '../../compiler/index.js';
import { type Mapping, mappingBelow, mappingFor } from './mapping.js';
import { partEnd } from './part-end.js';

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
    if (node.type === 'var') refuseParent([node], node, mappings);
    if (node.type !== 'ref') return true;
    const edit = referenceEdit(node.terms, mappings);
    if (edit === undefined) refuseParent(node.terms, node, mappings);
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
  return { ...extentOf(path.slice(1)), text: printRef(moved) };
}

function referenceEdit(terms: readonly Term[], mappings: readonly Mapping[]): Edit | undefined {
  const mapping = mappingFor(terms, mappings);
  if (mapping === undefined) return undefined;
  return { ...extentOf(terms.slice(0, mapping.from.length)), text: printRef(mapping.to) };
}

/** A reference to `data.a` reads `data.a.b` too, which moves away: no text says the same then. */
function refuseParent(terms: readonly Term[], { loc }: Term, mappings: readonly Mapping[]): void {
  const below = mappingBelow(terms, mappings);
  if (below === undefined) return;
  throw new Error(
    `${loc.file}:${loc.row}: \`${printRef(below.from)}\` prefix is too short: ${printRef(terms)} contains what moves`,
  );
}

function extentOf(path: readonly Term[]): Pick<Edit, 'start' | 'end'> {
  return { start: Math.min(...path.map(({ loc }) => loc.start)), end: Math.max(...path.map(partEnd)) };
}

function refuseComments({ comments, source: { file } }: Module, { start, end }: Edit): void {
  const lost = comments.find(({ loc }) => loc.start >= start && loc.end <= end);
  if (lost !== undefined)
    throw new Error(
      `${file}:${lost.loc.row}: the comment stands inside a reference that moves: put it elsewhere first`,
    );
}
