/** The decision log event of a query, for the mask policy. */
import type { PlainObject } from '../../values/index.js';

/** A decision log event has the path of a document, or the text of a query. */
export function loggedEvent(text: string): PlainObject {
  const path = /^data((?:\.\w+)+)$/.exec(text.trim())?.[1];
  return path === undefined ? { query: text } : { path: path.slice(1).replaceAll('.', '/') };
}
