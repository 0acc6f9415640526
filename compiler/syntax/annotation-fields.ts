/** The fields of a metadata block: YAML in, typed values out. */

import { load } from 'js-yaml';
import type { Steps } from '../../values/index.js';
import { refTerm } from '../ast/make.js';
import type {
  Annotations,
  Author,
  CompileAnnotation,
  RefTerm,
  RelatedResource,
  SchemaAnnotation,
} from '../ast/nodes.js';
import { CompileErrors } from '../diagnostics/diagnostics.js';
import { parseRef, parseTerm } from './query.js';

/** A block that is YAML but no metadata; `line` counts from 0 in the block where it is known. */
export class AnnotationError extends Error {
  readonly line: number | undefined;

  constructor(message: string, line?: number) {
    super(message);
    this.line = line;
  }
}

interface Fields extends Omit<Annotations, 'type' | 'loc' | 'scope' | 'path' | 'endRow'> {
  readonly scope: string | undefined;
}

type Mapping = Readonly<Record<string, unknown>>;

/** As many values as aliases may expand a block to, beyond ten for each character. */
const maxExpanded = 100_000;

/** Reads a block's text; throws `AnnotationError` or js-yaml's own. */
export function* readFields(text: string): Steps<Fields> {
  const loaded = load(text);
  if (loaded === null || loaded === undefined) return yield* fieldsOf({});
  if (!isMapping(loaded)) throw wrongKind(loaded, 'ast.rawAnnotation');
  const document = (yield* plain(loaded, { left: maxExpanded + 10 * text.length })) as Mapping;
  try {
    return yield* fieldsOf(document);
  } catch (error) {
    if (!(error instanceof AnnotationError) || error.line !== undefined) throw error;
    throw new AnnotationError(error.message, yield* faultyLine(text, document));
  }
}

