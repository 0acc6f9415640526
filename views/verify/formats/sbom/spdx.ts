/** SPDX documents of tags and values, in the form of SPDX's JSON. */

import { type PlainObject, setOwn, type Value } from '../../../../values/index.js';
import { FileFormatError, type Format } from '../format.js';
import { linesOf } from '../lines.js';
import type { Marks } from '../marks.js';
import { elementId, type SpdxSection, type SpdxTag, spdxTags } from './spdx-tags.js';

export const spdx: Format = {
  parse(text, _context, marks) {
    const reading = new Reading(marks);
    const pairs = pairsOf(text);
    const bytes = [...new TextEncoder().encode(text.slice(0, 2000))].join(' ');
    if (pairs.length === 0) throw new FileFormatError(`error while parsing [${bytes}]: no tag values found`, 0);
    for (const pair of pairs) {
      if (pair.tag === undefined)
        throw new FileFormatError(`error while parsing [${bytes}]: no colon found in '${pair.value}'`, pair.start);
      reading.add(pair.tag, pair.value, pair.start, pair.end);
    }
    return reading.finished();
  },
};

interface Pair {
  /** Undefined for a line without a colon. */
  readonly tag: string | undefined;
  readonly value: string;
  readonly start: number;
  readonly end: number;
}

function pairsOf(text: string): Pair[] {
  const lines = linesOf(text);
  const pairs: Pair[] = [];
  for (let i = 0; i < lines.length; i++) {
    const { text: line, start } = lines[i]!;
    if (line.trim() === '' || line.trim().startsWith('#')) continue;
    const colon = line.indexOf(':');
    let value = line.slice(colon + 1).trim();
    // A text between <text> and </text> goes over lines.
    if (value.startsWith('<text>')) {
      const parts = [value];
      while (!parts.at(-1)!.includes('</text>') && lines[i + 1] !== undefined) parts.push(lines[++i]!.text);
      value = parts.join('\n').replace(/^<text>|<\/text>[\s\S]*$/g, '');
    }
    pairs.push({
      tag: colon < 0 ? undefined : line.slice(0, colon).trim(),
      value: colon < 0 ? line.trim() : value,
      start,
      end: lines[i]!.end,
    });
  }
  return pairs;
}

class Reading {
  readonly document: PlainObject = {};
  readonly #marks: Marks | undefined;
  /** The object that tags of a section belong to. */
  readonly #open = new Map<SpdxSection, PlainObject>();
  #section: SpdxSection = 'document';

  constructor(marks: Marks | undefined) {
    this.#marks = marks;
    this.#open.set('document', this.document);
  }

  add(tag: string, text: string, start: number, end: number): void {
    const found = this.#tagOf(tag);
    if (found === undefined)
      throw new FileFormatError(`received unknown tag ${tag} in ${this.#section} section`, start);
    const { section, key, list, lastOf, opens } = found;
    if (opens !== undefined) this.#openIn(section, opens, start, end);
    const holder = this.#lastIn(this.#holder(section, start, end), lastOf, tag, start);
    const value = found.read === undefined ? text : found.read(text);
    if (value === undefined) throw new FileFormatError(`${tag} has no valid value: ${text}`, start);
    if (list === true) this.#append(holder, key, value, start, end);
    else if (key !== '') this.#put(holder, key, value, start, end);
    else for (const [name, part] of Object.entries(value as PlainObject)) this.#put(holder, name, part, start, end);
  }

  /** The document, with the members that its JSON always has. */
  finished(): PlainObject {
    this.#checkIdentified();
    const { document } = this;
    const version = String(document.spdxVersion ?? '');
    if (!/^SPDX-2\.[123]$/.test(version)) throw new FileFormatError(`unsupported SPDX version: ${version}`, 0);
    const creation = this.#open.get('creation');
    if (creation !== undefined) addMissing(creation, { created: '', creators: null });
    addMissing(document, { SPDXID: 'SPDXRef-', creationInfo: null, dataLicense: '', documentNamespace: '', name: '' });
    // Documents of older versions are converted.
    setOwn<Value>(document, 'spdxVersion', 'SPDX-2.3');
    return document;
  }

  #checkIdentified(): void {
    for (const [section, name] of [
      ['package', 'name'],
      ['file', 'fileName'],
    ] as const) {
      const item = this.#open.get(section);
      if (item !== undefined && !item.SPDXID)
        throw new FileFormatError(`${section} with the name ${String(item[name])} does not have SPDX identifier`, 0);
    }
  }

  #tagOf(tag: string): SpdxTag | undefined {
    if (tag === 'SPDXID') return { section: this.#section, key: 'SPDXID', read: elementId };
    return Object.hasOwn(spdxTags, tag) ? spdxTags[tag] : undefined;
  }

  /** The last object of a list of a holder; the holder itself where no list is meant. */
  #lastIn(holder: PlainObject, list: string | undefined, tag: string, start: number): PlainObject {
    if (list === undefined) return holder;
    const last = Object.hasOwn(holder, list) ? (holder[list] as PlainObject[]).at(-1) : undefined;
    if (last === undefined) throw new FileFormatError(`received ${tag} without what it is about`, start);
    return last;
  }

  #put(holder: PlainObject, key: string, value: Value, start: number, end: number): void {
    setOwn(holder, key, value);
    this.#marks?.at(holder, key, start, end);
  }

  #append(holder: PlainObject, key: string, value: Value, start: number, end: number): void {
    if (!Object.hasOwn(holder, key)) this.#put(holder, key, [], start, end);
    const items = holder[key] as Value[];
    this.#marks?.at(items, items.length, start, end);
    items.push(value);
  }

  #openIn(section: SpdxSection, list: string, start: number, end: number): void {
    this.#checkIdentified();
    const item: PlainObject = section === 'package' ? { SPDXID: '', downloadLocation: '', filesAnalyzed: true } : {};
    const holder = section === 'file' ? this.#open.get('package') : undefined;
    this.#append(holder ?? this.document, list, item, start, end);
    this.#open.set(section, item);
    if (section === 'package' || section === 'file' || section === 'snippet') this.#section = section;
  }

  #holder(section: SpdxSection, start: number, end: number): PlainObject {
    const open = this.#open.get(section);
    if (open !== undefined) return open;
    const holder: PlainObject = {};
    this.#put(this.document, 'creationInfo', holder, start, end);
    this.#open.set(section, holder);
    return holder;
  }
}

function addMissing(object: PlainObject, members: PlainObject): void {
  for (const [key, value] of Object.entries(members)) if (!Object.hasOwn(object, key)) setOwn(object, key, value);
}
