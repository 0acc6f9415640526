/** Texts that go-yaml refuses and js-yaml reads: null keys, and halves of surrogate pairs. */
import type * as library from 'js-yaml';
import type { Value } from '../value.js';
import { lineText } from './complaint.js';
import { YamlError } from './error.js';
import { constructScalar, loadWith, makeSchema, plainSchema } from './schema.js';

/** A place where null may stand as a key. */
const nullKey = /(?:^|[\n{[,?-])[ \t]*(?:(?:~|[nN]ull|NULL)[ \t]*)?:(?=\s|$)/;
let keySchema: library.Schema | undefined;

/** Replaces null while keys are checked: the reader converts only keys to texts. */
const nullAsKey = {
  get [Symbol.toStringTag]() {
    return 'Null';
  },
  toString(): never {
    throw new YamlError('yaml: unsupported map key of type: null');
  },
};

function constructKey(text: string): Value {
  return constructScalar(text) ?? (nullAsKey as unknown as Value);
}

/** Throws a YamlError where a key is null, or absent. */
export function refuseNullKeys(text: string): void {
  if (!nullKey.test(text)) return;
  try {
    loadWith(text.replace(/(^|[\n{[,?])([ \t]*):(?=\s|$)/g, '$1$2~:'), (keySchema ??= makeSchema(constructKey)));
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
      throw new YamlError(`yaml: ${lineText(mark?.line ? mark.line + 1 : 0)}found invalid Unicode character escape code`);
  }
}
