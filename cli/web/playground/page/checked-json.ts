/** Documents of the panes in texts that other programs read. */

/**
 * The text of a document without the space around it; empty for an empty one.
 * @throws an Error for a text that is no JSON
 */
export function checkedJson(name: 'data' | 'input', text: string): string {
  const trimmed = text.trim();
  if (trimmed === '') return '';
  try {
    JSON.parse(trimmed);
  } catch (error) {
    throw new Error(`${name}: ${error instanceof Error ? error.message : String(error)}`);
  }
  return trimmed;
}
