/** The places of a YAML document's parts. */
import type { Alias, Document, Node } from 'yaml';
import { isAlias, isMap, isPair, isScalar, isSeq, parseDocument, visit } from 'yaml';
import type { Value } from '../../../../values/index.js';
import type { Marks } from '../marks.js';

/** One document of a file. */
export interface DocumentPart {
  readonly text: string;
  /** Where it begins in the file. */
  readonly start: number;
}

/** Marks the parts of a document that was read. */
export function markYaml({ text, start }: DocumentPart, value: Value, marks: Marks): void {
  const document = parseDocument(text, { version: '1.1', merge: true, uniqueKeys: false, logLevel: 'silent' });
  const targets = targetsIn(document);
  const resolve = (node: unknown): unknown => (isAlias(node) ? targets.get(node) : node);

  function mark(given: unknown, of: unknown): void {
    const node = resolve(given);
    if (typeof of !== 'object' || of === null) return;
    if (isSeq(node))
      for (const [i, item] of node.items.entries()) {
        markPart(of, i, rangeOf(item), undefined);
        mark(item, (of as readonly unknown[])[i]);
      }
    else if (isMap(node))
      for (const { key, value: content } of node.items) {
        const name = nameOf(key);
        if (name === undefined) continue;
        if (isMerge(key)) markMerged(content, of);
        else {
          markPart(of, name, rangeOf(key), rangeOf(content));
          mark(content, (of as Record<string, unknown>)[name]);
        }
      }
  }

  /**
   * Members of a merged map have their places there, unless a later pair has the key.
   * @param taken keys of the maps before in a list: the first that has a key counts
   */
  function markMerged(content: unknown, of: object, taken = new Set<string>()): void {
    const source = resolve(content);
    if (isSeq(source)) for (const item of source.items) markMerged(item, of, taken);
    if (!isMap(source)) return;
    const names = new Set<string>();
    for (const { key, value: member } of source.items) {
      const name = nameOf(key);
      if (name === undefined || taken.has(name)) continue;
      names.add(name);
      markPart(of, name, rangeOf(key), rangeOf(member));
      mark(member, (of as Record<string, unknown>)[name]);
    }
    for (const name of names) taken.add(name);
  }

  function markPart(of: object, key: string | number, first: Span, last: Span): void {
    if (first === undefined) return;
    marks.at(of, key, start + first[0], start + Math.max(first[1], last?.[1] ?? 0));
  }

  mark(document.contents, value);
}

/** The parts that aliases stand for, found at once: each is the last one before with its name. */
function targetsIn(document: Document): ReadonlyMap<Alias, Node> {
  const named = new Map<string, Node>();
  const targets = new Map<Alias, Node>();
  visit(document, {
    Node(_key, node) {
      if (isAlias(node)) {
        const target = named.get(node.source);
        if (target !== undefined) targets.set(node, target);
      } else if (node.anchor !== undefined) named.set(node.anchor, node);
    },
  });
  return targets;
}

type Span = readonly [number, number] | undefined;

function rangeOf(node: unknown): Span {
  if (isPair(node)) return rangeOf(node.key);
  const range = (node as Node | null)?.range;
  return range ? [range[0], range[1]] : undefined;
}

/** A key as the value has it: numbers and words are texts. */
function nameOf(key: unknown): string | undefined {
  if (!isScalar(key)) return undefined;
  return typeof key.value === 'string' ? key.value : String(key.value);
}

function isMerge(key: unknown): boolean {
  return isScalar(key) && (key.source === '<<' || key.value === '<<');
}
