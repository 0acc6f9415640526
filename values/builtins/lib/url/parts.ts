/** Parts of URLs decoded and encoded: each has characters of its own that need no escape. */

import { goQuote } from '../../../text/term-text.js';
import { badEscape, checkEscapes, escapeBytes, UrlError, unescapeBytes } from './escape.js';

type Part = 'path' | 'host' | 'zone' | 'user' | 'fragment';

const inHost = /[\w\-.~!"$&'()*+,:;<=>[\]]/;
const plain: { readonly [part in Part]: RegExp } = {
  path: /[\w\-.~$&+,/:;=@]/,
  host: inHost,
  zone: inHost,
  user: /[\w\-.~$&+,;=]/,
  fragment: /[\w\-.~!$&()*+,/:;=?@]/,
};

/**
 * Throws a UrlError at an escape that is malformed, or at a character that the part may not have.
 */
export function decodePart(text: string, part: Part): string {
  if (part === 'host' || part === 'zone') checkHost(text, part);
  else checkEscapes(text);
  return unescapeBytes(text);
}

// Most texts need no escapes.
const unreserved = /^[\w\-.~]*$/;
const unreservedPath = /^[\w\-.~/]*$/;

export function encodePart(text: string, part: Part): string {
  const mayHaveSlash = part === 'path' || part === 'fragment';
  if ((mayHaveSlash ? unreservedPath : unreserved).test(text)) return text;
  return escapeBytes(text, plain[part]);
}

const escapesAndAscii = /%(?:[\da-fA-F]{2})?|[\0-\x7f]/g;

function checkHost(text: string, part: 'host' | 'zone'): void {
  if (/^[\w\-.:]*$/.test(text)) return;
  for (const { 0: found, index } of text.matchAll(escapesAndAscii)) {
    if (found[0] !== '%') {
      if (!inHost.test(found)) throw new UrlError(`invalid character ${goQuote(found)} in host name`);
    } else if (!isHostEscape(found, part)) throw badEscape(text.slice(index));
  }
}

/**
 * A host may escape `%` and bytes beyond ASCII; a zone may escape spaces and a host's characters.
 */
function isHostEscape(sequence: string, part: 'host' | 'zone'): boolean {
  if (sequence === '%' || sequence === '%25') return sequence === '%25';
  const code = Number.parseInt(sequence.slice(1), 16);
  if (part === 'host') return code >= 0x80;
  return code === 0x20 || (code < 0x80 && inHost.test(String.fromCharCode(code)));
}
