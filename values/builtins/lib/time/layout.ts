/**
 * Layouts of times as Go has them: how the reference time, Mon Jan 2 15:04:05 MST 2006, would look.
 */

/** The elements of layouts, as they are written there; `.0` and `.9` are fractions of a second. */
export type Element =
  | '2006'
  | '06'
  | 'January'
  | 'Jan'
  | '1'
  | '01'
  | 'Monday'
  | 'Mon'
  | '2'
  | '_2'
  | '02'
  | '__2'
  | '002'
  | '15'
  | '3'
  | '03'
  | '4'
  | '04'
  | '5'
  | '05'
  | 'PM'
  | 'pm'
  | 'MST'
  | '.0'
  | '.9'
  | ZoneElement;

export type ZoneElement =
  | 'Z07'
  | 'Z0700'
  | 'Z07:00'
  | 'Z070000'
  | 'Z07:00:00'
  | '-07'
  | '-0700'
  | '-07:00'
  | '-070000'
  | '-07:00:00';

/** Literal text, then an element, which only the last piece lacks. */
export interface LayoutPiece {
  readonly literal: string;
  readonly element: Element | undefined;
  /** The element as the layout writes it: `.000`. */
  readonly text: string;
}

export const rfc3339 = '2006-01-02T15:04:05Z07:00';
export const rfc3339Nano = '2006-01-02T15:04:05.999999999Z07:00';

/** Layouts that have names. */
export const namedLayouts: ReadonlyMap<string, string> = new Map([
  ['ANSIC', 'Mon Jan _2 15:04:05 2006'],
  ['UnixDate', 'Mon Jan _2 15:04:05 MST 2006'],
  ['RubyDate', 'Mon Jan 02 15:04:05 -0700 2006'],
  ['RFC822', '02 Jan 06 15:04 MST'],
  ['RFC822Z', '02 Jan 06 15:04 -0700'],
  ['RFC850', 'Monday, 02-Jan-06 15:04:05 MST'],
  ['RFC1123', 'Mon, 02 Jan 2006 15:04:05 MST'],
  ['RFC1123Z', 'Mon, 02 Jan 2006 15:04:05 -0700'],
  ['RFC3339', rfc3339],
  ['RFC3339Nano', rfc3339Nano],
]);

// In the order in which they are tried. `Jan` and `Mon` are no elements inside a longer word;
// `_2006` is an underscore and a year.
const elements =
  /January|Jan(?![a-z])|Monday|Mon(?![a-z])|MST|002|0[1-6]|15|1|2006|2|_(?=2006)|__2|_2|3|4|5|PM|pm|[Z-]07(?:0000|:00:00|00|:00)?|[.,](?:0+|9+)(?!\d)/g;

/** The pieces of a layout, in its order; the last has no element. */
export function piecesOfLayout(layout: string): readonly LayoutPiece[] {
  const pieces: LayoutPiece[] = [];
  let start = 0;
  for (const found of layout.matchAll(elements)) {
    const text = found[0];
    if (text === '_') continue;
    pieces.push({ literal: layout.slice(start, found.index), element: elementOf(text), text });
    start = found.index + text.length;
  }
  pieces.push({ literal: layout.slice(start), element: undefined, text: '' });
  return pieces;
}

function elementOf(text: string): Element {
  if (/^[.,]/.test(text)) return text[1] === '0' ? '.0' : '.9';
  return text as Element;
}
