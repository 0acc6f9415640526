/**
 * Texts that go-yaml refuses and js-yaml reads: keys that are null or a collection, and halves of
 * surrogate pairs.
 */

import type * as library from 'js-yaml';
import { lazy } from '../lazy.js';
import { lineText } from './complaint.js';
import { loadWith, makeSchema, plainSchema } from './schema.js';
import { YamlError } from './yaml-error.js';
import { resolveScalar } from './yaml-scalars.js';

/** A place where null may stand as a key. */
const nullKey = /(?:^|[\n{[,?-])[ \t]*(?:[&!]\S*[ \t]+)*(?:(?:~|[nN]ull|NULL)[ \t]*)?:(?=\s|$)/;
/** A place where a collection may be a key. */
const collectionKey = /[\]}][ \t]*:|(?:^|[\n[{,:?-])[ \t]*\?(?=\s|$)/;
/** A key that is marked as one: its value begins with a colon of its own. */
const explicitKey = /(?:^|[\n[{,:?-])[ \t]*\?(?=\s|$)/;
/** A marked key of nothing, before its value or the end: js-yaml opens no node for it. */
const emptyKey = /((?:^|[\n[{,:?-])[ \t]*\?)[ \t]*(?=\r?\n[ \t]*:(?:\s|$)|\s*$)/g;
const keySchema = lazy(() => makeSchema(constructKey));

/** Stands for a value while keys are checked: the reader converts only keys to texts. */
function refusedAsKey(type: string): object {
  const value = {};
  Object.defineProperty(value, Symbol.toStringTag, { value: 'Refused' });
  Object.defineProperty(value, 'toString', {
    value: () => {
      throw new YamlError(`yaml: unsupported map key of type: ${type}`);
    },
  });
  return value;
}

function constructKey(text: string): unknown {
  return resolveScalar(text) === null ? refusedAsKey('null') : text;
}

/** Called at the end of each node: no collection may become a text, nor may a node of nothing. */
function refuseOthers(event: string, state: library.State): void {
  if (event !== 'close') return;
  const node = state as { result: unknown };
  if (node.result === null) node.result = refusedAsKey('null');
  else if (state.kind === 'sequence' || state.kind === 'mapping') node.result = refusedAsKey(state.kind);
}

/** Throws a YamlError where a key is null, absent, or a collection. */
export function refuseKeys(text: string): void {
  if (!nullKey.test(text) && !collectionKey.test(text)) return;
  const marked = explicitKey.test(text)
    ? text.replace(emptyKey, '$1 ~')
    : text.replace(/(^|[\n{[,?])([ \t]*):(?=\s|$)/g, '$1$2~:');
  try {
    loadWith(marked, keySchema(), refuseOthers);
  } catch (error) {
    // Any other mistake is found when the text itself is read.
    if (error instanceof YamlError) throw error;
  }
}

const surrogateEscape = /\\u[dD][89a-fA-F]/;

/**
 * Throws a YamlError where a quoted text has half a pair of UTF-16 by its number. Elsewhere a
 * backslash means nothing.
 */
export function refuseSurrogates(text: string): void {
  if (!surrogateEscape.test(text)) return;
  const marked = text.replace(/\\(?:u(?=[dD][89a-fA-F])|[\s\S])/g, (written) => (written === '\\u' ? '\\z' : written));
  try {
    loadWith(marked, plainSchema());
  } catch (error) {
    const { reason, mark } = error as Partial<library.YAMLException>;
    if (/unknown escape sequence/.test(reason ?? ''))
      throw new YamlError(
        `yaml: ${lineText(mark?.line ? mark.line + 1 : 0)}found invalid Unicode character escape code`,
      );
  }
}
