/** The rules that read a rule, and those that it reads. */

import type { CallHierarchyItem, Range } from 'vscode-languageserver-types';
import type { PlacedOccurrence } from '../names/name-index.js';
import { documentKey } from '../names/symbol.js';
import type { PolicyFile } from '../workspace/policy-file.js';
import { rangeBetween } from '../workspace/positions.js';
import type { Workspace } from '../workspace/workspace.js';
import { type PlacedRule, pathText, placedRulesAt } from './hover.js';
import { targetAt } from './navigation.js';
import type { PositionParams, RequestContext, RequestFamily } from './request.js';

export const calls: RequestFamily = {
  capabilities: { callHierarchyProvider: true },
  requests: {
    'textDocument/prepareCallHierarchy': async (context, params: PositionParams) => {
      const target = await targetAt(context, params);
      const item = target?.path && itemOf(target.path, context.workspace);
      return item === undefined ? null : [item];
    },
    'callHierarchy/incomingCalls': ({ workspace }: RequestContext, { item }: { item: CallHierarchyItem }) => {
      const path = item.data as readonly string[];
      const places = [...workspace.names.placesOf(path)].filter(({ occurrence }) => isUse(occurrence.role));
      return grouped(places, (place) => pathAround(place, workspace), workspace).map(({ item: from, ranges }) => ({
        from,
        fromRanges: ranges,
      }));
    },
    'callHierarchy/outgoingCalls': ({ workspace }: RequestContext, { item }: { item: CallHierarchyItem }) => {
      const path = item.data as readonly string[];
      const places = placedRulesAt(path, workspace).flatMap(({ policy, rule }) =>
        workspace.names
          .of(policy)
          .occurrences.filter(({ start, end, role }) => isUse(role) && start >= rule.loc.start && end <= rule.loc.end)
          .map((occurrence): PlacedOccurrence => ({ policy, occurrence })),
      );
      const isRule = ({ occurrence }: PlacedOccurrence) =>
        placedRulesAt(occurrence.path ?? [], workspace).length > 0 ? occurrence.path : undefined;
      return grouped(places, isRule, workspace).map(({ item: to, ranges }) => ({ to, fromRanges: ranges }));
    },
  },
};

function isUse(role: string): boolean {
  return role === 'read' || role === 'call';
}

/** `SymbolKind` of the protocol. */
const symbolKinds = { function: 12, variable: 13 } as const;

function itemOf(path: readonly string[], workspace: Workspace): CallHierarchyItem | undefined {
  const [first] = placedRulesAt(path, workspace);
  if (first === undefined) return undefined;
  const { policy, rule } = first;
  return {
    name: pathText(path),
    kind: rule.head.args === undefined ? symbolKinds.variable : symbolKinds.function,
    uri: workspace.editorUri(policy.uri),
    range: rangeBetween(policy.source, rule.loc.start, rule.loc.end),
    selectionRange: rangeBetween(policy.source, rule.head.ref[0].loc.start, rule.head.ref[0].loc.end),
    data: path,
  };
}

/** The path of the rule that a place is in. */
function pathAround({ policy, occurrence }: PlacedOccurrence, { names }: Workspace): readonly string[] | undefined {
  const rule = ruleAround(policy, occurrence.start);
  const defined = names
    .of(policy)
    .occurrences.find(
      ({ role, start }) => role === 'definition' && rule && start >= rule.loc.start && start < rule.loc.end,
    );
  return defined?.path;
}

function ruleAround({ module }: PolicyFile, offset: number): PlacedRule['rule'] | undefined {
  return module?.rules.find(({ loc }) => offset >= loc.start && offset < loc.end);
}

interface Grouped {
  readonly item: CallHierarchyItem;
  readonly ranges: Range[];
}

function grouped(
  places: Iterable<PlacedOccurrence>,
  pathOf: (place: PlacedOccurrence) => readonly string[] | undefined,
  workspace: Workspace,
): readonly Grouped[] {
  const found = new Map<string, Grouped>();
  for (const place of places) {
    const path = pathOf(place);
    const item = path && itemOf(path, workspace);
    if (item === undefined || path === undefined) continue;
    const key = documentKey(path);
    const { policy, occurrence } = place;
    const range = rangeBetween(policy.source, occurrence.start, occurrence.end);
    const known = found.get(key);
    if (known) known.ranges.push(range);
    else found.set(key, { item, ranges: [range] });
  }
  return [...found.values()];
}
