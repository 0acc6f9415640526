/** TOML: whole numbers keep all digits, dates are texts. */
import { type AST, ParseError, parseTOML } from 'toml-eslint-parser';
import { numberFromInteger, type PlainObject, setOwn, type Value } from '../../../values/index.js';
import { FileFormatError, type Format } from './format.js';
import type { Marks, PathKey } from './marks.js';

export const toml: Format = {
  parse(text, _context, marks) {
    try {
      const root: PlainObject = {};
      const [top] = parseTOML(text.replace(/^\ufeff/, ' ')).body;
      for (const node of top.body) {
        if (node.type === 'TOMLKeyValue') addPair(root, node, marks);
        else addTable(root, node, marks);
      }
      return root;
    } catch (error) {
      if (!(error instanceof ParseError)) throw error;
      // A value that is missing is noticed at the next word.
      const before = text.slice(0, error.index).trimEnd();
      const offset = before.endsWith('=') ? before.length - 1 : error.index;
      throw new FileFormatError(`unmarshal toml: toml: line ${error.lineNumber}: ${error.message}`, offset);
    }
  },
};

function addTable(root: PlainObject, node: AST.TOMLTable, marks: Marks | undefined): void {
  const table = containerAt(root, node.resolvedKey, node.range, marks) as PlainObject;
  for (const pair of node.body) addPair(table, pair, marks);
}

/** The table at keys that the parser resolved: numbers stand for members of arrays. */
function containerAt(
  root: PlainObject,
  keys: readonly PathKey[],
  [start, end]: AST.Range,
  marks: Marks | undefined,
): unknown {
  let at: unknown = root;
  for (const [i, key] of keys.entries()) {
    const holder = at as Record<PathKey, unknown>;
    if (!Object.hasOwn(holder, key)) {
      setOwn(holder, key as string, typeof keys[i + 1] === 'number' ? [] : {});
      marks?.at(holder, key, start, end);
    }
    at = holder[key];
  }
  return at;
}

function addPair(table: PlainObject, { key, value, range }: AST.TOMLKeyValue, marks: Marks | undefined): void {
  const names = key.keys.map((part) => (part.type === 'TOMLBare' ? part.name : part.value));
  const last = names.pop()!;
  const holder = containerAt(table, names, range, marks) as PlainObject;
  setOwn(holder, last, valueIn(value, marks));
  marks?.at(holder, last, range[0], range[1]);
}

function valueIn(node: AST.TOMLContentNode, marks: Marks | undefined): Value {
  if (node.type === 'TOMLInlineTable') {
    const table: PlainObject = {};
    for (const pair of node.body) addPair(table, pair, marks);
    return table;
  }
  if (node.type === 'TOMLArray') {
    const items = node.elements.map((element) => valueIn(element, marks));
    for (const [i, element] of node.elements.entries()) marks?.at(items, i, element.range[0], element.range[1]);
    return items;
  }
  switch (node.kind) {
    case 'integer':
      if (BigInt.asIntN(64, node.bigint) === node.bigint) return numberFromInteger(node.bigint);
      throw new FileFormatError(`unmarshal toml: ${node.number} is out of range for int64`, node.range[0]);
    case 'string':
    case 'boolean':
      return node.value;
    case 'float':
      if (Number.isFinite(node.value)) return node.value;
      throw new FileFormatError(`unmarshal toml: unsupported value: ${node.number}`, node.range[0]);
    default:
      return dateText(node.datetime, node.kind);
  }
}

/** A date as the reference writes it: missing parts are those of its time without a date. */
function dateText(written: string, kind: AST.TOMLDateTimeValue['kind']): string {
  const text = written
    .toUpperCase()
    .replace(' ', 'T')
    .replace(/^((?:.*T)?\d\d:\d\d)(?![:\d])/, '$1:00')
    .replace(/\.(\d*?)0+(?!\d)/, (_all, digits) => (digits === '' ? '' : `.${digits}`));
  if (kind === 'local-date') return `${text}T00:00:00Z`;
  if (kind === 'local-time') return `0000-01-01T${text}Z`;
  return kind === 'local-date-time' ? `${text}Z` : text.replace(/[+-]00:00$/, 'Z');
}
