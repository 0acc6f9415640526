/** PEM blocks, as Go finds them: text around blocks and malformed blocks are skipped. */
import { decodeBase64 } from '../go/base64.js';
import { Base64Error } from '../go/base64-decoder.js';

export interface PemBlock {
  /** `CERTIFICATE`, `PRIVATE KEY` … */
  readonly type: string;
  readonly bytes: Uint8Array;
  /** The text after the block. */
  readonly rest: string;
}

const beginning = '-----BEGIN ';
const ending = '\n-----END ';
const dashes = '-----';

/** The first block of a text, undefined if there is none. */
export function nextPem(text: string): PemBlock | undefined {
  let from = 0;
  for (;;) {
    const end = text.indexOf(ending, from);
    if (end < 0) return undefined;
    const block = blockBefore(text, from, end);
    if (block === 'none') return undefined;
    if (block !== undefined) return block;
    from = end + ending.length;
  }
}

/** All blocks of a text. */
export function* pemBlocks(text: string): IterableIterator<PemBlock> {
  for (let block = nextPem(text); block !== undefined; block = nextPem(block.rest)) yield block;
}

/**
 * The block that the END line at `end` closes, undefined if it closes no block; `none` if the text
 * ends in the block's headers.
 */
function blockBefore(text: string, from: number, end: number): PemBlock | undefined | 'none' {
  const begin = text.slice(from, end).lastIndexOf(beginning) + from;
  if (begin < from || (begin > from && text[begin - 1] !== '\n')) return undefined;
  const first = lineAt(text, begin + beginning.length);
  if (!first.line.endsWith(dashes)) return undefined;
  const type = first.line.slice(0, -dashes.length);
  let body = first.next;
  let hasHeaders = false;
  for (;;) {
    if (body >= text.length) return 'none';
    const { line, next } = lineAt(text, body);
    if (!line.includes(':')) break;
    hasHeaders = true;
    body = next;
  }
  if (hasHeaders && body > end) return undefined;
  const trailer = end + ending.length;
  if (!text.startsWith(type + dashes, trailer)) return undefined;
  if (lineAt(text, trailer + type.length + dashes.length).line !== '') return undefined;
  try {
    const bytes = end > body ? decodeBase64(text.slice(body, end).replace(/[ \t]/g, '')) : new Uint8Array(0);
    return { type, bytes, rest: text.slice(lineAt(text, trailer - 1).next) };
  } catch (error) {
    if (error instanceof Base64Error) return undefined;
    throw error;
  }
}

/** The line at a position, without blanks at its end, and where the next one starts. */
function lineAt(text: string, at: number): { readonly line: string; readonly next: number } {
  const feed = text.indexOf('\n', at);
  const next = feed < 0 ? text.length : feed + 1;
  let stop = feed < 0 ? text.length : feed;
  if (feed > at && text[feed - 1] === '\r') stop--;
  while (stop > at && (text[stop - 1] === ' ' || text[stop - 1] === '\t')) stop--;
  return { line: text.slice(at, stop), next };
}
