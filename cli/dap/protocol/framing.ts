/**
 * Framing of the debug adapter protocol: `Content-Length: N`, an empty line, and N bytes of JSON.
 * What one client can make a reader hold is bounded by the longest message.
 */

/** The longest message that is read: a launch request may contain an input. */
export const longestMessage = 16 * 1024 * 1024;

/** The longest header; clients send some 25 bytes. */
const longestHeader = 4096;

const lineEnd = '\r\n';
const headerEnd = Buffer.from(`${lineEnd}${lineEnd}`);

/** The stream cannot be read on: it is unknown where the next message begins. */
export class FramingError extends Error {}

export class MessageReader {
  /** Bytes that were received and not yet read, in order. */
  #chunks: Buffer[] = [];
  #size = 0;
  /** The length of the message whose header was read. */
  #expected: number | undefined;

  /**
   * Takes the next bytes of the stream, and gives the texts of all messages that they complete.
   * Throws a FramingError for bytes that are no header, and for a message that is too long; the
   * reader is of no use after that.
   */
  *read(chunk: Buffer): Generator<string> {
    this.#chunks.push(chunk);
    this.#size += chunk.length;
    for (;;) {
      this.#expected ??= this.#readHeader();
      if (this.#expected === undefined || this.#size < this.#expected) return;
      const length = this.#expected;
      this.#expected = undefined;
      yield this.#take(length).toString('utf8');
    }
  }

  /** The length that the next header states; undefined if the header has not ended. */
  #readHeader(): number | undefined {
    if (this.#size === 0) return undefined;
    const bytes = this.#join();
    const end = bytes.subarray(0, longestHeader + headerEnd.length).indexOf(headerEnd);
    if (end < 0) {
      if (bytes.length > longestHeader) throw new FramingError(`a header of more than ${longestHeader} bytes`);
      return undefined;
    }
    const length = statedLength(this.#take(end + headerEnd.length).toString('latin1'));
    if (length > longestMessage)
      throw new FramingError(`a message of ${length} bytes: the longest has ${longestMessage}`);
    return length;
  }

  /** Joins once for each message, not for each chunk: a long message takes linear time. */
  #join(): Buffer {
    if (this.#chunks.length !== 1) this.#chunks = [Buffer.concat(this.#chunks)];
    return this.#chunks[0]!;
  }

  #take(length: number): Buffer {
    const bytes = this.#join();
    const rest = bytes.subarray(length);
    this.#chunks = rest.length === 0 ? [] : [rest];
    this.#size = rest.length;
    return bytes.subarray(0, length);
  }
}

/**
 * The length in a header. Other fields are refused: a page in a browser can send a request of HTTP
 * to any port of the machine, whose body would count as a message.
 */
function statedLength(header: string): number {
  let length: number | undefined;
  for (const line of header.slice(0, -2 * lineEnd.length).split(lineEnd)) {
    const [, field, value] = /^([A-Za-z-]+)[ \t]*:[ \t]*(.*?)[ \t]*$/.exec(line) ?? [];
    if (field === undefined || value === undefined) throw new FramingError('bytes that are no header');
    const name = field.toLowerCase();
    if (name === 'content-length' && /^\d{1,15}$/.test(value)) length = Number(value);
    else if (name !== 'content-type') throw new FramingError(`a header with ${line.slice(0, 40)}`);
  }
  if (length === undefined) throw new FramingError('a header without Content-Length');
  return length;
}

/** The bytes of a message. */
export function framed(message: object): string {
  const text = JSON.stringify(message);
  return `Content-Length: ${Buffer.byteLength(text)}\r\n\r\n${text}`;
}
