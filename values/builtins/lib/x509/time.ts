/** Times of certificates. */

import { fromBytes } from '../../../text/utf8.js';
import { type DerReader, tags } from './der.js';
import { must, X509Error } from './x509-error.js';

export interface CertificateTime {
  /** Milliseconds since 1970. */
  readonly ms: number;
  /** The time as RFC 3339 writes it. */
  readonly text: string;
}

/** Reads a UTCTime or GeneralizedTime. Throws an X509Error. */
export function readTime(reader: DerReader): CertificateTime {
  switch (reader.peek()) {
    case tags.utcTime: {
      const found = /^(\d\d)(\d\d)(\d\d)(\d\d)(\d\d)(\d\d)?(Z|[+-]\d{4})$/.exec(
        fromBytes(must(reader.octets(tags.utcTime), malformedUtc)),
      );
      // Two digits of a year mean 1950 to 2049.
      const year = found === null ? 0 : Number(found[1]) + (Number(found[1]) >= 50 ? 1900 : 2000);
      return must(timeOf(year, found), malformedUtc);
    }
    case tags.generalizedTime: {
      const text = fromBytes(must(reader.octets(tags.generalizedTime), malformedGeneralized));
      const found = /^(\d{4})(\d\d)(\d\d)(\d\d)(\d\d)(\d\d)(Z|[+-]\d{4})$/.exec(text);
      return must(timeOf(Number(found?.[1]), found), malformedGeneralized);
    }
    default:
      throw new X509Error('x509: unsupported time format');
  }
}

const malformedUtc = 'x509: malformed UTCTime';
const malformedGeneralized = 'x509: malformed GeneralizedTime';

function timeOf(year: number, found: RegExpExecArray | null): CertificateTime | undefined {
  if (found === null) return undefined;
  const [month, day, hour, minute, second] = found.slice(2, 7).map((part) => Number(part ?? 0)) as [
    number,
    number,
    number,
    number,
    number,
  ];
  const local = new Date(0);
  local.setUTCFullYear(year, month - 1, day);
  if (local.getUTCMonth() !== month - 1 || local.getUTCDate() !== day || hour > 23 || minute > 59 || second > 59)
    return undefined;
  local.setUTCHours(hour, minute, second);
  const zone = found[7] ?? '';
  const text = local.toISOString().slice(0, 19);
  if (zone === 'Z') return { ms: local.getTime(), text: `${text}Z` };
  const minutes = Number(zone.slice(1, 3)) * 60 + Number(zone.slice(3));
  const ms = local.getTime() - (zone.startsWith('-') ? -1 : 1) * minutes * 60_000;
  return { ms, text: `${text}${zone.slice(0, 3)}:${zone.slice(3)}` };
}
