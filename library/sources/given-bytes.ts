/** Whether a value is bytes, also those of another realm: a test runner has realms of its own. */
export function isBytes(source: unknown): source is Uint8Array {
  return Object.prototype.toString.call(source) === '[object Uint8Array]';
}
