/** Internet addresses as text, as Go reads and writes them. */

/** The 4 or 16 bytes of an address, undefined where the text is none. Zones are not addresses. */
export function parseIp(text: string): Uint8Array | undefined {
  return text.includes(':') ? parseV6(text) : parseV4(text);
}

function parseV4(text: string): Uint8Array | undefined {
  const found = /^(0|[1-9]\d{0,2})\.(0|[1-9]\d{0,2})\.(0|[1-9]\d{0,2})\.(0|[1-9]\d{0,2})$/.exec(text);
  if (found === null) return undefined;
  const bytes = found.slice(1).map(Number);
  return bytes.every((byte) => byte < 256) ? new Uint8Array(bytes) : undefined;
}

function parseV6(text: string): Uint8Array | undefined {
  const halves = text.split('::');
  if (halves.length > 2) return undefined;
  const head = groupsOf(halves[0]!, halves.length === 1);
  const tail = halves.length === 2 ? groupsOf(halves[1]!, true) : [];
  if (head === undefined || tail === undefined) return undefined;
  const gap = 16 - head.length - tail.length;
  if (halves.length === 1 ? gap !== 0 : gap < 2) return undefined;
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
  const groups = Array.from({ length: 8 }, (_, i) => ((ip[2 * i]! << 8) | ip[2 * i + 1]!).toString(16));
  let start = -1;
  let length = 1;
  for (let i = 0; i < 8; i++) {
    let end = i;
    while (end < 8 && groups[end] === '0') end++;
    if (end - i > length) [start, length] = [i, end - i];
    i = Math.max(i, end - 1);
  }
  return start < 0 ? groups.join(':') : `${groups.slice(0, start).join(':')}::${groups.slice(start + length).join(':')}`;
}
