/** Long texts in chunks, UTF-16 with a byte-order mark among them, as PowerShell redirects it. */

import { utf16Decoder } from '../../values/index.js';

const encoder = new TextEncoder();

/** The chunks in UTF-8. Two bytes at the start tell UTF-16; the mark itself is left out. */
export async function* inUtf8(
  chunks: AsyncIterable<Uint8Array> | Iterable<Uint8Array>,
): AsyncGenerator<Uint8Array, void> {
  let first: Uint8Array | undefined = new Uint8Array();
  let decoder: TextDecoder | undefined;
  for await (const chunk of chunks) {
    let next = chunk;
    if (first !== undefined) {
      next = first.length === 0 ? chunk : Buffer.concat([first, chunk]);
      first = next.length < 2 ? next : undefined;
      if (first !== undefined) continue;
      decoder = utf16Decoder(next);
    }
    yield decoder === undefined ? next : encoder.encode(decoder.decode(next, { stream: true }));
  }
  if (first !== undefined && first.length > 0) yield first;
  const end = decoder?.decode();
  if (end) yield encoder.encode(end);
}

/** The lines of a text. */
export async function* linesInUtf8(
  chunks: AsyncIterable<Uint8Array> | Iterable<Uint8Array>,
): AsyncGenerator<string, void> {
  const decoder = new TextDecoder();
  // The parts of a line that has not ended: a long one is joined once.
  let begun: string[] = [];
  for await (const chunk of inUtf8(chunks)) {
    const [head, ...tail] = decoder.decode(chunk, { stream: true }).split('\n');
    begun.push(head!);
    for (const next of tail) {
      yield begun.join('').replace(/\r$/, '');
      begun = [next];
    }
  }
  const last = begun.join('') + decoder.decode();
  if (last !== '') yield last.replace(/\r$/, '');
}
