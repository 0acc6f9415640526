/** EDN values as the reference prints them, in Go's words. */
import { formatFloat } from '../../../../values/index.js';
import type { EdnNode } from './edn-node.js';

/** The text of a value: of `nil`, of numbers of any size, of sets inside. */
export function ednText(node: EdnNode): string {
  switch (node.kind) {
    case 'text':
      return node.text;
    case 'word':
      return wordText(node.text);
    case 'list':
      return `[${node.items.map(ednText).join(' ')}]`;
    case 'set':
      return mapText(node.items.map((item) => [item, 'true'] as const));
    case 'map':
      return mapText(node.pairs.map(([key, value]) => [key, ednText(value)] as const));
    case 'tagged':
      if (node.tag === 'inst') return instText(ednText(node.item));
      return `{${node.tag} ${ednText(node.item)}}`;
  }
}

function mapText(pairs: readonly (readonly [EdnNode, string])[]): string {
  const sorted = pairs.map(([key, value]) => [ednText(key), value] as const).sort(byKey);
  return `map[${sorted.map(([key, value]) => `${key}:${value}`).join(' ')}]`;
}

function byKey([a]: readonly [string, string], [b]: readonly [string, string]): number {
  const numbers = [Number(a), Number(b)] as const;
  if (!numbers.some(Number.isNaN)) return numbers[0] - numbers[1];
  return a < b ? -1 : a > b ? 1 : 0;
}

const characters: ReadonlyMap<string, number> = new Map([
  ['newline', 10],
  ['return', 13],
  ['space', 32],
  ['tab', 9],
  ['formfeed', 12],
  ['backspace', 8],
]);

function wordText(text: string): string {
  if (text === 'nil') return '<nil>';
  if (text.startsWith('\\')) return String(codeOf(text.slice(1)));
  if (/^[+-]?\d+$/.test(text)) return String(BigInt(text.replace('+', '')));
  if (/^[+-]?\d+N$/.test(text)) return `{${text.startsWith('-')} [${text.replace(/^[+-]|N$/g, '')}]}`;
  if (/^[+-]?\d+(?:\.\d*)?(?:[eE][+-]?\d+)?$/.test(text)) return formatFloat(Number(text), 'g', -1);
  return text;
}

/** A character is the number of its code point. */
function codeOf(name: string): number {
  const code = /^u([0-9a-fA-F]{4})$/.exec(name)?.[1];
  return characters.get(name) ?? (code === undefined ? name.codePointAt(0)! : Number.parseInt(code, 16));
}

/** A time as Go prints it. */
function instText(text: string): string {
  const [date = '', time = '00:00:00Z'] = text.split(/T/i);
  const full = /^\d{4}$/.test(date) ? `${date}-01-01` : /^\d{4}-\d{2}$/.test(date) ? `${date}-01` : date;
  const [, clock = '', zone = 'Z'] = /^([\d:.]*)(.*)$/.exec(time) ?? [];
  const offset = /^[+-]\d\d:\d\d$/.test(zone) && !/00:00$/.test(zone) ? zone.replace(':', '') : undefined;
  return `${full} ${clock.replace(/\.?0+$/, (zeros) => (zeros.startsWith('.') ? '' : zeros))} ${offset === undefined ? '+0000 UTC' : `${offset} ${offset}`}`;
}
