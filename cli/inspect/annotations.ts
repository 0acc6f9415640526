/** The annotations of a bundle. */

import type { Annotations, Module, Term } from '../../compiler/index.js';
import { annotationsToJson, type Location, locationOf, nameOfKey, printRef } from '../../compiler/index.js';
import type { Bundle } from '../../engine/index.js';
import type { PlainObject } from '../../values/index.js';

/** Annotations and their target. */
export interface AnnotationsRef {
  readonly annotations: PlainObject;
  readonly path: readonly string[];
  readonly file: string;
  /** 0 for a whole file. */
  readonly row: number;
  readonly col: number;
  /** The enclosing package, and the annotated rule; unknown for annotations of Wasm entrypoints. */
  readonly package?: string;
  readonly rule?: string;
}

/** All annotations, by path and then by position. */
export function moduleAnnotations(modules: readonly Module[]): AnnotationsRef[] {
  return modules
    .flatMap(annotationsOf)
    .sort(
      (a, b) =>
        compareText(a.path.join('\u0000'), b.path.join('\u0000')) || compareText(a.file, b.file) || a.row - b.row,
    );
}

/** The annotations of a manifest's Wasm modules. */
export function wasmAnnotations({ manifest }: Bundle): AnnotationsRef[] {
  return manifest.wasm.flatMap(({ entrypoint, module, annotations }) =>
    ((annotations ?? []) as readonly PlainObject[]).map((one) => ({
      annotations: one,
      path: ['data', ...entrypoint.split('/').filter((part) => part !== '')],
      file: module,
      row: 0,
      col: 0,
    })),
  );
}

function annotationsOf(module: Module): AnnotationsRef[] {
  const length = module.package.path.length;
  return module.annotations.map((annotations): AnnotationsRef => {
    const { path, scope } = annotations;
    const { file, row, col } = placeOf(annotations, module);
    const below = path.slice(length);
    return {
      annotations: annotationsToJson(annotations) as PlainObject,
      path: path.map(nameOfKey),
      file,
      row,
      col,
      package: withoutData(module.package.path),
      ...(scope !== 'package' && scope !== 'subpackages' && below.length > 0 && { rule: asName(below) }),
    };
  });
}

/** The place of the package or the rule that annotations stand above. */
function placeOf({ loc }: Annotations, module: Module): Location {
  const below = [module.package, ...module.rules].find((statement) => statement.loc.start >= loc.start);
  return locationOf(below?.loc ?? loc);
}

function withoutData(path: readonly Term[]): string {
  return path.length > 1 ? asName(path.slice(1)) : '';
}

/** The text of a ref whose head is a name. */
function asName(ref: readonly Term[]): string {
  return printRef(ref.map((term, i): Term => (i === 0 ? { type: 'var', loc: term.loc, name: nameOfKey(term) } : term)));
}

function compareText(a: string, b: string): number {
  return a < b ? -1 : a > b ? 1 : 0;
}
