/** A text with its source map in its last line. */
export function withMap(text: string, map: object): string {
  const encoded = Buffer.from(JSON.stringify(map)).toString('base64');
  return `${text}\n//# sourceMappingURL=data:application/json;base64,${encoded}\n`;
}
