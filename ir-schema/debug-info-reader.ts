/** Text → debug information, checked: the file may come from anywhere. */
import type { DebugInfo } from './debug-info.js';

type Check = (value: unknown) => boolean;

/** Debug information from the text of its file. Throws an Error for any other text. */
export function readDebugInfo(text: string): DebugInfo {
  let value: unknown;
  try {
    value = JSON.parse(text);
  } catch {
    throw new Error('debug information is no JSON');
  }
  const version = isObject(value) ? value.version : undefined;
  if (version !== 1)
    throw new Error(`debug information has an unknown version: ${String(JSON.stringify(version)).slice(0, 20)}`);
  const wrong = Object.entries(checks).find(([name, check]) => !check((value as Record<string, unknown>)[name]));
  if (wrong !== undefined) throw new Error(`debug information has wrong ${wrong[0]}`);
  const info = value as DebugInfo;
  const lost = Object.entries(references).find(([, check]) => !check(info));
  if (lost !== undefined) throw new Error(`debug information has wrong ${lost[0]}`);
  return info;
}

function isObject(value: unknown): value is Readonly<Record<string, unknown>> {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

const text: Check = (value) => typeof value === 'string';
const optional =
  (check: Check): Check =>
  (value) =>
    value === undefined || check(value);
const listOf =
  (check: Check): Check =>
  (value) =>
    Array.isArray(value) && value.every(check);
/** A number of integers; -1 is the lowest of them. */
const integers =
  (count: number): Check =>
  (value) =>
    Array.isArray(value) && value.length === count && value.every((one) => Number.isSafeInteger(one) && one >= -1);
const integer: Check = (value) => integers(1)([value]);
const record =
  (fields: Readonly<Record<string, Check>>): Check =>
  (value) =>
    isObject(value) && Object.entries(fields).every(([name, check]) => check(value[name]));

/** Two texts between two indexes. */
const namedPair: Check = (value) =>
  Array.isArray(value) &&
  value.length === 4 &&
  integer(value[0]) &&
  text(value[1]) &&
  text(value[2]) &&
  integer(value[3]);

const checks: Readonly<Record<string, Check>> = {
  plan: optional(text),
  sources: listOf(record({ file: text, sha256: optional(text), text: optional(text) })),
  rules: listOf(
    record({
      path: text,
      source: integer,
      number: integer,
      link: integer,
      range: integers(4),
      head: integers(4),
      body: optional(integers(4)),
      origin: optional(integer),
    }),
  ),
  expressions: listOf(integers(9)),
  names: listOf(text),
  variables: optional(listOf(namedPair)),
  replaced: optional(listOf(namedPair)),
  owners: listOf(
    record({
      kind: (kind) => kind === 'plan' || kind === 'func',
      name: text,
      runs: listOf(integers(4)),
      names: listOf(integers(4)),
    }),
  ),
};

const has = (table: readonly unknown[], index: number): boolean => index >= 0 && index < table.length;
const hasOrNone = (table: readonly unknown[], index: number): boolean => index === -1 || has(table, index);

/** Whether the indexes in a table are those of entries. */
const references: Readonly<Record<string, (info: DebugInfo) => boolean>> = {
  rules: ({ rules, sources }) =>
    rules.every(({ source, origin = -1 }) => has(sources, source) && hasOrNone(rules, origin)),
  // An outer expression stands before those inside, and an origin has none: so no chain has a ring.
  expressions: ({ expressions, rules, sources }) =>
    expressions.every(
      ([source, rule, parent, , , , , , origin], i) =>
        has(sources, source) &&
        hasOrNone(rules, rule) &&
        parent < i &&
        (origin === -1 || expressions[origin]?.[8] === -1),
    ),
  variables: ({ variables = [], sources, rules }) =>
    variables.every(([source, , , rule]) => has(sources, source) && has(rules, rule)),
  replaced: ({ replaced = [], sources, expressions }) =>
    replaced.every(([source, , , expression]) => has(sources, source) && hasOrNone(expressions, expression)),
  owners: ({ owners, rules, expressions, names }) =>
    owners.every(
      (owner) =>
        owner.runs.every(([, , rule, expression]) => hasOrNone(rules, rule) && hasOrNone(expressions, expression)) &&
        owner.names.every(([name]) => has(names, name)),
    ),
};
