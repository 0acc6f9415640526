/** Whether a text is an IPv6 address, with a zone or not: `fe80::1%en0`. */
export function isIpv6(text: string): boolean {
  const percent = text.indexOf('%');
  if (percent === text.length - 1) return false;
  const address = percent < 0 ? text : text.slice(0, percent);
  const halves = address.split('::');
  if (halves.length > 2) return false;
  const groups = halves.map((half) => (half === '' ? [] : half.split(':')));
  let size = 0;
  const all = groups.flat();
  for (let i = 0; i < all.length; i++) {
    const group = all[i]!;
    if (/^[0-9a-fA-F]{1,4}$/.test(group)) size++;
    else if (i === all.length - 1 && groups.at(-1)!.length > 0 && isIpv4(group)) size += 2;
    else return false;
  }
  return halves.length === 2 ? size < 8 : size === 8;
}

function isIpv4(text: string): boolean {
  return /^(?:(?:25[0-5]|2[0-4]\d|1\d\d|[1-9]?\d)(?:\.|$)){4}$/.test(text) && !text.endsWith('.');
}
