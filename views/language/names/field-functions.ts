/** Built-ins that pass fields of their operands on, and those that name fields in texts. */

import { functionName, type RefTerm, Span, type Term } from '../../../compiler/index.js';
import { anyKey } from './symbol.js';

/** A call, of an expression or a term. */
export interface FieldCall {
  readonly operator: RefTerm;
  readonly args: readonly Term[];
}

/** The operands whose fields, or elements, are those of the result; undefined: all of them. */
const passing: Readonly<Record<string, readonly number[] | undefined>> = {
  'array.concat': undefined,
  'array.reverse': [0],
  'array.slice': [0],
  'json.filter': [0],
  'json.patch': [0],
  'json.remove': [0],
  'object.filter': [0],
  'object.remove': [0],
  'object.union': undefined,
  and: undefined,
  minus: [0],
  or: undefined,
  sort: [0],
};

/** The operands that a result has its fields from; undefined where it is another value. */
export function passedOperands({ operator, args }: FieldCall): readonly Term[] | undefined {
  const name = functionName(operator) ?? '';
  if (!Object.hasOwn(passing, name)) return undefined;
  const indexes = passing[name];
  return indexes === undefined ? args : args.filter((_, i) => indexes.includes(i));
}

/** The names of fields behind each other, with the texts that they are in. */
export interface NamedFields {
  /** A step without a place is of any key. */
  readonly steps: readonly { readonly key: string; readonly loc?: Span }[];
  /** The value that a patch gives to the field. */
  readonly value?: Term | undefined;
}

/** The field that `object.get` reads, and the value in its place. */
export function readField({
  operator,
  args: [object, key, otherwise],
}: FieldCall): (NamedFields & { readonly object: Term; readonly otherwise: Term | undefined }) | undefined {
  if (functionName(operator) !== 'object.get' || object === undefined || key === undefined) return undefined;
  const keys = key.type === 'array' ? key.items : [key];
  return { object, otherwise, steps: keys.map(stepOf) };
}

/** The fields of the first operand that texts of the others name. */
export function fieldsInTexts({ operator, args: [, texts] }: FieldCall): readonly NamedFields[] {
  const items = texts?.type === 'array' || texts?.type === 'set' ? texts.items : [];
  switch (functionName(operator)) {
    case 'object.filter':
    case 'object.remove':
      return items.map((item) => ({ steps: [stepOf(item)] }));
    case 'json.filter':
    case 'json.remove':
      return items.map((item) => ({ steps: pathIn(item) }));
    case 'json.patch':
      return items.flatMap(fieldsOfPatch);
    default:
      return [];
  }
}

function fieldsOfPatch(patch: Term): readonly NamedFields[] {
  if (patch.type !== 'object') return [];
  const member = (name: string): Term | undefined =>
    patch.entries.find(({ key }) => key.type === 'string' && key.value === name)?.value;
  return ['path', 'from'].flatMap((name) => {
    const path = member(name);
    return path === undefined ? [] : [{ steps: pathIn(path), value: name === 'path' ? member('value') : undefined }];
  });
}

/** `/spec/containers/0`, `spec/containers`, or the same as a list. */
function pathIn(path: Term): NamedFields['steps'] {
  if (path.type === 'array') return path.items.map(stepOf);
  if (path.type !== 'string') return [];
  const written = path.loc.text.slice(1, -1);
  // Texts with escapes have their names at other places.
  if (written !== path.value || written.includes('~')) return [];
  let start = path.loc.start + 1;
  const steps = written.split('/').map((key) => {
    const loc = new Span(path.loc.source, start, start + key.length);
    start += key.length + 1;
    return /^(?:\d+|-)$/.test(key) ? { key: anyKey } : { key, loc };
  });
  return written.startsWith('/') ? steps.slice(1) : steps;
}

function stepOf(term: Term): NamedFields['steps'][number] {
  return term.type === 'string' ? { key: term.value, loc: term.loc } : { key: anyKey };
}
