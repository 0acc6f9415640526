/** Names that a certificate is for, besides its subject. */

import { goQuote } from '../../../text/term-text.js';
import { fromBytes } from '../../../text/utf8.js';
import { UrlError } from '../url/escape.js';
import { type GoUrl, parseUrl } from '../url/url.js';
import { context, type DerReader, tags } from './der.js';
import { must, X509Error } from './x509-error.js';

export interface AlternativeNames {
  readonly dns: readonly string[];
  readonly emails: readonly string[];
  /** 4 or 16 bytes each. */
  readonly ips: readonly Uint8Array[];
  readonly uris: readonly GoUrl[];
}

export const noNames: AlternativeNames = { dns: [], emails: [], ips: [], uris: [] };

/** Reads a SubjectAltName; names of other kinds are skipped. Throws an X509Error. */
export function readAlternativeNames(value: DerReader): AlternativeNames {
  const dns: string[] = [];
  const emails: string[] = [];
  const ips: Uint8Array[] = [];
  const uris: GoUrl[] = [];
  const names = must(value.read(tags.sequence), 'x509: invalid subject alternative names');
  while (!names.empty) {
    const { tag, content } = must(names.any(), 'x509: invalid subject alternative name');
    const { bytes } = content;
    switch (tag) {
      case context(1):
        emails.push(must(ia5(bytes), 'x509: SAN rfc822Name is malformed'));
        break;
      case context(2):
        dns.push(must(ia5(bytes), 'x509: SAN dNSName is malformed'));
        break;
      case context(6):
        uris.push(readUri(must(ia5(bytes), 'x509: SAN uniformResourceIdentifier is malformed')));
        break;
      case context(7):
        if (bytes.length !== 4 && bytes.length !== 16)
          throw new X509Error(`x509: cannot parse IP address of length ${bytes.length}`);
        ips.push(bytes);
        break;
    }
  }
  return { dns, emails, ips, uris };
}

function readUri(text: string): GoUrl {
  const what = `x509: cannot parse URI ${goQuote(text)}`;
  let uri: GoUrl;
  try {
    uri = parseUrl(text);
  } catch (error) {
    throw error instanceof UrlError ? new X509Error(`${what}: ${error.message}`) : error;
  }
  if (!isDomainName(uri.host)) throw new X509Error(`${what}: invalid domain`);
  return uri;
}

/** The text of ASCII bytes, undefined where others are among them. */
export function ia5(bytes: Uint8Array): string | undefined {
  return bytes.every((byte) => byte < 0x80) ? fromBytes(bytes) : undefined;
}

/**
 * Whether a text consists of labels of visible characters, separated by dots. A constraint may
 * begin with a dot. An empty text is valid.
 */
export function isDomainName(text: string, isConstraint = false): boolean {
  if (text === '') return true;
  if (text.endsWith('.')) return false;
  const labels = (isConstraint && text.startsWith('.') ? text.slice(1) : text).split('.');
  return labels.every((label) => /^[!-~]+$/.test(label));
}
