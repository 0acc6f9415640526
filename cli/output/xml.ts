const entities: Readonly<Record<string, string>> = { '&': '&amp;', '<': '&lt;', '>': '&gt;', '"': '&quot;' };

/** A text for XML and HTML. Characters that XML cannot hold are written as escape sequences. */
export function escapedXml(text: string): string {
  return withoutControls(text.replace(/[&<>"]/g, (c) => entities[c]!));
}

/** A text that stands as it is in XML. */
export function cdataXml(text: string): string {
  return `<![CDATA[${withoutControls(text).replaceAll(']]>', ']]]]><![CDATA[>')}]]>`;
}

function withoutControls(text: string): string {
  return text.replace(
    /[\u0000-\u0008\u000b\u000c\u000e-\u001f\ufffe\uffff]/g,
    (c) => `\\u${c.charCodeAt(0).toString(16).padStart(4, '0')}`,
  );
}
