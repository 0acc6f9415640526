/** Annotations as paragraphs of text. */

import { htmlSafe, type PlainObject, toJson, type Value } from '../../values/index.js';
import { truncated } from '../output/table.js';
import type { AnnotationsRef } from './annotations.js';

const pageWidth = 80;

/** A block of annotations, with its title as a heading. */
export function annotationsText({ annotations, path, file, row, package: pkg, rule }: AnnotationsRef): string {
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
  const lines = entries.map(([key, value]) =>
    ` ${value === '' ? key : key.padEnd(width) + value}`.replaceAll('\n', ' '),
  );
  return [`${title}:`, ...lines.map((line) => truncated(line, pageWidth)), ''];
}
