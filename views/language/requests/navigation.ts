/** Definitions, references and highlights. */

import type { DocumentHighlight, Location } from 'vscode-languageserver-types';
import type { PlacedOccurrence } from '../names/name-index.js';
import { anyKey, documentKey, type Occurrence } from '../names/symbol.js';
import type { PolicyFile } from '../workspace/policy-file.js';
import { rangeBetween } from '../workspace/positions.js';
import type { Workspace } from '../workspace/workspace.js';
import { offsetOf, type PositionParams, policyOf, type RequestContext, type RequestFamily } from './request.js';

interface ReferenceParams extends PositionParams {
  readonly context?: { readonly includeDeclaration?: boolean };
}

export const navigation: RequestFamily = {
  capabilities: { definitionProvider: true, referencesProvider: true, documentHighlightProvider: true },
  requests: {
    'textDocument/definition': (context, params: PositionParams) =>
      atName(context, params, (policy, name) => definitionsOf(policy, name, context.workspace)),
    'textDocument/references': (context, params: ReferenceParams) =>
      atName(context, params, (_policy, name) => {
        const withDeclarations = params.context?.includeDeclaration !== false;
        return [...placesOf(name, context.workspace)]
          .filter(({ occurrence }) => withDeclarations || !declares(occurrence))
          .map((place) => locationOf(place, context.workspace));
      }),
    'textDocument/documentHighlight': (context, params: PositionParams) =>
      atName(context, params, (policy, name) => highlightsOf(policy, name, context.workspace)),
  },
};

function atName<Result>(
  context: RequestContext,
  params: PositionParams,
  answer: (policy: PolicyFile, name: Occurrence) => Result,
): Result | null {
  const policy = policyOf(context, params);
  const name = policy && context.workspace.names.at(policy, offsetOf(policy, params));
  return policy && name ? answer(policy, name) : null;
}

/** The kinds of highlights: of texts, reads and writes. */
const highlightKinds = { read: 2, write: 3 } as const;

function highlightsOf(policy: PolicyFile, name: Occurrence, workspace: Workspace): DocumentHighlight[] {
  return (workspace.names.of(policy).byKey.get(name.key) ?? []).map((each) => ({
    range: rangeBetween(policy.source, each.start, each.end),
    kind: declares(each) ? highlightKinds.write : highlightKinds.read,
  }));
}

function declares({ role }: Occurrence): boolean {
  return role === 'definition' || role === 'declaration' || role === 'package';
}

/** All places of a name. */
export function placesOf({ key }: Occurrence, { names }: Workspace): Iterable<PlacedOccurrence> {
  return names.places(key);
}

function locationOf({ policy, occurrence }: PlacedOccurrence, workspace: Workspace): Location {
  return {
    uri: workspace.editorUri(policy.uri),
    range: rangeBetween(policy.source, occurrence.start, occurrence.end),
  };
}

/** Where a name is defined. */
function definitionsOf(policy: PolicyFile, name: Occurrence, workspace: Workspace): Location[] | null {
  const { names } = workspace;
  if (name.kind === 'local') {
    const places = names.of(policy).byKey.get(name.key) ?? [];
    const declaring = places.filter(declares);
    const found = declaring.length > 0 ? declaring : places.slice(0, 1);
    return found.map((occurrence) => locationOf({ policy, occurrence }, workspace));
  }
  const path = name.kind === 'alias' ? name.target : name.path;
  if (path === undefined) return null;
  const places = [...nearestDefinitions(path, workspace)];
  return places.length === 0 ? null : places.map((place) => locationOf(place, workspace));
}

/** The definitions of a document, or of the rule that makes the object that it is a part of. */
function nearestDefinitions(path: readonly string[], { names }: Workspace): readonly PlacedOccurrence[] {
  for (let length = path.length; length > 1; length--) {
    if (path[length - 1] === anyKey) continue;
    const found = [...names.definitions(path.slice(0, length))];
    if (found.length > 0) return found;
    const isPackage =
      names
        .places(documentKey(path.slice(0, length)))
        [Symbol.iterator]()
        .next().done !== true;
    if (!isPackage) return [];
  }
  return [];
}
