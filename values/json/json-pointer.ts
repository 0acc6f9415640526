/** Decodes a segment of a JSON pointer: `~1` is a slash, `~0` a tilde (RFC 6901, section 4). */
export function unescapedSegment(segment: string): string {
  return segment.includes('~') ? segment.replaceAll('~1', '/').replaceAll('~0', '~') : segment;
}
