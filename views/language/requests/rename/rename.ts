/** Renaming: everywhere, in one edit, or not at all where another name would be meant then. */

import type { Range, TextEdit, WorkspaceEdit } from 'vscode-languageserver-types';
import { plainName } from '../../../../compiler/index.js';
import { dataPlaces, filesInFolder } from '../../names/data-names.js';
import { mostPaths, type PlacedOccurrence } from '../../names/name-index.js';
import { isNamed as isDocument, isVariableRoot, type Occurrence } from '../../names/symbol.js';
import { keywordTexts } from '../../syntax/keywords.js';
import type { PolicyFile } from '../../workspace/policy-file.js';
import { rangeBetween } from '../../workspace/positions.js';
import type { Workspace } from '../../workspace/workspace.js';
import { pathText } from '../hover.js';
import { pathsOf, placesOfTarget, schemaPlaces, type Target, targetAt } from '../navigation.js';
import { type PositionParams, type RequestContext, RequestError, type RequestFamily } from '../request.js';

interface RenameParams extends PositionParams {
  readonly newName: string;
}

export const rename: RequestFamily = {
  capabilities: { renameProvider: { prepareProvider: true } },
  requests: {
    'textDocument/prepareRename': async (context, params: PositionParams) => {
      const { name, policy } = (await renamed(context, params)).target;
      if (name === undefined || policy === undefined) return { defaultBehavior: true };
      return {
        range: rangeBetween(policy.source, name.start, name.end) satisfies Range,
        placeholder: policy.text.slice(name.start, name.end),
      };
    },
    'textDocument/rename': (context, params: RenameParams) => editsOf(context, params),
  },
};

interface RenamedTarget {
  readonly target: Target;
  /** All paths of a document. */
  readonly paths: readonly (readonly string[])[];
}

/** The name to be renamed. Rejects with a RequestError where it cannot be. */
async function renamed(context: RequestContext, params: PositionParams): Promise<RenamedTarget> {
  const target = await targetAt(context, params);
  if (target === undefined) throw new RequestError('there is no name here');
  const { name, path } = target;
  if (name?.kind === 'builtin') throw new RequestError(`${name.name} is a built-in function`);
  if (path?.length === 1) throw new RequestError(`${path[0]} is a document of the language`);
  const paths = pathsOf(target, context.workspace, true);
  if (path !== undefined) checkWritten(path, paths, context.workspace);
  if (path !== undefined && !paths.some((each) => isNamed(each, context.workspace)))
    throw new RequestError(`the value with the field ${path.at(-1)} is computed`);
  if (paths.length >= mostPaths) throw new RequestError(`too many values of policies have the field ${path?.at(-1)}`);
  for (const each of paths)
    if (context.workspace.names.isComputed(each))
      throw new RequestError(`policies have the keys of ${pathText(each.slice(0, -1))} as values`);
  for (const each of paths) {
    const [file] = filesInFolder(each, context.workspace.dataFiles);
    const isPackage = [...context.workspace.names.placesOf(each)].some(({ occurrence }) => isStated(occurrence));
    if (file !== undefined && !isPackage)
      throw new RequestError(`${pathText(each)} has the name of the folder of ${file.name}`);
  }
  return { target, paths };
}

/** Whether a field belongs to a document, or to a value that a policy writes out. */
function isNamed(path: readonly string[], { names }: Workspace): boolean {
  return !isVariableRoot(path[0]!) || [...names.definitions(path)].length > 0;
}

/**
 * Rejects the field of an object that a rule computes: nothing in the text is its name. A rule
 * whose value is another document has the fields of that.
 */
function checkWritten(path: readonly string[], paths: readonly (readonly string[])[], { names }: Workspace): void {
  const computed = (part: readonly string[]): RequestError => new RequestError(`${pathText(part)} computes its fields`);
  const isDefined = (part: readonly string[]): boolean =>
    [...names.definitions(part)].some(({ occurrence }) => occurrence.role === 'definition');
  const ruleOf = (whole: readonly string[]): readonly string[] | undefined => {
    for (let length = whole.length - 1; length > 1; length--)
      if (isDefined(whole.slice(0, length))) return whole.slice(0, length);
    return undefined;
  };
  const rule = isDefined(path) ? undefined : ruleOf(path);
  const isStatedAt = (each: readonly string[]): boolean =>
    isDefined(each) || (isDocument(each) && ruleOf(each) === undefined);
  for (const each of paths) {
    const opaque = names.opaquePart(each);
    // The value of a variable that a built-in computes is told below, in other words.
    if (opaque !== undefined && (opaque.length > 1 || !isVariableRoot(opaque[0]!))) throw computed(opaque);
  }
  if (rule !== undefined && !paths.some(isStatedAt)) throw computed(rule);
}

