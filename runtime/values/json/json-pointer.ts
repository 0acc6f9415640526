/**
 * Decodes a segment of a JSON pointer: `~1` stands for a slash, `~0` for a tilde (RFC 6901, section
 * 4).
 */
export function unescapedSegment(segment: string): string {
  return segment.includes('~') ? segment.replaceAll('~1', '/').replaceAll('~0', '~') : segment;
}