/** The line of the first key whose field cannot be read alone. */
function* faultyLine(text: string, document: Mapping): Steps<number | undefined> {
  for (const [key, value] of Object.entries(document)) {
    try {
      yield* fieldsOf({ [key]: value });
    } catch {
      const line = text.split('\n').findIndex((each) => each.replace(/^["']/, '').startsWith(key));
      return line < 0 ? undefined : line;
    }
  }
  return undefined;
}

/** The values that are copied in a step. */
const copiedOfStep = 4096;

/** A copy in which timestamps are the texts that they are in JSON. */
function* plain(value: unknown, budget: { left: number }): Steps<unknown> {
  if (--budget.left < 0) throw new AnnotationError('yaml: document contains excessive aliasing');
  if (budget.left % copiedOfStep === 0) yield;
  if (value instanceof Date) return value.toISOString().replace('.000Z', 'Z');
  if (Array.isArray(value)) {
    const items: unknown[] = [];
    for (const item of value) items.push(yield* plain(item, budget));
    return items;
  }
  if (!isMapping(value)) return value;
  const entries: [string, unknown][] = [];
  for (const [key, item] of Object.entries(value)) entries.push([key, yield* plain(item, budget)]);
  return Object.fromEntries(entries);
}

function* fieldsOf(document: Mapping): Steps<Fields> {
  return {
    scope: text(document, 'scope'),
    title: text(document, 'title'),
    description: text(document, 'description'),
    entrypoint: flag(document, 'entrypoint'),
    organizations: yield* eachOf(list(document, 'organizations'), (item) => scalarText(item, '[]string')),
    relatedResources: yield* eachOf(list(document, 'related_resources'), relatedResource),
    authors: yield* eachOf(list(document, 'authors'), author),
    schemas: yield* eachOf(list(document, 'schemas'), schema),
    compile: yield* compile(document),
    custom: mapping(document, 'custom'),
    labels: mapping(document, 'labels'),
  };
}

/** The items of a list that are read in a step: refs in them are parsed. */
const readOfStep = 256;

function* eachOf<From, To>(items: readonly From[], read: (item: From) => To): Steps<To[]> {
  const done: To[] = [];
  for (const item of items) {
    if (done.push(read(item)) % readOfStep === 0) yield;
  }
  return done;
}

function isMapping(value: unknown): value is Mapping {
  return typeof value === 'object' && value !== null && !Array.isArray(value) && !(value instanceof Date);
}

function own(document: Mapping, name: string): unknown {
  return Object.hasOwn(document, name) ? document[name] : undefined;
}

function wrongKind(value: unknown, want: string): AnnotationError {
  const tag = Array.isArray(value)
    ? '!!seq'
    : isMapping(value)
      ? '!!map'
      : `!!${typeof value === 'string' ? 'str' : typeof value === 'number' ? 'int' : 'bool'}`;
  const shown = tag === '!!seq' || tag === '!!map' ? '' : ` \`${String(value)}\``;
  return new AnnotationError(`yaml: unmarshal errors:\n  cannot unmarshal ${tag}${shown} into ${want}`);
}

/** Any scalar will do for a text, as the YAML reader of the reference has it. */
function scalarText(value: unknown, want: string): string {
  if (typeof value === 'string') return value;
  if (value === null || value === undefined) return '';
  if (typeof value === 'object' && !(value instanceof Date)) throw wrongKind(value, want);
  return value instanceof Date ? value.toISOString() : String(value);
}

function text(document: Mapping, name: string): string | undefined {
  return scalarText(own(document, name), 'string') || undefined;
}

function flag(document: Mapping, name: string): boolean {
  const value = own(document, name) ?? false;
  // Where a flag is wanted, the words of older YAML are flags.
  if (typeof value === 'string' && /^(y|yes|on|n|no|off)$/i.test(value)) return /^(y|yes|on)$/i.test(value);
  if (typeof value !== 'boolean') throw wrongKind(value, 'bool');
  return value;
}

function list(document: Mapping, name: string): readonly unknown[] {
  const value = own(document, name) ?? [];
  if (!Array.isArray(value)) throw wrongKind(value, '[]interface {}');
  return value;
}

function mapping(document: Mapping, name: string): Mapping {
  const value = own(document, name) ?? {};
  if (!isMapping(value)) throw wrongKind(value, 'map[string]interface {}');
  return value;
}

function field(value: Mapping, name: string): string {
  const found = own(value, name);
  return typeof found === 'string' ? found.trim() : '';
}

const notTextOrMap = 'invalid value type, must be string or map';

function relatedResource(value: unknown): RelatedResource {
  const fail = (reason: string): never => {
    throw new AnnotationError(`invalid related-resource definition ${show(value)}: ${reason}`);
  };
  if (typeof value === 'string')
    return value === '' ? fail('ref URL may not be empty string') : { ref: url(value, fail), description: '' };
  if (!isMapping(value)) return fail(notTextOrMap);
  const ref = field(value, 'ref');
  if (ref === '') fail("'ref' value required in object");
  return { ref: url(ref, fail), description: field(value, 'description') };
}

/** Go's URLs are lenient: only control characters and broken escapes are wrong. */
function url(text: string, fail: (reason: string) => never): string {
  if (/[\u0000-\u001f\u007f]/.test(text))
    fail(`parse ${JSON.stringify(text)}: net/url: invalid control character in URL`);
  const broken = /%(?![0-9a-fA-F]{2}).{0,2}/.exec(text.replace(/\?.*/s, ''));
  if (broken) fail(`parse ${JSON.stringify(text)}: invalid URL escape ${JSON.stringify(broken[0])}`);
  if (/^:/.test(text)) fail(`parse ${JSON.stringify(text)}: missing protocol scheme`);
  return text;
}

function author(value: unknown): Author {
  const fail = (reason: string): never => {
    throw new AnnotationError(`invalid author definition ${show(value)}: ${reason}`);
  };
  if (typeof value === 'string') {
    const words = value.split(/\s+/).filter((word) => word !== '');
    const last = words.at(-1) ?? fail('author is an empty string');
    const email = /^<(.*)>$/.exec(last)?.[1];
    return { name: (email === undefined ? words : words.slice(0, -1)).join(' '), email: email ?? '' };
  }
  if (!isMapping(value)) return fail(notTextOrMap);
  const [name, email] = [field(value, 'name'), field(value, 'email')];
  return name === '' && email === '' ? fail("'name' and/or 'email' values required in object") : { name, email };
}

function show(value: unknown): string {
  return typeof value === 'string' ? value : JSON.stringify(value);
}

function schema(value: unknown): SchemaAnnotation {
  if (!isMapping(value)) throw wrongKind(value, 'map[string]interface {}');
  const [pair] = Object.entries(value);
  if (!pair) throw new AnnotationError('invalid document reference');
  const [key, definition] = pair;
  const path = attempt(() => parseRef(key), 'invalid document reference');
  if (typeof definition === 'string') return { path, schema: schemaRef(definition), definition: undefined };
  if (!isMapping(definition)) throw new AnnotationError(`invalid schema declaration for path ${JSON.stringify(key)}`);
  return { path, schema: undefined, definition };
}

/** `schema` itself, or a path below it. */
function schemaRef(text: string): RefTerm {
  const invalid = 'invalid schema reference';
  const term = attempt(() => parseTerm(text), invalid);
  const ref = term.type === 'var' ? refTerm(term.loc, [term]) : term;
  const head = ref.type === 'ref' ? ref.terms[0] : undefined;
  if (ref.type !== 'ref' || head?.type !== 'var' || head.name !== 'schema') throw new AnnotationError(invalid);
  return ref;
}

function* compile(document: Mapping): Steps<CompileAnnotation | undefined> {
  if (own(document, 'compile') === undefined || own(document, 'compile') === null) return undefined;
  const value = mapping(document, 'compile');
  const unknowns = own(value, 'unknowns');
  const mask = own(value, 'mask_rule');
  return {
    unknowns: Array.isArray(unknowns)
      ? yield* eachOf(
          unknowns.filter((item) => typeof item === 'string'),
          unknown,
        )
      : [],
    maskRule: typeof mask === 'string' ? maskRule(mask) : undefined,
  };
}

function unknown(text: string): RefTerm {
  return attempt(
    () => parseRef(text),
    (reason) => `invalid unknowns element ${JSON.stringify(text)}: failed to parse ref: ${reason}`,
  );
}

function maskRule(text: string): RefTerm {
  const term = attempt(
    () => parseTerm(text),
    (reason) => `invalid mask_rule annotation ${JSON.stringify(text)}: ${reason}`,
  );
  if (term.type === 'ref') return term;
  if (term.type === 'var' || term.type === 'string') return refTerm(term.loc, [term]);
  throw new AnnotationError(`invalid mask_rule annotation type ${JSON.stringify(text)}: string`);
}

function attempt<T>(parse: () => T, message: string | ((reason: string) => string)): T {
  try {
    return parse();
  } catch (error) {
    if (!(error instanceof CompileErrors)) throw error;
    throw new AnnotationError(typeof message === 'string' ? message : message(error.message));
  }
}