async function editsOf(context: RequestContext, params: RenameParams): Promise<WorkspaceEdit> {
  const { workspace } = context;
  const { target, paths } = await renamed(context, params);
  const { newName } = params;
  if (!plainName.test(newName) || Object.hasOwn(keywordTexts, newName) || newName === '_')
    throw new RequestError(`${JSON.stringify(newName)} cannot be a name`);
  const places = [...placesOfTarget(target, workspace, paths)];
  checkFree(target, places, newName, workspace);
  const changes: Record<string, TextEdit[]> = {};
  const edit = (uri: string, range: Range): void => {
    const shown = workspace.editorUri(uri);
    changes[shown] ??= [];
    changes[shown].push({ range, newText: newName });
  };
  for (const { policy, occurrence } of places)
    if (!(await isInFolder(occurrence, paths, workspace)))
      edit(policy.uri, rangeBetween(policy.source, occurrence.start, occurrence.end));
  const seen = new Set<string>();
  for (const path of paths) {
    const inFiles = [...(await dataPlaces(path, workspace.dataFiles)), ...(await schemaPlaces(path, workspace))];
    for (const { file, source, start, end } of inFiles) {
      if (seen.has(`${start} ${file.uri}`)) continue;
      seen.add(`${start} ${file.uri}`);
      edit(file.uri, rangeBetween(source, start, end));
    }
  }
  return { changes };
}

/**
 * Whether a name is that of a folder, with a file of documents that the ref goes on to: it keeps
 * its name where a package of the same name gets another one.
 */
async function isInFolder(
  { path, whole }: Occurrence,
  paths: readonly (readonly string[])[],
  workspace: Workspace,
): Promise<boolean> {
  if (path === undefined || whole === undefined || whole.length <= path.length) return false;
  const below = whole.slice(0, path.length + 1);
  if ([...workspace.names.definitions(below)].length > 0) return false;
  for (const each of paths) if ((await dataPlaces(each, workspace.dataFiles)).length > 0) return false;
  return (await dataPlaces(below, workspace.dataFiles)).length > 0;
}

/** Rejects a name that means something else at one of the places. */
function checkFree(
  { key, path, name }: Target,
  places: readonly PlacedOccurrence[],
  newName: string,
  workspace: Workspace,
): void {
  const taken = (policy: PolicyFile, { start }: Occurrence): never => {
    throw new RequestError(`${newName} is a name already: ${policy.name}:${policy.source.row(start)}`);
  };
  if (path !== undefined) {
    const renamedTo = [...path.slice(0, -1), newName];
    const first = [...workspace.names.placesOf(renamedTo)].find(({ occurrence }) => isStated(occurrence));
    if (first !== undefined) taken(first.policy, first.occurrence);
  }
  for (const { policy, occurrence } of places) {
    if (!isBare(policy, occurrence)) continue;
    const rule = ruleAround(policy, occurrence);
    for (const other of workspace.names.of(policy).occurrences) {
      if (other.key === key || other.key === occurrence.key || !isBare(policy, other)) continue;
      if (policy.text.slice(other.start, other.end).split('.')[0] !== newName) continue;
      const isNear = name?.kind !== 'local' || ruleAround(policy, other) === rule || other.role === 'import';
      if (isNear) taken(policy, other);
    }
  }
}

function isStated({ role }: Occurrence): boolean {
  return role === 'definition' || role === 'package' || role === 'prefix';
}

/** Whether a name stands alone, or first in a path: others with its name would be meant. */
export function isBare({ text }: PolicyFile, { start, isQuoted, role }: Occurrence): boolean {
  return isQuoted !== true && role !== 'package' && text[start - 1] !== '.';
}

function ruleAround({ module }: PolicyFile, { start }: Occurrence): number | undefined {
  return module?.rules.find(({ loc }) => start >= loc.start && start < loc.end)?.loc.start;
}
