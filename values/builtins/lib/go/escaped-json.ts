import { toJson } from '../../../json/json.js';
import { htmlSafe } from '../../../text/html-safe.js';
import type { Value } from '../../../value.js';

/**
 * A value as Go's encoder writes it by default, with HTML's special characters escaped. It matters
 * where the text is hashed or signed.
 */
export function toEscapedJson(value: Value): string {
  return htmlSafe(toJson(value));
}
