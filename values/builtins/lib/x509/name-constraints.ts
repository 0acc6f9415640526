/** Names that an authority may sign for (RFC 5280, section 4.2.1.10), as its certificate says. */

import { goQuote } from '../../../text/term-text.js';
import { toHex } from '../go/octets.js';
import { parseIp } from '../ip/ip-text.js';
import { ia5, isDomainName } from './alternative-names.js';
import { context, type DerReader, tags } from './der.js';
import { parseMailbox } from './mailbox.js';
import { must, X509Error } from './x509-error.js';

export interface IpRange {
  readonly ip: Uint8Array;
  readonly mask: Uint8Array;
}

export interface NameSubtrees {
  readonly dns: readonly string[];
  readonly ips: readonly IpRange[];
  readonly emails: readonly string[];
  readonly uris: readonly string[];
}

export interface NameConstraints {
  readonly critical: boolean;
  readonly permitted: NameSubtrees;
  readonly excluded: NameSubtrees;
  /** Whether all constraints are of kinds that we know. */
  readonly isComplete: boolean;
}

/** Throws an X509Error. */
export function readNameConstraints(value: DerReader, critical: boolean): NameConstraints {
  const invalid = 'x509: invalid NameConstraints extension';
  const sequence = must(value.read(tags.sequence), invalid);
  const permitted = sequence.read(context(0, true));
  const excluded = sequence.read(context(1, true));
  if (!value.empty || !sequence.empty) throw new X509Error(invalid);
  if ((permitted?.empty ?? true) && (excluded?.empty ?? true))
    throw new X509Error('x509: empty name constraints extension');
  const allowed = readSubtrees(permitted);
  const forbidden = readSubtrees(excluded);
  return {
    critical,
    permitted: allowed.subtrees,
    excluded: forbidden.subtrees,
    isComplete: allowed.isComplete && forbidden.isComplete,
  };
}

function readSubtrees(reader: DerReader | undefined): {
  readonly subtrees: NameSubtrees;
  readonly isComplete: boolean;
} {
  const dns: string[] = [];
  const ips: IpRange[] = [];
  const emails: string[] = [];
  const uris: string[] = [];
  let isComplete = true;
  while (reader !== undefined && !reader.empty) {
    const base = must(reader.read(tags.sequence)?.any(), 'x509: invalid NameConstraints extension');
    const { bytes } = base.content;
    switch (base.tag) {
      case context(1):
        emails.push(
          checked('rfc822Name', text(bytes), (name) =>
            name.includes('@') ? parseMailbox(name) !== undefined : isDomainName(name, true),
          ),
        );
        break;
      case context(2):
        dns.push(checked('dnsName', text(bytes), (name) => isDomainName(name, true)));
        break;
      case context(6): {
        const domain = text(bytes);
        if (parseIp(domain) !== undefined) {
          throw new X509Error(`x509: failed to parse URI constraint ${goQuote(domain)}: cannot be IP address`);
        }
        uris.push(checked('URI', domain, (name) => isDomainName(name, true)));
        break;
      }
      case context(7):
        ips.push(readRange(bytes));
        break;
      default:
        isComplete = false;
    }
  }
  return { subtrees: { dns, ips, emails, uris }, isComplete };
}

function text(bytes: Uint8Array): string {
  return must(ia5(bytes), 'x509: invalid constraint value: x509: not an IA5String');
}

function checked(kind: string, name: string, isGood: (name: string) => boolean): string {
  if (!isGood(name)) throw new X509Error(`x509: failed to parse ${kind} constraint ${goQuote(name)}`);
  return name;
}

function readRange(bytes: Uint8Array): IpRange {
  if (bytes.length !== 8 && bytes.length !== 32)
    throw new X509Error(`x509: IP constraint contained value of length ${bytes.length}`);
  const mask = bytes.subarray(bytes.length / 2);
  let bits = '';
  for (const byte of mask) bits += byte.toString(2).padStart(8, '0');
  if (!/^1*0*$/.test(bits)) throw new X509Error(`x509: IP constraint contained invalid mask ${toHex(mask)}`);
  return { ip: bytes.subarray(0, bytes.length / 2), mask };
}
