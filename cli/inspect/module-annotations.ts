/** The annotations in the policies of a bundle. Loaded on demand, since it needs the parser. */
import { annotationsToJson } from '../../compiler/ast/json.js';
import type { Module, Term } from '../../compiler/ast/nodes.js';
import { printRef } from '../../compiler/ast/print.js';
import { locationOf } from '../../compiler/source/location.js';
import type { Bundle } from '../../runtime/bundle/bundle.js';
import type { PlainObject } from '../../runtime/values/value.js';
import { parseBundle } from '../policies.js';
import type { AnnotationsRef } from './inspection.js';

/**
 * All annotations, by path and then by position. Throws an Error for a module that does not parse.
 */
export function moduleAnnotations(name: string, bundle: Bundle, fallbackVersion: 0 | 1): AnnotationsRef[] {
  const parsed = parseBundle(name, bundle, { version: fallbackVersion === 1 ? 'v1' : 'v0' });
  return parsed
    .flatMap(({ module }) => annotationsOf(module))
    .sort((a, b) => compareText(a.path.join('\u0000'), b.path.join('\u0000')) || compareText(a.file, b.file) || a.row - b.row);
}

function annotationsOf(module: Module): AnnotationsRef[] {
  const length = module.package.path.length;
  return module.annotations.map((annotations): AnnotationsRef => {
    const { path, loc, scope } = annotations;
    const { file, row, col } = locationOf(loc);
    const below = path.slice(length);
    return {
      annotations: annotationsToJson(annotations) as PlainObject,
      path: path.map(textOf),
      file,
      row,
      col,
      package: withoutData(module.package.path),
      ...(scope !== 'package' && scope !== 'subpackages' && below.length > 0 && { rule: asName(below) }),
    };
  });
}

function textOf(term: Term): string {
  return term.type === 'var' ? term.name : term.type === 'string' ? term.value : '';
}

function withoutData(path: readonly Term[]): string {
  return path.length > 1 ? asName(path.slice(1)) : '';
}

/** The text of a ref whose head is a name. */
function asName([head, ...rest]: readonly Term[]): string {
  return printRef([{ type: 'var', loc: head!.loc, name: textOf(head!) }, ...rest]);
}

function compareText(a: string, b: string): number {
  return a < b ? -1 : a > b ? 1 : 0;
}
