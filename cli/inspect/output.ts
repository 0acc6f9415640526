/** Output of `inspect` as JSON and as tables. */
import { manifestValue } from '../../runtime/bundle/manifest.js';
import { htmlSafe } from '../../runtime/values/json/html-safe.js';
import { toJson } from '../../runtime/values/json/json.js';
import type { PlainObject, Value } from '../../runtime/values/value.js';
import { orderedBuiltin } from '../commands/capabilities.js';
import type { Io } from '../io.js';
import { json, Ordered } from '../output/ordered-json.js';
import { tableText, truncated, truncatedPath } from '../output/table.js';
import type { AnnotationsRef, Inspection } from './inspection.js';

const cellLimit = 50;
const pageWidth = 80;

/** The inspection as JSON: the reference's fields, then ours. */
export function inspectionJson(found: Inspection, withAnnotations: boolean, io: Io): string {
  const { signatures, plugin } = found.bundle.signatures ?? {};
  const { features } = found.capabilities;
  const needed = found.capabilities.builtins;
  return json(
    new Ordered(
      ['manifest', manifestDocument(found)],
      ['signatures_config', new Ordered(['plugin', plugin], ['signatures', signatures])],
      ['wasm_modules', found.wasmModules.length > 0 ? found.wasmModules : undefined],
      ['namespaces', found.namespaces.size > 0 ? Object.fromEntries(found.namespaces) : undefined],
      ['annotations', withAnnotations && found.annotations.length > 0 ? found.annotations.map(annotationsDocument) : undefined],
      [
        'capabilities',
        new Ordered(
          ['builtins', needed.length > 0 ? needed.map(orderedBuiltin) : undefined],
          ['features', features.length > 0 ? features : undefined],
        ),
      ],
      ['entrypoints', found.entrypoints],
      [
        'functions',
        found.functions.map(
          ({ name, path, parameters, statements }) =>
            new Ordered(['name', name], ['path', path], ['parameters', parameters], ['statements', statements]),
        ),
      ],
      ['builtins', found.builtins.map(({ name, available }) => new Ordered(['name', name], ['available', available]))],
      ['sizes', new Ordered(...Object.entries(found.sizes))],
    ),
    io,
  );
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
export function inspectionText(found: Inspection, withAnnotations: boolean): string {
  const parts = [
    section('MANIFEST', ['field', 'value'], manifestRows(found), true),
    section('NAMESPACES', ['namespace', 'file'], namespaceRows(found), true),
    withAnnotations && found.annotations.length > 0 ? `ANNOTATIONS:\n${found.annotations.map(annotationsText).join('')}` : '',
    section(
      'ENTRYPOINTS',
      ['entrypoint'],
      found.entrypoints.map((name) => [name]),
    ),
    section(
      'FUNCTIONS',
      ['function', 'path', 'parameters', 'statements'],
      found.functions.map(({ name, path, parameters, statements }) => [name, path ?? '', String(parameters), String(statements)]),
    ),
    section(
      'BUILT-INS',
      ['name', 'available'],
      found.builtins.map(({ name, available }) => [name, available ? 'yes' : 'no']),
    ),
    section(
      'SIZES',
      ['what', 'size'],
      Object.entries(found.sizes).map(([what, size]) => [what.replaceAll('_', ' '), String(size)]),
    ),
  ];
  return parts.join('');
}

function section(title: string, columns: readonly string[], rows: readonly (readonly string[])[], merge = false): string {
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
  return [...namespaces].flatMap(([namespace, files]) => files.map((file) => [namespace, truncatedPath(file, cellLimit)]));
}

function annotationsText({ annotations, path, file, row, package: pkg, rule }: AnnotationsRef): string {
  const text = (name: string) => (typeof annotations[name] === 'string' ? (annotations[name] as string) : '');
  const title = text('title').trim() || path.slice(1).join('.');
  const lines = [title, '='.repeat(Math.min(title.length, pageWidth)), ''];
  if (text('description') !== '') lines.push(text('description'), '');
  if (pkg !== undefined) lines.push(`Package:  ${pkg}`);
  if (rule !== undefined) lines.push(`Rule:     ${rule}`);
  lines.push(`Location: ${file}${row > 0 ? `:${row}` : ''}`);
  if (text('scope') !== '') lines.push(`Scope: ${text('scope')}`);
  if (annotations.entrypoint === true) lines.push('Entrypoint: true');
  lines.push('');
  lines.push(
    ...listLines(
      'Organizations',
      elements(annotations.organizations).map((name) => [String(name), '']),
    ),
  );
  lines.push(
    ...listLines(
      'Authors',
      elements(annotations.authors).map((author) => [authorText(author), '']),
    ),
  );
  lines.push(...listLines('Schemas', elements(annotations.schemas).map(schemaEntry)));
  lines.push(...listLines('Related Resources', elements(annotations.related_resources).map(resourceEntry)));
  const custom = Object.entries((annotations.custom ?? {}) as PlainObject);
  lines.push(
    ...listLines(
      'Custom',
      custom.map(([name, value]) => [`${name}: `, htmlSafe(toJson(value))]),
    ),
  );
  return lines.map((line) => `${line}\n`).join('');
}

function elements(value: Value | undefined): readonly Value[] {
  return Array.isArray(value) ? (value as readonly Value[]) : [];
}

function authorText(author: Value): string {
  const { name, email } = author as PlainObject;
  if (!email) return String(name);
  return name ? `${name} <${email}>` : `<${email}>`;
}

/** A path and its schema: a ref to a schema, or an inline schema. */
function schemaEntry(entry: Value): [string, string] {
  const { path, schema, definition } = entry as PlainObject;
  const ref = (terms: Value | undefined) =>
    elements(terms)
      .map((term) => String((term as PlainObject).value))
      .join('.');
  return [`${ref(path)}: `, schema === undefined ? htmlSafe(toJson(definition ?? null)) : ref(schema)];
}

function resourceEntry(resource: Value): [string, string] {
  const { ref, description } = resource as PlainObject;
  return [`${ref}${description ? ' ' : ''}`, description ? String(description) : ''];
}

function listLines(title: string, entries: readonly (readonly [string, string])[]): string[] {
  if (entries.length === 0) return [];
  const width = Math.max(...entries.map(([key]) => key.length));
  const lines = entries.map(([key, value]) => ` ${value === '' ? key : key.padEnd(width) + value}`.replaceAll('\n', ' '));
  return [`${title}:`, ...lines.map((line) => truncated(line, pageWidth)), ''];
}
