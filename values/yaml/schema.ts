/** The types that js-yaml reads, and a document read with them. */
import { FAILSAFE_SCHEMA, type LoadOptions, loadAll, type Schema, type State, Type } from 'js-yaml';
import { lazy } from '../lazy.js';
import { fromBinary } from '../text/utf8.js';
import { MergeSign } from './merge.js';
import { ScalarNumber } from './scalar-number.js';
import { hasTag, resolveScalar, type ScalarTag, taggedBoolean } from './yaml-scalars.js';

/** The greatest depth of a document. */
export const maxNesting = 1000;

type Listener = (event: string, state: State) => void;

/** The document of a text, its numbers as `ScalarNumber`s. Text behind its content is an error. */
export function loadWith(text: string, used: Schema, listener?: Listener): unknown {
  const listen: Listener = (event, state) => {
    if (event === 'close') giveText(state as unknown as Node);
    listener?.(event, state);
  };
  const options = { schema: used, json: true, maxDepth: maxNesting, listener: listen } as LoadOptions;
  return loadAll(text, undefined, options)[0] ?? null;
}

/** The state of a node that js-yaml has at its end. */
interface Node {
  readonly tag: string | null;
  readonly anchor: string | null;
  readonly anchorMap: { [name: string]: unknown };
  result: unknown;
}

/** Makes an empty text of a node with only the bare tag `!`, which js-yaml reads as null. */
function giveText(node: Node): void {
  if (node.tag !== '!' || node.result !== null) return;
  node.result = '';
  if (node.anchor !== null) node.anchorMap[node.anchor] = '';
}

/** The schema of plain documents. */
export const plainSchema = lazy(() => makeSchema());

export function makeSchema(construct: (text: string) => unknown = constructScalar): Schema {
  const scalar = new Type('tag:yaml.org,2002:plain', {
    kind: 'scalar',
    resolve: (text: string) => resolveScalar(text) !== undefined,
    construct,
  });
  let merges = 0;
  const merge = new Type('tag:yaml.org,2002:<<', {
    kind: 'scalar',
    resolve: (text: string) => text === '<<',
    construct: () => new MergeSign(merges++),
  });
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
  // Tags that mean nothing here are passed over; a scalar that has one is a text.
  const others = ['!', 'tag:'].flatMap((prefix) =>
    (['scalar', 'sequence', 'mapping'] as const).map((kind) => {
      const none = kind === 'scalar' ? '' : null;
      return new Type(prefix, { kind, multi: true, construct: (data: unknown) => data ?? none });
    }),
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
