/** Values that a document may have, where a text is about to compare it with one. */

import { type Module, stringTerm } from '../../../compiler/index.js';
import { toJson, type Value } from '../../../values/index.js';
import { listedValues, schemaFieldFor } from '../analysis/schema-fields.js';
import { givenValueAt } from '../lint/documents.js';
import { isNamed } from '../names/symbol.js';
import { pathBefore, stepsOf } from '../names/written-paths.js';
import { statementsOf } from '../syntax/statements.js';
import { PolicyFile } from '../workspace/policy-file.js';
import type { Workspace } from '../workspace/workspace.js';
import { pathText } from './hover.js';

/** A value as it is written, and who says that the document may have it. */
export interface ExpectedValue {
  readonly text: string;
  readonly by: string;
}

/** A place behind a comparison, or inside of a collection behind `in`. */
export interface ComparedPlace {
  /** The beginning of the value: `"G` of `input.method == "G`. */
  readonly written: string;
  /** The offset behind the last name of the ref that is compared. */
  readonly refEnd: number;
  /** The bracket of the collection. */
  readonly bracket: string | undefined;
}

const literal = String.raw`(?:"(?:[^"\\\n]|\\.)*"|[\w.+-]+)`;
const comparison = new RegExp(
  String.raw`[\w\])](\s*(?:==|!=|=)\s*|\s+in\s*([{[])\s*(?:${literal}\s*,\s*)*)("(?:[^"\\\n]|\\.)*|[\w.+-]*)$`,
);

/** The comparison whose value is written at an offset; undefined for other places. */
export function comparisonAt({ text }: PolicyFile, offset: number): ComparedPlace | undefined {
  const statement = statementsOf(text).findLast(({ start }) => start <= offset);
  const before = text.slice(statement?.start ?? 0, offset);
  const found = comparison.exec(before);
  if (found === null || /#[^\n"]*$/.test(before)) return undefined;
  const [, operator = '', bracket, written = ''] = found;
  return { written, bracket, refEnd: offset - written.length - operator.length };
}

/** The values that a schema lists for a document, and those that it has in a file. */
export function* expectedValues(
  policy: PolicyFile,
  offset: number,
  { written, refEnd, bracket }: ComparedPlace,
  workspace: Workspace,
): Iterable<ExpectedValue> {
  const whole = completed(policy, offset, written, bracket);
  const { module } = whole;
  const path = pathAt(whole, refEnd, workspace);
  if (module === undefined || path === undefined) return;
  for (const each of workspace.names.pathsOf(path, false)) {
    if (!isNamed(each)) continue;
    for (const value of schemaValues(each, module, refEnd, workspace)) yield { text: toJson(value), by: 'its schema' };
    const given = givenValueAt(each, workspace.dataFiles);
    if (given && isShort(given.value))
      yield { text: toJson(given.value), by: `${pathText(each)} in ${given.file.name}` };
  }
}

/** The path of a ref that ends at an offset. */
function pathAt(policy: PolicyFile, end: number, { names }: Workspace): readonly string[] | undefined {
  const before = policy.text.slice(0, end);
  if (before.endsWith(']') && !before.endsWith('"]'))
    return stepsOf(pathBefore(before.slice(before.lastIndexOf('\n') + 1)), policy);
  // The name of a quoted key ends before its quote.
  const name = names.at(policy, before.endsWith(']') ? end - 2 : end);
  return name?.path ?? name?.value;
}

/** The policy with a value in the place of what is written: it can be read, and has its names. */
function completed(
  { uri, name, text, regoVersion }: PolicyFile,
  offset: number,
  written: string,
  bracket: string | undefined,
): PolicyFile {
  const isQuoted = written.startsWith('"');
  const rest = text.slice(isQuoted && text[offset] === '"' ? offset + 1 : offset);
  const withEnd = (close: string): PolicyFile => {
    const whole = `${text.slice(0, offset - written.length)}null${close}${rest}`;
    return new PolicyFile(uri, name, whole, { regoVersion });
  };
  // The next bracket in the text may be that of the collection or of the body.
  const closed = withEnd('');
  const isBroken = closed.parsed.broken.some(({ start, end }) => offset >= start && offset <= end);
  return isBroken && bracket !== undefined ? withEnd(bracket === '{' ? '}' : ']') : closed;
}

function schemaValues(
  path: readonly string[],
  module: Module,
  offset: number,
  { compiled }: Workspace,
): readonly Value[] {
  const rule = module.rules.find(({ loc }) => offset >= loc.start && offset <= loc.end);
  if (rule === undefined) return [];
  const [first, ...others] = rule.head.ref;
  const key = first.type === 'var' ? stringTerm(first.loc, first.name) : first;
  const [root, ...names] = module.package.path;
  const ref = [root!, ...names, key, ...others] as const;
  const field = schemaFieldFor(path, { ref, rule, module: { parsed: module } }, compiled);
  return (field ? listedValues(field) : []).filter(isScalar);
}

function isScalar(value: Value): boolean {
  return value === null || typeof value !== 'object';
}

/** Longer texts are no words that a policy compares with. */
const longestText = 60;

function isShort(value: Value): boolean {
  return typeof value === 'string' ? value.length <= longestText : value !== null && typeof value !== 'object';
}
