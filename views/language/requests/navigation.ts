/** Definitions, references and highlights. */

import type { DocumentHighlight, Location, Range } from 'vscode-languageserver-types';
import { Source } from '../../../compiler/index.js';
import { schemaFields } from '../analysis/schema-fields.js';
import { dataPathAt, dataPlaces, filesInFolder, type PlacedKey, propertyPlaces } from '../names/data-names.js';
import type { PlacedOccurrence } from '../names/name-index.js';
import { anyKey, areAlike, documentKey, type Occurrence } from '../names/symbol.js';
import type { PolicyFile } from '../workspace/policy-file.js';
import { offsetAt, rangeBetween } from '../workspace/positions.js';
import type { Workspace } from '../workspace/workspace.js';
import { offsetOf, type PositionParams, policyOf, type RequestContext, type RequestFamily } from './request.js';

interface ReferenceParams extends PositionParams {
  readonly context?: { readonly includeDeclaration?: boolean };
}

export const navigation: RequestFamily = {
  capabilities: {
    definitionProvider: true,
    typeDefinitionProvider: true,
    referencesProvider: true,
    documentHighlightProvider: true,
    linkedEditingRangeProvider: true,
  },
  requests: {
    'textDocument/definition': async (context, params: PositionParams) => {
      const target = await targetAt(context, params);
      if (target === undefined) return null;
      const found = await definitionsOf(target, context.workspace);
      return found.length === 1 ? found[0] : orNull(found);
    },
    'textDocument/typeDefinition': async (context, params: PositionParams) => {
      const { workspace } = context;
      const target = await targetAt(context, params);
      if (target?.path === undefined) return null;
      const paths = [...workspace.names.pathsOf(target.path, false)];
      const described = await schemaKeys(paths, workspace);
      return orNull(described.length > 0 ? described : await fileKeys(paths, workspace));
    },
    'textDocument/references': async (context, params: ReferenceParams) => {
      const target = await targetAt(context, params);
      if (target === undefined) return null;
      const { workspace } = context;
      const withDeclarations = params.context?.includeDeclaration !== false;
      const paths = pathsOf(target, workspace);
      const places = [...placesOfTarget(target, workspace, paths)]
        .filter(({ occurrence }) => withDeclarations || !declares(occurrence))
        .map((place) => locationOf(place, workspace));
      return withDeclarations ? [...places, ...(await fileKeys(paths, workspace))] : places;
    },
    'textDocument/documentHighlight': (context, params: PositionParams) => {
      const policy = policyOf(context, params);
      const name = policy && context.workspace.names.at(policy, offsetOf(policy, params));
      return policy && name ? highlightsOf(policy, name, context.workspace) : null;
    },
    'textDocument/linkedEditingRange': (context, params: PositionParams) => {
      const policy = policyOf(context, params);
      const name = policy && context.workspace.names.at(policy, offsetOf(policy, params));
      return policy === undefined ? null : { ranges: linkedRanges(policy, name, context.workspace) };
    },
  },
};

function orNull<T>(list: readonly T[]): readonly T[] | null {
  return list.length === 0 ? null : list;
}

/** The thing at a position: a name of a policy, or the key of a document. */
export interface Target {
  readonly key: string;
  /** For documents. */
  readonly path: readonly string[] | undefined;
  readonly policy: PolicyFile | undefined;
  readonly name: Occurrence | undefined;
}

export async function targetAt(context: RequestContext, params: PositionParams): Promise<Target | undefined> {
  const { workspace } = context;
  const policy = policyOf(context, params);
  if (policy !== undefined) {
    const name = workspace.names.at(policy, offsetOf(policy, params));
    return name && { key: name.key, path: name.path, policy, name };
  }
  const file = workspace.dataFile(params.textDocument.uri);
  if (file === undefined) return undefined;
  const path = await dataPathAt(file, offsetAt(new Source(file.name, file.text), params.position));
  return path && { key: documentKey(path), path, policy: undefined, name: undefined };
}

/** The places of a variable, which change together while its name is typed; none of other names. */
function linkedRanges(policy: PolicyFile, name: Occurrence | undefined, { names }: Workspace): readonly Range[] {
  if (name?.kind !== 'local') return [];
  const places = names.of(policy).byKey.get(name.key) ?? [];
  return places.map(({ start, end }) => rangeBetween(policy.source, start, end));
}

/** `DocumentHighlightKind` of the protocol. */
const highlightKinds = { read: 2, write: 3 } as const;

function highlightsOf(policy: PolicyFile, name: Occurrence, workspace: Workspace): DocumentHighlight[] {
  const { path, key } = name;
  return workspace.names
    .of(policy)
    .occurrences.filter((each) => each.key === key || (path && each.path && areAlike(each.path, path)))
    .map((each) => ({
      range: rangeBetween(policy.source, each.start, each.end),
      kind: declares(each) ? highlightKinds.write : highlightKinds.read,
    }));
}

