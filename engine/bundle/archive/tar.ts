/**
 * Reads tar archives: ustar, with the long names of pax and GNU. Libraries read from streams, and
 * loading these takes longer than the rest of reading a bundle when a command starts.
 */

/** A member of an archive. */
interface TarEntry {
  readonly name: string;
  readonly type: 'file' | 'directory' | 'other';
  readonly bytes: Uint8Array;
}

/** An archive that is cut off or damaged. */
export class TarError extends Error {
  readonly isCutOff: boolean;

  constructor(message: string, isCutOff = false) {
    super(message);
    this.name = 'TarError';
    this.isCutOff = isCutOff;
  }
}

const blockSize = 512;
const decoder = new TextDecoder();

/**
 * The members of an archive in order. Their bytes are views of it, not copies. Throws a TarError.
 */
export function* readTar(tar: Uint8Array): IterableIterator<TarEntry> {
  let longName: string | undefined;
  let longSize: number | undefined;
  for (let at = 0; at < tar.length; ) {
    const header = tar.subarray(at, at + blockSize);
    if (header.length < blockSize) throw cutOff();
    // Two empty blocks end an archive. Some writers leave out one or both.
    if (!header.some(Boolean)) return;
    checkSum(header);
    const type = String.fromCharCode(header[156] ?? 0);
    const size = sizeIn(header, type, longSize);
    const bytes = tar.subarray(at + blockSize, at + blockSize + size);
    if (bytes.length < size) throw cutOff();
    at += blockSize + Math.ceil(size / blockSize) * blockSize;
    if (type === 'x') {
      const records = paxRecords(bytes);
      longName = records.get('path') ?? longName;
      longSize = sizeOf(records.get('size'));
    } else if (type === 'L') longName = textAt(bytes, 0, bytes.length);
    else if (type !== 'g' && type !== 'K') {
      const name = longName ?? nameOf(header);
      yield { name, type: typeOf(type, name), bytes };
      longName = undefined;
      longSize = undefined;
    }
  }
}

/**
 * The size of a member. An extended header gives the size of the next; links, devices and
 * directories have none.
 */
function sizeIn(header: Uint8Array, type: string, extended: number | undefined): number {
  if (type >= '1' && type <= '6') return 0;
  const own = numberAt(header, 124, 12);
  return 'xgLK'.includes(type) ? own : (extended ?? own);
}

function cutOff(): TarError {
  return new TarError('unexpected EOF', true);
}

function typeOf(flag: string, name: string): TarEntry['type'] {
  if (flag === '5' || (flag === '\0' && name.endsWith('/'))) return 'directory';
  return flag === '0' || flag === '\0' ? 'file' : 'other';
}

/**
 * The checksum of a header, computed with spaces in place of the checksum. Some writers add signed
 * bytes.
 */
function checkSum(header: Uint8Array): void {
  const summed = new Uint8Array(header).fill(32, 148, 156);
  let sum = 0;
  for (const byte of summed) sum += byte;
  const stored = numberAt(header, 148, 8);
  if (stored !== sum && stored !== sum - 256 * summed.filter((byte) => byte > 127).length)
    throw new TarError('the checksum of a header is wrong');
}

function nameOf(header: Uint8Array): string {
  const name = textAt(header, 0, 100);
  const isUstar = textAt(header, 257, 6) === 'ustar';
  const prefix = isUstar ? textAt(header, 345, 155) : '';
  return prefix === '' ? name : `${prefix}/${name}`;
}

function textAt(bytes: Uint8Array, at: number, length: number): string {
  const field = bytes.subarray(at, at + length);
  const end = field.indexOf(0);
  return decoder.decode(end < 0 ? field : field.subarray(0, end));
}

/** A number in octal digits, or in binary where the first bit is set. */
function numberAt(header: Uint8Array, at: number, length: number): number {
  const [first = 0, ...rest] = header.subarray(at, at + length);
  if (first >= 128) {
    let value = first & 127;
    for (const byte of rest) value = value * 256 + byte;
    if (!Number.isSafeInteger(value)) throw new TarError('a number in a header is too large');
    return value;
  }
  const digits = textAt(header, at, length).trim();
  if (!/^[0-7]*$/.test(digits)) throw new TarError('a number in a header is not octal');
  return digits === '' ? 0 : Number.parseInt(digits, 8);
}

/** Records such as `27 path=a/very/long/name\n`, which begin with their own length. */
function paxRecords(bytes: Uint8Array): Map<string, string> {
  const records = new Map<string, string>();
  for (let at = 0; at < bytes.length; ) {
    const [digits] = /^\d{1,9} /.exec(decoder.decode(bytes.subarray(at, at + 10))) ?? [];
    const length = Number(digits);
    const record = decoder.decode(bytes.subarray(at + (digits?.length ?? 0), at + length));
    const equals = record.indexOf('=');
    if (digits === undefined || length > bytes.length - at || equals <= 0 || !record.endsWith('\n')) {
      throw new TarError('an extended header is malformed');
    }
    records.set(record.slice(0, equals), record.slice(equals + 1, -1));
    at += length;
  }
  return records;
}

function sizeOf(text: string | undefined): number | undefined {
  if (text === undefined) return undefined;
  if (!/^\d{1,15}$/.test(text)) throw new TarError('a size in an extended header is no number');
  return Number(text);
}
