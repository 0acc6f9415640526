/** `--path <from>:<to>` of `refactor move`: references that become others. */

import { CompileErrors, dataPath, equalTerms, isRoot, parseTerm, type Term } from '../../compiler/index.js';

/** References that begin with `from` begin with `to` instead. */
export interface Mapping {
  readonly from: readonly Term[];
  readonly to: readonly Term[];
}

/** Reads `data.a:data.b`, as an entry of an object is read. Throws an Error. */
export function parseMapping(text: string): Mapping {
  const [from, to] = entryOf(text);
  return { from: pathOf(from, text), to: pathOf(to, text) };
}

function entryOf(text: string): readonly [Term, Term] {
  let term: Term;
  try {
    term = parseTerm(`{${text}}`);
  } catch (error) {
    // The number of several errors stands behind them, as in the reference.
    const count =
      error instanceof CompileErrors && error.diagnostics.length > 1 ? ` (${error.diagnostics.length})` : '';
    throw new Error(`failed to parse mapping: failed to parse term: ${(error as Error).message}${count}`, {
      cause: error,
    });
  }
  const [entry, ...others] = term.type === 'object' ? term.entries : [];
  if (entry === undefined || others.length > 0) throw new Error(`a mapping has the form <from>:<to>, unlike ${text}`);
  return [entry.key, entry.value];
}

function pathOf(term: Term, text: string): readonly Term[] {
  if (term.type === 'ref' && dataPath(term) !== undefined) return term.terms;
  throw new Error(`a mapping has two paths of data (data.a.b:data.c), unlike ${text}`);
}

/** The mapping with the longest path that a reference begins with. */
export function mappingFor(terms: readonly Term[], mappings: readonly Mapping[]): Mapping | undefined {
  const fitting = mappings.filter(({ from }) => from.every((part, i) => isPart(part, i, terms[i])));
  return fitting.sort((a, b) => b.from.length - a.from.length)[0];
}

/** A mapping of a path below a reference, or of one that a variable in the reference may be. */
export function mappingBelow(terms: readonly Term[], mappings: readonly Mapping[]): Mapping | undefined {
  return mappings.find(({ from }) =>
    from.every((part, i) => (i > 0 && isVaried(terms[i])) || isPart(part, i, terms[i])),
  );
}

/** A part that is not there, or known at run time alone. */
function isVaried(term: Term | undefined): boolean {
  return term === undefined || !['string', 'number', 'boolean', 'null'].includes(term.type);
}

/** Whether a term of a reference is the part of a mapping's path at an index: at 0 `data`. */
function isPart(part: Term, index: number, term: Term | undefined): boolean {
  if (index === 0) return isRoot(term, 'data');
  return term !== undefined && equalTerms(part, term);
}