/** All paths of a document; none of other names. */
export function pathsOf({ path }: Target, { names }: Workspace, isWide = false): readonly (readonly string[])[] {
  return path === undefined ? [] : [...names.pathsOf(path, isWide)];
}

/** All places of a target in policies, each once. */
export function placesOfTarget(
  target: Target,
  workspace: Workspace,
  paths = pathsOf(target, workspace),
): Iterable<PlacedOccurrence> {
  if (target.path === undefined) return workspace.names.places(target.key);
  const found = new Set<Occurrence>();
  const places: PlacedOccurrence[] = [];
  for (const path of paths) {
    for (const place of workspace.names.placesOf(path)) {
      if (found.has(place.occurrence)) continue;
      found.add(place.occurrence);
      places.push(place);
    }
  }
  return places;
}

/** The keys of schemas that describe some documents. */
async function schemaKeys(paths: readonly (readonly string[])[], workspace: Workspace): Promise<Location[]> {
  const places = await Promise.all(paths.map((path) => schemaPlaces(path, workspace)));
  return places.flat().map((each) => keyLocation(each, workspace));
}

/** The places of a document's key in schemas. */
export async function schemaPlaces(path: readonly string[], workspace: Workspace): Promise<PlacedKey[]> {
  const found: PlacedKey[] = [];
  for (const { name, keys } of schemaFields(path, workspace.compiled)) {
    const file = name === undefined ? undefined : workspace.schemaFile(name);
    // The last key is the name only of a field that the schema has by its name.
    if (file !== undefined && keys.at(-1) === path.at(-1)) found.push(...(await propertyPlaces(file, keys)));
  }
  return found;
}

/** The keys of some documents in files. */
async function fileKeys(paths: readonly (readonly string[])[], workspace: Workspace): Promise<Location[]> {
  const found = new Map<string, Location>();
  for (const path of paths) {
    for (const each of await dataPlaces(path, workspace.dataFiles))
      found.set(`${each.start} ${each.file.uri}`, keyLocation(each, workspace));
  }
  return [...found.values()];
}

function declares({ role }: Occurrence): boolean {
  return role === 'definition' || role === 'prefix' || role === 'declaration' || role === 'package';
}

function locationOf({ policy, occurrence }: PlacedOccurrence, workspace: Workspace): Location {
  return {
    uri: workspace.editorUri(policy.uri),
    range: rangeBetween(policy.source, occurrence.start, occurrence.end),
  };
}

function keyLocation({ file, source, start, end }: PlacedKey, workspace: Workspace): Location {
  return { uri: workspace.editorUri(file.uri), range: rangeBetween(source, start, end) };
}

/** Where a name is defined: rules, packages, declarations of variables, and files of documents. */
async function definitionsOf({ name, policy, path }: Target, workspace: Workspace): Promise<readonly Location[]> {
  if (name?.kind === 'local' && policy !== undefined) {
    const places = workspace.names.of(policy).byKey.get(name.key) ?? [];
    const declaring = places.filter(declares);
    const found = declaring.length > 0 ? declaring : places.slice(0, 1);
    return found.map((occurrence) => locationOf({ policy, occurrence }, workspace));
  }
  const document = name?.target ?? path;
  if (document === undefined) return [];
  for (const each of workspace.names.pathsOf(document, false)) {
    const rules = nearestDefinitions(each, workspace);
    if (rules.length > 0) return rules.map((place) => locationOf(place, workspace));
    for (let length = each.length; length > 1; length--) {
      const keys = await fileKeys([each.slice(0, length)], workspace);
      if (keys.length > 0) return keys;
    }
    const prefixes = nearestPrefixes(each, workspace);
    if (prefixes.length > 0) return prefixes.map((place) => locationOf(place, workspace));
    const files = filesInFolder(each, workspace.dataFiles);
    if (files.length > 0) return files.map(({ uri }) => ({ uri: workspace.editorUri(uri), range: fileStart }));
  }
  return [];
}

const fileStart = { start: { line: 0, character: 0 }, end: { line: 0, character: 0 } };

/** The heads of rules that the path of a document begins with, and packages below it. */
function nearestPrefixes(path: readonly string[], { names }: Workspace): readonly PlacedOccurrence[] {
  for (let length = path.length; length > 1; length--) {
    const found = [...names.placesOf(path.slice(0, length))].filter(({ occurrence }) => occurrence.role === 'prefix');
    if (found.length > 0) return found;
  }
  return [];
}

/**
 * The rules or packages that define a document; for a part of the object that rules make, those
 * rules.
 */
function nearestDefinitions(path: readonly string[], { names }: Workspace): readonly PlacedOccurrence[] {
  for (let length = path.length; length > 1; length--) {
    if (path[length - 1] === anyKey) continue;
    const found = [...names.definitions(path.slice(0, length))];
    // A package has no parts but its rules and packages.
    if (length < path.length && found.some(({ occurrence }) => occurrence.role === 'package')) return [];
    if (found.length > 0) return found;
  }
  return [];
}
