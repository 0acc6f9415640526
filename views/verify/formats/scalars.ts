/** Texts that stand for numbers and truths, in the reference's language. */

const decimalFloat = /^[+-]?(?:\d+\.?\d*|\.\d+)(?:[eE][+-]?\d+)?$/;
const hexFloat = /^([+-]?)0[xX]_?([\da-fA-F_]*)\.?([\da-fA-F_]*)[pP]([+-]?\d+)$/;
const notFinite = /^(?:[+-]?inf(?:inity)?|nan)$/i;

/** The number of a text, infinities among them; undefined for other texts. */
export function scalarFloat(text: string): number | undefined {
  if (decimalFloat.test(text)) {
    const value = Number(text);
    return Number.isFinite(value) ? value : undefined;
  }
  if (notFinite.test(text)) return /nan/i.test(text) ? Number.NaN : text.startsWith('-') ? -Infinity : Infinity;
  const hex = hexFloat.exec(text);
  if (hex === null) return undefined;
  const [whole, part] = [hex[2]!.replaceAll('_', ''), hex[3]!.replaceAll('_', '')];
  if (whole === '' && part === '') return undefined;
  const digits = Number(`0x${whole}${part}`) * 2 ** (Number(hex[4]) - 4 * part.length);
  return hex[1] === '-' ? -digits : digits;
}

/** The truth of a text; undefined for other texts. */
export function truthOf(text: string): boolean | undefined {
  if (/^(?:1|t|T|true|TRUE|True)$/.test(text)) return true;
  return /^(?:0|f|F|false|FALSE|False)$/.test(text) ? false : undefined;
}
