/** CycloneDX, in JSON or in XML, which becomes the members that JSON has. */
import type { Element } from '@xmldom/xmldom';
import { isArray, isObject, type PlainObject, setOwn, typeName, type Value } from '../../../../values/index.js';
import { FileFormatError, type Format, type FormatContext } from '../format.js';
import { readJsonText } from '../json.js';
import { markJson } from '../json-marks.js';
import type { Marks } from '../marks.js';
import { truthOf } from '../scalars.js';
import { elementOf, rowsOf } from '../xml.js';

export const cyclonedx: Format = {
  parse(text, _context: FormatContext, marks) {
    if (!text.trimStart().startsWith('<')) return jsonDocument(text, marks);
    const root = elementOf(text);
    if (root.localName !== 'bom')
      throw new FileFormatError(`decode CycloneDX BOM: expected element type <bom> but have <${root.nodeName}>`, 0);
    const members = new Elements(text, marks).members(root);
    return { bomFormat: '', version: 0, ...members, specVersion: 'SpecVersion(0)' };
  },
};

/** The types of members at the top. */
const types: Readonly<Record<string, (value: Value) => boolean>> = {
  bomFormat: isText,
  specVersion: isText,
  serialNumber: isText,
  version: Number.isInteger,
  metadata: isObject,
  components: isArray,
  services: isArray,
  externalReferences: isArray,
  dependencies: isArray,
  compositions: isArray,
  properties: isArray,
  vulnerabilities: isArray,
};

function isText(value: Value): boolean {
  return typeof value === 'string';
}

function jsonDocument(text: string, marks: Marks | undefined): Value {
  const document = readJsonText(text, 'decode CycloneDX BOM');
  if (!isObject(document)) throw wrongType(typeName(document), 'value', 'BOM');
  for (const [key, fits] of Object.entries(types)) {
    const value = (document as PlainObject)[key];
    if (value !== undefined && value !== null && !fits(value))
      throw wrongType(typeName(value), `struct field BOM.${key}`, key);
  }
  const { specVersion } = document as PlainObject;
  if (typeof specVersion === 'string' && !/^1\.[0-7]$/.test(specVersion))
    throw new FileFormatError('decode CycloneDX BOM: invalid specification version', 0);
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
  vulnerabilities ratings advisories references affects cwes compositions assemblies notes lifecycles
  ancestors descendants variants versions responses endpoints subjects annotations`.split(/\s+/),
);

/** Elements that a list holds, written one behind the other. */
const repeated: Readonly<Record<string, readonly string[]>> = {
  supplier: ['url', 'contact'],
  manufacturer: ['url', 'contact'],
  manufacture: ['url', 'contact'],
  provider: ['url', 'contact'],
  organization: ['url', 'contact'],
};

const truths = new Set(['modified', 'authenticated', 'x-trust-boundary']);
const numbers = new Set(['score', 'cwe', 'line', 'column', 'confidence']);

class Elements {
  readonly #marks: Marks | undefined;
  /** Where each row begins; none where no places are marked. */
  readonly #rows: readonly number[];

  constructor(text: string, marks: Marks | undefined) {
    this.#marks = marks;
    this.#rows = marks === undefined ? [] : rowsOf(text);
  }

  members(element: Element): PlainObject {
    const object: PlainObject = {};
    for (const { name, value } of [...element.attributes])
      if (!name.startsWith('xmlns')) this.#put(object, name, name === 'version' ? Number(value) : value, element);
    const parent = nameOf(element);
    for (const child of childrenOf(element)) {
      const name = nameOf(child);
      const value = this.#value(child);
      if (isArray(value) && value.length === 0) continue;
      const isListed = Object.hasOwn(repeated, parent) && repeated[parent]!.includes(name);
      this.#put(object, name, isListed ? [...((object[name] as Value[]) ?? []), value] : value, child);
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
    return (this.#rows[lineNumber - 1] ?? 0) + columnNumber - 1;
  }

  #value(element: Element): Value {
    const name = nameOf(element);
    const children = childrenOf(element);
    if (lists.has(name)) {
      const items = children.map((child) => this.#item(child));
      for (const [i, child] of children.entries())
        this.#marks?.at(items, i, this.#startOf(child), this.#startOf(child));
      return items;
    }
    if (children.length > 0) return this.members(element);
    const content = contentOf(element);
    const contentType = element.getAttribute('content-type');
    const encoding = element.getAttribute('encoding');
    if (contentType !== null || encoding !== null)
      return { content, ...(contentType && { contentType }), ...(encoding && { encoding }) };
    if (element.attributes.length > 0) return this.members(element);
    if (truths.has(name)) return truthOf(content) === true;
    return numbers.has(name) ? Number(content) : content;
  }

  #item(element: Element): Value {
    const name = nameOf(element);
    if (name === 'component') return { name: '', type: '', ...this.members(element) };
    if (name === 'license') return { license: this.members(element) };
    if (name === 'expression') return { expression: contentOf(element) };
    if (name === 'hash') return { ...this.members(element), content: contentOf(element) };
    if (name === 'property') return { ...this.members(element), value: contentOf(element) };
    if (name !== 'dependency') return this.#value(element);
    const dependsOn = childrenOf(element).map((child) => child.getAttribute('ref') ?? '');
    return { ref: element.getAttribute('ref') ?? '', ...(dependsOn.length > 0 && { dependsOn }) };
  }
}

function nameOf(element: Element): string {
  return element.localName ?? element.nodeName;
}

function childrenOf(element: Element): Element[] {
  return [...element.childNodes].filter((node) => node.nodeType === node.ELEMENT_NODE) as Element[];
}

function contentOf(element: Element): string {
  return (element.textContent ?? '').trim();
}
