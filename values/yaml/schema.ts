/** The types that js-yaml reads, and a document read with them. */
import { FAILSAFE_SCHEMA, type LoadOptions, loadAll, type Schema, type State, Type, YAMLException } from 'js-yaml';
import { lazy } from '../lazy.js';
import { fromBinary } from '../text/utf8.js';
import { ScalarNumber } from './scalar-number.js';
import { hasTag, resolveScalar, type ScalarTag, taggedBoolean } from './yaml-scalars.js';

/** As deep as a document may nest. */
export const maxNesting = 1000;

/** Content that ends by itself: a collection in brackets, a text in quotes, a block scalar. */
const closedContent = /^(?:---[ \t]+|\s|#.*\n)*(?:[&!]\S*\s+)*[[{"'|>]/;

/**
 * The first document, its numbers as `ScalarNumber`s. go-yaml stops reading at its end, so any text
 * may follow such content.
 */
export function loadWith(text: string, used: Schema, listener?: (event: string, state: State) => void): unknown {
  const options = { schema: used, json: true, maxDepth: maxNesting, listener } as LoadOptions;
  try {
    return loadAll(text, undefined, options)[0] ?? null;
  } catch (error) {
    const end =
      error instanceof YAMLException && /^end of the stream/.test(error.reason ?? '')
        ? error.mark?.position
        : undefined;
    if (!end || !closedContent.test(text)) throw error;
    return loadAll(text.slice(0, end), undefined, options)[0] ?? null;
  }
}

/** The schema of plain documents. */
export const plainSchema = lazy(() => makeSchema());

export function makeSchema(construct: (text: string) => unknown = constructScalar): Schema {
  const scalar = new Type('tag:yaml.org,2002:plain', {
    kind: 'scalar',
    resolve: (text: string) => resolveScalar(text) !== undefined,
    construct,
  });
  const merge = new Type('tag:yaml.org,2002:merge', { kind: 'scalar', resolve: (text: string) => text === '<<' });
  const tagged = (tag: ScalarTag, of: (text: string) => unknown = construct) =>
    new Type(`tag:yaml.org,2002:${tag}`, {
      kind: 'scalar',
      resolve: (text: string | null) => hasTag(text ?? '', tag),
      construct: (text: string | null) => of(text ?? ''),
    });
  const binary = new Type('tag:yaml.org,2002:binary', {
    kind: 'scalar',
    resolve: (text: string | null) => isBase64(text ?? ''),
    construct: (text: string | null) => fromBinary(atob(text ?? '')),
  });
  // Tags that mean nothing here are passed over.
  const others = ['!', 'tag:'].flatMap((prefix) =>
    (['scalar', 'sequence', 'mapping'] as const).map(
      (kind) => new Type(prefix, { kind, multi: true, construct: (data: unknown) => data }),
    ),
  );
  const explicit = [binary, tagged('bool', taggedBoolean), tagged('int'), tagged('float'), tagged('null'), ...others];
  return FAILSAFE_SCHEMA.extend({ implicit: [scalar, merge], explicit });
}

function isBase64(text: string): boolean {
  const characters = text.replace(/[\r\n]/g, '');
  return characters.length % 4 === 0 && /^[A-Za-z0-9+/]*={0,2}$/.test(characters);
}

function constructScalar(text: string): unknown {
  const value = resolveScalar(text);
  if (value === undefined) return text;
  return typeof value === 'boolean' || value === null ? value : new ScalarNumber(text, value);
}
