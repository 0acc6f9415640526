/**
 * XML: attributes are members with a dash, repeated elements a list, the text of an element with
 * members is `#content`. All values are texts.
 */
import { type Attr, DOMParser, type Element, type Node, ParseError } from '@xmldom/xmldom';
import { type PlainObject, setOwn, type Value } from '../../../values/index.js';
import { FileFormatError, type Format, offsetOfLine } from './format.js';
import { linesOf } from './lines.js';
import type { Marks } from './marks.js';

export const xml: Format = {
  parse(text, _context, marks) {
    const root = elementOf(text);
    const document: PlainObject = {};
    const reading: Reading = { text, marks, rows: marks === undefined ? [] : rowsOf(text) };
    const start = startOf(root, reading);
    setOwn(document, root.localName ?? root.nodeName, elementValue(root, reading));
    marks?.at(document, root.localName ?? root.nodeName, start, start);
    return document;
  },
  // The reference takes several elements, or a text alone, for the content of a document.
  parseBroken(text) {
    try {
      const content = text.replace(/^\ufeff?\s*<\?xml\s[^>]*\?>/, '');
      const whole = `<content>${content}</content>`;
      return elementValue(elementOf(whole), { text: whole, marks: undefined, rows: [] });
    } catch (error) {
      if (error instanceof FileFormatError) return '';
      throw error;
    }
  },
};

/** The root element. Throws a FileFormatError. */
export function elementOf(text: string): Element {
  let failure: string | undefined;
  let place: Partial<Located> | undefined;
  const parser = new DOMParser({
    onError: (level, message, { locator }) => {
      // An attribute without a value or without quotes is only a warning there.
      if (level === 'warning' && !/^attribute /.test(message)) return;
      failure ??= message;
      place ??= locator as Partial<Located> | undefined;
    },
  });
  try {
    const root = parser.parseFromString(text.replace(/^\ufeff/, ''), 'text/xml').documentElement;
    if (failure === undefined && root !== null) return root;
  } catch (error) {
    if (!(error instanceof ParseError)) throw error;
    const { lineNumber = 1, columnNumber = 1 } = (error.locator ?? {}) as Partial<Located>;
    throw new FileFormatError(`unmarshal xml: ${error.message}`, offsetOfLine(text, lineNumber, columnNumber));
  }
  const { lineNumber = 1, columnNumber = 1 } = place ?? {};
  throw new FileFormatError(
    `unmarshal xml: ${failure ?? 'there is no element'}`,
    offsetOfLine(text, lineNumber, columnNumber),
  );
}

interface Located {
  readonly lineNumber: number;
  readonly columnNumber: number;
}

interface Reading {
  readonly text: string;
  readonly marks: Marks | undefined;
  /** Where each row begins; none where no places are marked. */
  readonly rows: readonly number[];
}

/** Where each row of a text begins. */
export function rowsOf(text: string): readonly number[] {
  return linesOf(text).map(({ start }) => start);
}

function startOf(node: Node, { rows }: Reading): number {
  const { lineNumber = 1, columnNumber = 1 } = node as unknown as Partial<Located>;
  return (rows[lineNumber - 1] ?? 0) + columnNumber - 1;
}

function elementValue(element: Element, reading: Reading): Value {
  const members = new Map<string, { readonly value: Value; readonly start: number }[]>();
  const start = startOf(element, reading);
  const add = (name: string, value: Value, at: number) => {
    const known = members.get(name);
    if (known === undefined) members.set(name, [{ value, start: at }]);
    else known.push({ value, start: at });
  };
  for (const attribute of [...element.attributes])
    add(`-${nameOf(attribute)}`, attribute.value, attributeStart(attribute, start, reading));
  let content = '';
  for (let child = element.firstChild; child !== null; child = child.nextSibling) {
    if (child.nodeType === child.ELEMENT_NODE)
      add(
        (child as Element).localName ?? child.nodeName,
        elementValue(child as Element, reading),
        startOf(child, reading),
      );
    // As in the reference, the last text counts.
    else if (child.nodeType === child.TEXT_NODE || child.nodeType === child.CDATA_SECTION_NODE)
      content = (child.nodeValue ?? '').trim();
  }
  if (members.size === 0) return content;
  return objectOf(members, content, start, reading);
}

function objectOf(
  members: ReadonlyMap<string, readonly { readonly value: Value; readonly start: number }[]>,
  content: string,
  start: number,
  { marks }: Reading,
): PlainObject {
  const object: PlainObject = {};
  if (content !== '') {
    setOwn<Value>(object, '#content', content);
    marks?.at(object, '#content', start, start);
  }
  for (const [name, found] of members) {
    const [first] = found;
    const values = found.map(({ value }) => value);
    setOwn(object, name, found.length === 1 ? first!.value : values);
    marks?.at(object, name, first!.start, first!.start);
    for (const [i, { start: at }] of found.entries()) marks?.at(values, i, at, at);
  }
  return object;
}

/** The name without the prefix of its namespace. */
function nameOf({ localName, name }: Attr): string {
  return localName ?? name;
}

function attributeStart({ name }: Attr, start: number, { text, marks }: Reading): number {
  if (marks === undefined) return start;
  const tag = /^<[^\s/>]+(?:\s+[^\s=]+\s*=\s*(?:"[^"]*"|'[^']*'))*/.exec(text.slice(start))?.[0] ?? '';
  const at = tag.search(new RegExp(`\\s${name.replace(/[.\\-]/g, '\\$&')}\\s*=`));
  return at < 0 ? start : start + at + 1;
}
