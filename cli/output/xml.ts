const entities: Readonly<Record<string, string>> = { '&': '&amp;', '<': '&lt;', '>': '&gt;', '"': '&quot;' };

/** A text for XML and HTML. Characters that XML cannot hold are written as escape sequences. */
export function escapedXml(text: string): string {
  return text
    .replace(/[&<>"]/g, (c) => entities[c]!)
    .replace(
      /[\u0000-\u0008\u000b\u000c\u000e-\u001f\ufffe\uffff]/g,
      (c) => `\\u${c.charCodeAt(0).toString(16).padStart(4, '0')}`,
    );
}
