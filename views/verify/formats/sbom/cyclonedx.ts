/** CycloneDX, in JSON or in XML, which becomes the members that JSON has. */
import type { Element } from '@xmldom/xmldom';
import { isArray, isObject, type PlainObject, setOwn, typeName, type Value } from '../../../../values/index.js';
import { FileFormatError, type Format, type FormatContext, offsetOfLine } from '../format.js';
import { readJsonText } from '../json.js';
import { markJson } from '../json-marks.js';
import type { Marks } from '../marks.js';
import { elementOf } from '../xml.js';

export const cyclonedx: Format = {
  parse(text, _context: FormatContext, marks) {
    if (!text.trimStart().startsWith('<')) return jsonDocument(text, marks);
    const root = elementOf(text);
    const members = new Elements(text, marks).members(root);
    return { bomFormat: '', ...members, specVersion: 'SpecVersion(0)' };
  },
};

/** The members that must be texts. */
const texts = ['bomFormat', 'specVersion', 'serialNumber'];

function jsonDocument(text: string, marks: Marks | undefined): Value {
  const document = readJsonText(text, 'decode CycloneDX BOM');
  if (!isObject(document)) throw wrongType(typeName(document), 'value', 'BOM');
  for (const key of texts) {
    const value = (document as PlainObject)[key];
    if (value !== undefined && value !== null && typeof value !== 'string')
      throw wrongType(typeName(value), `struct field BOM.${key}`, 'string');
  }
  if (marks !== undefined) markJson(text, document, marks);
  return document;
}

function wrongType(found: string, place: string, wanted: string): FileFormatError {
  return new FileFormatError(
    `decode CycloneDX BOM: json: cannot unmarshal ${found} into Go ${place} of type ${wanted}`,
    0,
  );
}

/** Elements that hold a list of those inside. */
const lists = new Set(
  `components services dependencies hashes licenses externalReferences properties tools authors patches commits
  vulnerabilities ratings advisories references affects cwes compositions assemblies notes`.split(/\s+/),
);

class Elements {
  readonly #text: string;
  readonly #marks: Marks | undefined;

  constructor(text: string, marks: Marks | undefined) {
    this.#text = text;
    this.#marks = marks;
  }

  members(element: Element): PlainObject {
    const object: PlainObject = {};
    for (const { name, value } of [...element.attributes])
      if (!name.startsWith('xmlns')) this.#put(object, name, name === 'version' ? Number(value) : value, element);
    for (const child of childrenOf(element)) {
      const value = this.#value(child);
      if (!(isArray(value) && value.length === 0)) this.#put(object, child.localName ?? child.nodeName, value, child);
    }
    return object;
  }

  #put(object: PlainObject, key: string, value: Value, element: Element): void {
    setOwn(object, key, value);
    const at = this.#startOf(element);
    this.#marks?.at(object, key, at, at);
  }

  #startOf(element: Element): number {
    const { lineNumber = 1, columnNumber = 1 } = element as unknown as { lineNumber?: number; columnNumber?: number };
    return offsetOfLine(this.#text, lineNumber, columnNumber);
  }

  #value(element: Element): Value {
    const name = element.localName ?? element.nodeName;
    const children = childrenOf(element);
    if (lists.has(name)) {
      const items = children.map((child) => this.#item(child));
      for (const [i, child] of children.entries())
        this.#marks?.at(items, i, this.#startOf(child), this.#startOf(child));
      return items;
    }
    if (children.length === 0 && element.attributes.length === 0) return contentOf(element);
    return this.members(element);
  }

  #item(element: Element): Value {
    const name = element.localName ?? element.nodeName;
    if (name === 'license') return { license: this.members(element) };
    if (name === 'expression') return { expression: contentOf(element) };
    if (name === 'hash') return { ...this.members(element), content: contentOf(element) };
    if (name === 'property') return { ...this.members(element), value: contentOf(element) };
    if (name !== 'dependency')
      return childrenOf(element).length === 0 && element.attributes.length === 0
        ? contentOf(element)
        : this.members(element);
    const dependsOn = childrenOf(element).map((child) => child.getAttribute('ref') ?? '');
    return { ref: element.getAttribute('ref') ?? '', ...(dependsOn.length > 0 && { dependsOn }) };
  }
}

function childrenOf(element: Element): Element[] {
  return [...element.childNodes].filter((node) => node.nodeType === node.ELEMENT_NODE) as Element[];
}

function contentOf(element: Element): string {
  return (element.textContent ?? '').trim();
}
