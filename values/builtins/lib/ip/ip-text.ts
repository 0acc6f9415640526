/** Internet addresses as text, as Go reads and writes them. */

/** The 4 or 16 bytes of an address, undefined where the text is none. Zones are not addresses. */
export function parseIp(text: string): Uint8Array | undefined {
  return text.includes(':') ? parseV6(text) : parseV4(text);
}

function parseV4(text: string): Uint8Array | undefined {
  const value = v4Number(text, text.length);
  return value < 0 ? undefined : new Uint8Array([value >>> 24, value >>> 16, value >>> 8, value]);
}

/** The 32 bits of an IPv4 address, -1 where the text up to `end` is none. */
export function v4Number(text: string, end: number): number {
  let value = 0;
  let part = -1;
  let parts = 1;
  for (let i = 0; i < end; i++) {
    const c = text.charCodeAt(i);
    if (c === 46) {
      if (part < 0 || ++parts > 4) return -1;
      value = value * 256 + part;
      part = -1;
    } else if (c < 48 || c > 57 || part === 0) return -1;
    else if ((part = Math.max(part, 0) * 10 + c - 48) > 255) return -1;
  }
  return part < 0 || parts !== 4 ? -1 : value * 256 + part;
}

function parseV6(text: string): Uint8Array | undefined {
  const [first = '', second, ...more] = text.split('::');
  if (more.length > 0) return undefined;
  const head = groupsOf(first, second === undefined);
  const tail = second === undefined ? [] : groupsOf(second, true);
  if (head === undefined || tail === undefined) return undefined;
  const gap = 16 - head.length - tail.length;
  if (second === undefined ? gap !== 0 : gap < 2) return undefined;
  return new Uint8Array([...head, ...new Array<number>(gap).fill(0), ...tail]);
}

/** The bytes of groups between colons; the last may be an IPv4 address where `atEnd`. */
function groupsOf(text: string, atEnd: boolean): number[] | undefined {
  if (text === '') return [];
  const bytes: number[] = [];
  const groups = text.split(':');
  for (const [i, group] of groups.entries()) {
    if (atEnd && i === groups.length - 1 && group.includes('.')) {
      const v4 = parseV4(group);
      if (v4 === undefined) return undefined;
      bytes.push(...v4);
    } else if (/^[0-9a-fA-F]{1,4}$/.test(group)) {
      const value = Number.parseInt(group, 16);
      bytes.push(value >> 8, value & 0xff);
    } else return undefined;
  }
  return bytes;
}

/** The four bytes of an IPv4 address, also of one written as IPv6 (`::ffff:1.2.3.4`). */
export function asV4(ip: Uint8Array): Uint8Array | undefined {
  if (ip.length === 4) return ip;
  for (let i = 0; i < 12; i++) if (ip[i] !== (i < 10 ? 0 : 0xff)) return undefined;
  return ip.subarray(12);
}

/** The shortest text of an address: the longest run of two or more zero groups becomes `::`. */
export function ipText(ip: Uint8Array): string {
  const v4 = asV4(ip);
  if (v4 !== undefined) return v4.join('.');
  const view = new DataView(ip.buffer, ip.byteOffset);
  const groups = Array.from({ length: 8 }, (_, i) => view.getUint16(2 * i).toString(16));
  let start = -1;
  let length = 1;
  for (let i = 0; i < 8; i++) {
    let end = i;
    while (end < 8 && groups[end] === '0') end++;
    if (end - i > length) [start, length] = [i, end - i];
    i = Math.max(i, end - 1);
  }
  return start < 0
    ? groups.join(':')
    : `${groups.slice(0, start).join(':')}::${groups.slice(start + length).join(':')}`;
}
