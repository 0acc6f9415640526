/** Output of `inspect` as JSON and as tables. */
import { manifestValue } from '../../engine/index.js';
import { htmlSafe, toJson } from '../../values/index.js';
import { orderedBuiltin } from '../commands/capabilities.js';
import type { Io } from '../io.js';
import { jsonOutput, Ordered } from '../output/ordered-json.js';
import { tableText, truncated, truncatedPath } from '../output/table.js';
import type { AnnotationsRef } from './annotations.js';
import { annotationsText } from './annotations-text.js';
import type { Inspection } from './inspection.js';

const cellLimit = 50;

/** The parts that are shown on request. */
export interface ShownParts {
  readonly annotations: boolean;
  readonly entrypoints: boolean;
  readonly builtins: boolean;
  readonly sizes: boolean;
}

/** The inspection as JSON: the reference's fields, then ours. */
export function inspectionJson(found: Inspection, shown: ShownParts, io: Io): string {
  const { signatures, plugin } = found.bundle.signatures ?? {};
  const { wasmModules, namespaces, annotations } = found;
  const needed = found.capabilities();
  const ifAny = <T>(list: readonly T[]): readonly T[] | undefined => (list.length > 0 ? list : undefined);
  return jsonOutput(
    new Ordered(
      ['manifest', found.isPolicy ? undefined : manifestDocument(found)],
      ['signatures_config', new Ordered(['plugin', plugin], ['signatures', signatures])],
      ['wasm_modules', ifAny(wasmModules)],
      ['namespaces', namespaces.size > 0 ? Object.fromEntries(namespaces) : undefined],
      ['annotations', shown.annotations ? ifAny(annotations)?.map(annotationsDocument) : undefined],
      [
        'capabilities',
        new Ordered(
          ['builtins', ifAny(needed.builtins)?.map(orderedBuiltin)],
          ['future_keywords', ifAny(needed.keywords)],
          ['features', ifAny(needed.features)],
        ),
      ],
      ...(shown.entrypoints ? entrypointFields(found) : []),
      [
        'builtins',
        shown.builtins
          ? found.builtins.map(({ name, available }) => new Ordered(['name', name], ['available', available]))
          : undefined,
      ],
      ['sizes', shown.sizes ? new Ordered(...Object.entries(found.sizes)) : undefined],
    ),
    io,
  );
}

function entrypointFields({ entrypoints, functions }: Inspection) {
  const rows = functions.map(
    ({ name, path, parameters, statements }) =>
      new Ordered(['name', name], ['path', path], ['parameters', parameters], ['statements', statements]),
  );
  return [['entrypoints', entrypoints] as const, ['functions', rows] as const];
}

function manifestDocument({ bundle: { manifest } }: Inspection): Ordered {
  const { revision, roots, wasm, rego_version, file_rego_versions, metadata } = manifestValue(manifest);
  return new Ordered(
    ['revision', revision],
    ['roots', roots],
    ['wasm', wasm],
    ['rego_version', rego_version],
    ['file_rego_versions', file_rego_versions],
    ['metadata', metadata],
  );
}

function annotationsDocument({ annotations, path, file, row, col }: AnnotationsRef): Ordered {
  return new Ordered(
    ['path', path.map((value, i) => new Ordered(['type', i === 0 ? 'var' : 'string'], ['value', value]))],
    ['annotations', annotations],
    ['location', new Ordered(['file', file], ['row', row], ['col', col])],
  );
}

/** The inspection as tables; empty tables are left out. */
export function inspectionText(found: Inspection, shown: ShownParts): string {
  const parts = [
    section('MANIFEST', ['field', 'value'], manifestRows(found), true),
    section('NAMESPACES', ['namespace', 'file'], namespaceRows(found), true),
    shown.annotations && found.annotations.length > 0
      ? `ANNOTATIONS:\n${found.annotations.map(annotationsText).join('')}`
      : '',
    ...(shown.entrypoints ? entrypointTables(found) : []),
    shown.builtins
      ? section(
          'BUILT-INS',
          ['name', 'available'],
          found.builtins.map(({ name, available }) => [name, available ? 'yes' : 'no']),
        )
      : '',
    shown.sizes
      ? section(
          'SIZES',
          ['what', 'size'],
          Object.entries(found.sizes).map(([what, size]) => [what.replaceAll('_', ' '), String(size)]),
        )
      : '',
  ];
  return parts.join('');
}

function entrypointTables({ entrypoints, functions }: Inspection): string[] {
  const rows = functions.map(({ name, path, parameters, statements }) => [
    name,
    path ?? '',
    String(parameters),
    String(statements),
  ]);
  return [
    section(
      'ENTRYPOINTS',
      ['entrypoint'],
      entrypoints.map((name) => [name]),
    ),
    section('FUNCTIONS', ['function', 'path', 'parameters', 'statements'], rows),
  ];
}

function section(
  title: string,
  columns: readonly string[],
  rows: readonly (readonly string[])[],
  merge = false,
): string {
  return rows.length === 0 ? '' : `${title}:\n${tableText(columns, rows, { merge, capitals: true })}`;
}

function manifestRows({ bundle: { manifest } }: Inspection): string[][] {
  const rows: string[][] = [];
  if (manifest.regoVersion !== undefined) rows.push(['Rego Version', String(manifest.regoVersion)]);
  if (manifest.revision !== '') rows.push(['Revision', truncated(manifest.revision, cellLimit)]);
  const roots = manifest.roots.length === 1 ? manifest.roots.filter((root) => root !== '') : manifest.roots.toSorted();
  for (const root of roots) rows.push(['Roots', truncatedPath(root, cellLimit)]);
  if (manifest.metadata !== undefined && Object.keys(manifest.metadata).length > 0) {
    rows.push(['Metadata', truncated(htmlSafe(toJson(manifest.metadata)), cellLimit)]);
  }
  return rows;
}

function namespaceRows({ namespaces }: Inspection): string[][] {
  return [...namespaces].flatMap(([namespace, files]) =>
    files.map((file) => [namespace, truncatedPath(file, cellLimit)]),
  );
}
