/** Mutations of a stream of messages. */
import type { Choices } from './choices.js';

/** Parts that a parser may take for something else. */
const parts = [
  ...['\r\n\r\n', 'Content-Length: ', '1073741824', '-1', '0', '{', '}', '[', ']', '"', ':', ',', 'null', 'true', '1e999'],
  ...['\u0000', '\u{1f600}', '__proto__', 'disconnect', '"arguments":{}'],
];

/** Bytes that one change takes or moves at most. */
const longestPart = 200;

/** The bytes with one to four changes. */
export function mutated(bytes: Buffer, choices: Choices): Buffer {
  let result = bytes;
  for (let changes = 1 + choices.below(4); changes > 0; changes--) result = changedOnce(result, choices);
  return result;
}

function changedOnce(bytes: Buffer, choices: Choices): Buffer {
  const at = choices.below(bytes.length + 1);
  const end = Math.min(bytes.length, at + 1 + choices.below(choices.chance(50) ? 4 : longestPart));
  const before = bytes.subarray(0, at);
  const part = bytes.subarray(at, end);
  const after = bytes.subarray(end);
  switch (choices.below(6)) {
    case 0: {
      const flipped = Buffer.from(bytes);
      if (at < flipped.length) flipped[at] = flipped[at]! ^ (1 << choices.below(8));
      return flipped;
    }
    case 1:
      return Buffer.concat([before, after]);
    case 2:
      return Buffer.concat([before, part, part, after]);
    case 3:
      return Buffer.concat([before, Buffer.from(choices.one(parts)), part, after]);
    case 4:
      return before;
    default: {
      const rest = Buffer.concat([before, after]);
      const other = choices.below(rest.length + 1);
      return Buffer.concat([rest.subarray(0, other), part, rest.subarray(other)]);
    }
  }
}
