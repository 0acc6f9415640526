/** Bodies of `multipart/form-data`. */
import { parseMediaType } from './media-type.js';
import { CheckRequestError } from './request-error.js';

export interface BodyPart {
  readonly name: string;
  /** Empty without one. */
  readonly contentType: string;
  readonly content: Buffer;
}

/** Parts beyond this would be a policy's work without end. */
const mostParts = 1000;
const longestHeader = 16 * 1024;

/** The parts of a form, without those that have no name. Throws a RequestError. */
export function parseMultipart(body: Buffer, boundary: string): BodyPart[] {
  const lines = new Lines(body);
  const delimiter = Buffer.from(`--${boundary}`);
  let found = skipToDelimiter(lines, delimiter);
  if (found === undefined) throw new CheckRequestError('multipart: NextPart: EOF');
  const parts: BodyPart[] = [];
  for (let count = 0; found.kind === 'part'; count++) {
    if (count === mostParts) throw new CheckRequestError('multipart: message too large');
    const headers = readHeaders(lines);
    const start = lines.position;
    found = skipToDelimiter(lines, delimiter);
    if (found === undefined) throw new CheckRequestError('unexpected EOF');
    const part = partOf(headers, body.subarray(start, withoutLineEnd(body, start, found.at)));
    if (part !== undefined) parts.push(part);
  }
  return parts;
}

/** The next line that begins a part or ends the last one, and where it begins. */
function skipToDelimiter(lines: Lines, delimiter: Buffer): { kind: 'part' | 'end'; at: number } | undefined {
  let at = lines.position;
  for (let line = lines.next(); line !== undefined; line = lines.next()) {
    const kind = delimiterOf(line, delimiter);
    if (kind !== undefined) return { kind, at };
    at = lines.position;
  }
  return undefined;
}

/** The lines of a body, each with its end. */
class Lines {
  readonly #body: Buffer;
  position = 0;

  constructor(body: Buffer) {
    this.#body = body;
  }

  next(): Buffer | undefined {
    if (this.position >= this.#body.length) return undefined;
    const end = this.#body.indexOf(0x0a, this.position);
    const line = this.#body.subarray(this.position, end < 0 ? this.#body.length : end + 1);
    this.position += line.length;
    return line;
  }
}

/** Whether a line begins a part or ends the last one; undefined for any other. */
function delimiterOf(line: Buffer, delimiter: Buffer): 'part' | 'end' | undefined {
  if (!line.subarray(0, delimiter.length).equals(delimiter)) return undefined;
  const rest = line.subarray(delimiter.length).toString('latin1');
  if (/^[ \t]*\r?\n$/.test(rest)) return 'part';
  return /^--[ \t]*(?:\r?\n)?$/.test(rest) ? 'end' : undefined;
}

/** The line end before a delimiter belongs to the delimiter. */
function withoutLineEnd(body: Buffer, start: number, end: number): number {
  if (end <= start || body[end - 1] !== 0x0a) return end;
  return end - 1 > start && body[end - 2] === 0x0d ? end - 2 : end - 1;
}

function readHeaders(lines: Lines): ReadonlyMap<string, string> {
  const headers = new Map<string, string>();
  let size = 0;
  let last = '';
  for (;;) {
    const line = lines.next();
    if (line === undefined) throw new CheckRequestError('unexpected EOF');
    size += line.length;
    if (size > longestHeader) throw new CheckRequestError('multipart: message too large');
    const text = line.toString().replace(/\r?\n$/, '');
    if (text === '') return headers;
    if (/^[ \t]/.test(text) && last !== '') {
      headers.set(last, `${headers.get(last)} ${text.trim()}`);
      continue;
    }
    const colon = text.indexOf(':');
    if (colon < 0) throw new CheckRequestError(`malformed MIME header: missing colon: ${JSON.stringify(text)}`);
    last = text.slice(0, colon).trim().toLowerCase();
    // As the reference, the first of several counts.
    if (!headers.has(last)) headers.set(last, text.slice(colon + 1).trim());
  }
}

function partOf(headers: ReadonlyMap<string, string>, content: Buffer): BodyPart | undefined {
  const name = nameOf(headers.get('content-disposition') ?? '');
  if (name === '') return undefined;
  const isQuoted = headers.get('content-transfer-encoding')?.toLowerCase() === 'quoted-printable';
  return {
    name,
    contentType: headers.get('content-type') ?? '',
    content: isQuoted ? fromQuotedPrintable(content) : content,
  };
}

/** A disposition that cannot be parsed has no name. */
function nameOf(disposition: string): string {
  try {
    const { type, parameters } = parseMediaType(disposition);
    return type === 'form-data' ? (parameters.get('name') ?? '') : '';
  } catch {
    return '';
  }
}

function fromQuotedPrintable(content: Buffer): Buffer {
  // The look behind keeps it linear: a run of spaces is tried from its start alone.
  const text = content.toString('latin1').replace(/(?<![ \t])[ \t]+(?=\r?\n)/g, '');
  const joined = text.replace(/=\r?\n/g, '');
  const bad = /=(?![0-9A-Fa-f]{2})/.exec(joined);
  if (bad !== null) throw new CheckRequestError('quotedprintable: invalid hex byte');
  return Buffer.from(
    joined.replace(/=([0-9A-Fa-f]{2})/g, (_, hex: string) => String.fromCharCode(Number.parseInt(hex, 16))),
    'latin1',
  );
}
