/** Explains a path: the rules there, or the rules of the package there. */

import type { VirtualDocument } from '../../../compiler/index.js';
import { countedNoun, isArray, isObject, lookup, type Steps, type Value } from '../../../values/index.js';
import { childDocument } from '../child-document.js';
import type { QueryEnvironment } from '../environment.js';
import type { ExplainedDocument, Explaining, GivenAnswer } from './explaining.js';
import type { DocumentWhy } from './explanation.js';

/** The parts of an explanation of a question. */
export interface QuestionWhy {
  readonly name: string;
  readonly summary: string;
  readonly documents: readonly DocumentWhy[];
  readonly omitted: number;
}

export function* explainPath(
  explaining: Explaining,
  path: readonly Value[],
  environment: QueryEnvironment,
  answer: GivenAnswer,
): Steps<QuestionWhy> {
  const name = refText(explaining, path);
  let document = explaining.program.root;
  for (const [i, key] of path.entries()) {
    if (document.kind !== 'package')
      return yield* explainBelow(explaining, { name, document, rest: path.slice(i) }, environment, answer);
    const child = typeof key === 'string' ? childDocument(document, key) : undefined;
    if (child === undefined) return { name, ...noRule(explaining, document, path, environment, answer), omitted: 0 };
    document = child;
  }
  if (document.kind !== 'package')
    return yield* explainBelow(explaining, { name, document, rest: [] }, environment, answer);
  return { name, ...(yield* explainPackage(explaining, document, environment, name)) };
}

interface Found {
  readonly name: string;
  readonly document: VirtualDocument;
  /** The keys of the path below the document. */
  readonly rest: readonly Value[];
}

/** A rule, and keys below it: of the rule itself for sets and objects, else of its value. */
function* explainBelow(
  explaining: Explaining,
  { name, document, rest }: Found,
  environment: QueryEnvironment,
  answer: GivenAnswer,
): Steps<QuestionWhy> {
  const keys = document.kind === 'set' || document.kind === 'object' ? rest : [];
  const asked: ExplainedDocument = { document, keys };
  const known = keys.length === rest.length ? answer : undefined;
  // The first document that is explained is never too deep.
  const why = (yield* explaining.document(asked, environment, explaining.limits.depth, known))!;
  if (keys.length === rest.length) return { name, summary: why.summary, documents: [why], omitted: 0 };
  const { value } = why.value ?? {};
  const part =
    value === undefined
      ? undefined
      : rest.reduce<Value | undefined>((found, key) => found && partAt(found, key), value as Value);
  const summary =
    why.outcome === 'value' && part === undefined
      ? `${name} is undefined: ${why.name} has another value`
      : `${name} is a part of ${why.name}`;
  return { name, summary: why.outcome === 'value' ? summary : why.summary, documents: [why], omitted: 0 };
}

function partAt(value: Value, key: Value): Value | undefined {
  if (isArray(value)) return typeof key === 'number' ? value[key] : undefined;
  return isObject(value) ? lookup(value, key) : undefined;
}

function* explainPackage(
  explaining: Explaining,
  document: VirtualDocument,
  environment: QueryEnvironment,
  name: string,
): Steps<Omit<QuestionWhy, 'name'>> {
  const rules = rulesBelow(document);
  const shown = rules.slice(0, explaining.limits.rules);
  const documents: DocumentWhy[] = [];
  for (const document of shown) {
    const why = yield* explaining.document({ document, keys: [] }, environment, explaining.limits.depth);
    if (why !== undefined) documents.push(why);
  }
  const summary = `${name} is a package with ${countedNoun(rules.length, 'document')}`;
  return { summary, documents, omitted: rules.length - documents.length };
}

/** The documents of a package but functions. */
function rulesBelow(document: VirtualDocument): readonly VirtualDocument[] {
  if (document.kind === 'function') return [];
  if (document.kind !== 'package') return [document];
  const children = [...document.node.children.values()].filter(({ hidden }) => !hidden);
  return children.flatMap(({ key }) => {
    const child = key.type === 'string' ? childDocument(document, key.value) : undefined;
    return child === undefined ? [] : rulesBelow(child);
  });
}

/** A base document, or nothing at all. */
function noRule(
  explaining: Explaining,
  above: VirtualDocument,
  path: readonly Value[],
  environment: QueryEnvironment,
  { value }: GivenAnswer,
): Omit<QuestionWhy, 'name' | 'omitted'> {
  const name = refText(explaining, path);
  if (value !== undefined) {
    const shown = explaining.shown(value);
    const summary = `${name} is ${shown.text}: it is a base document, no rule makes it`;
    return { summary, documents: [{ name, kind: 'base', outcome: 'value', summary, value: shown, rules: [] }] };
  }
  const summary = `${name} is undefined: ${lastFound(explaining, above, path, environment)}`;
  return { summary, documents: [{ name, kind: 'none', outcome: 'undefined', summary, rules: [] }] };
}

/** The longest beginning of a path that exists, and the key that it lacks. */
function lastFound(
  explaining: Explaining,
  { path: packages }: VirtualDocument,
  path: readonly Value[],
  environment: QueryEnvironment,
): string {
  let base: Value | undefined = environment.data;
  let length = 0;
  for (const key of path) {
    base = base === undefined ? undefined : partAt(base, key);
    if (base === undefined) break;
    length++;
  }
  const found = Math.max(length, packages.length);
  return `${refText(explaining, path.slice(0, found))} has no ${explaining.short(path[found] ?? '')}`;
}

const plainName = /^[A-Za-z_][A-Za-z0-9_]*$/;

function refText(explaining: Explaining, path: readonly Value[]): string {
  return `data${path.map((key) => (typeof key === 'string' && plainName.test(key) ? `.${key}` : `[${explaining.short(key)}]`)).join('')}`;
}
