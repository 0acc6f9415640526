/** The rules that read a rule, and those that it reads. */

import type { CallHierarchyItem, Range } from 'vscode-languageserver-types';
import type { PlacedOccurrence } from '../names/name-index.js';
import { areAlike, documentKey } from '../names/symbol.js';
import type { PolicyFile } from '../workspace/policy-file.js';
import { rangeBetween } from '../workspace/positions.js';
import type { Workspace } from '../workspace/workspace.js';
import { type PlacedRule, pathText, placedRulesAt } from './hover.js';
import { targetAt } from './navigation.js';
import { offsetOf, type PositionParams, policyOf, type RequestContext, type RequestFamily } from './request.js';

export const calls: RequestFamily = {
  capabilities: { callHierarchyProvider: true },
  requests: {
    'textDocument/prepareCallHierarchy': async (context, params: PositionParams) => {
      const { workspace } = context;
      const target = await targetAt(context, params);
      const path = (target?.path && headPath(target.path, workspace)) ?? headPathAround(context, params);
      const item = path && itemOf(path, workspace);
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
      // A field of a rule's value is read with the rule, which the text names before.
      const ruleOf = ({ occurrence: { path: read = [] } }: PlacedOccurrence) => {
        const head = headPath(read, workspace);
        return head && areAlike(head, read) ? head : undefined;
      };
      return grouped(places, ruleOf, workspace).map(({ item: to, ranges }) => ({ to, fromRanges: ranges }));
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

/** The path of the rule that defines a document, or the object that it is a field of. */
function headPath(path: readonly string[], workspace: Workspace): readonly string[] | undefined {
  const [first] = placedRulesAt(path, workspace);
  return first && pathOfRule(first.policy, first.rule, workspace);
}

/** The path of the rule whose head is around a position. */
function headPathAround(context: RequestContext, params: PositionParams): readonly string[] | undefined {
  const policy = policyOf(context, params);
  if (policy === undefined) return undefined;
  const offset = offsetOf(policy, params);
  const rule = ruleAround(policy, offset);
  const { ref } = rule?.head ?? {};
  const isInHead = ref !== undefined && offset >= ref[0].loc.start && offset <= ref.at(-1)!.loc.end;
  return rule && isInHead ? pathOfRule(policy, rule, context.workspace) : undefined;
}

/** The path of the rule that a place is in. */
function pathAround({ policy, occurrence }: PlacedOccurrence, workspace: Workspace): readonly string[] | undefined {
  return pathOfRule(policy, ruleAround(policy, occurrence.start), workspace);
}

/** The path of a rule: its head is the first that it defines. */
function pathOfRule(
  policy: PolicyFile,
  rule: PlacedRule['rule'] | undefined,
  { names }: Workspace,
): readonly string[] | undefined {
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
