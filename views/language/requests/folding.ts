/** Parts of a text that can be folded, and those around a place, from small to large. */

import type { FoldingRange, Position, SelectionRange } from 'vscode-languageserver-types';
import { type Node, walk } from '../../../compiler/index.js';
import type { PolicyFile } from '../workspace/policy-file.js';
import { offsetAt, rangeBetween } from '../workspace/positions.js';
import { type DocumentParams, policyOf, type RequestFamily } from './request.js';

interface SelectionParams extends DocumentParams {
  readonly positions: readonly Position[];
}

export const folding: RequestFamily = {
  capabilities: { foldingRangeProvider: true, selectionRangeProvider: true },
  requests: {
    'textDocument/foldingRange': (context, params: DocumentParams): FoldingRange[] | null => {
      const policy = policyOf(context, params);
      return policy?.module === undefined ? null : foldsOf(policy);
    },
    'textDocument/selectionRange': (context, params: SelectionParams): SelectionRange[] | null => {
      const policy = policyOf(context, params);
      return policy === undefined ? null : params.positions.map((position) => around(policy, position));
    },
  },
};

/** Nodes that may take several lines. */
const foldable: ReadonlySet<string> = new Set([
  'rule',
  'array',
  'set',
  'object',
  'arraycomprehension',
  'setcomprehension',
  'objectcomprehension',
  'call',
]);

function foldsOf(policy: PolicyFile): FoldingRange[] {
  const module = policy.module!;
  const { source } = policy;
  const folds = new Map<string, FoldingRange>();
  const add = (start: number, end: number, kind?: FoldingRange['kind']): void => {
    const startLine = source.row(start) - 1;
    const endLine = source.row(Math.max(start, end - 1)) - 1;
    if (endLine > startLine) folds.set(`${startLine}`, { startLine, endLine, ...(kind && { kind }) });
  };
  walk(module, (node) => {
    if (node.type === 'module') return true;
    if (foldable.has(node.type)) add(node.loc.start, node.loc.end);
    if (node.type === 'expr' && node.kind === 'every') add(node.loc.start, node.loc.end);
    return true;
  });
  const { imports } = module;
  if (imports.length > 1) add(imports[0]!.loc.start, imports.at(-1)!.path.loc.end, 'imports');
  for (let i = 0; i < module.comments.length; ) {
    let last = i;
    while (module.comments[last + 1]?.loc.row === module.comments[last]!.loc.row + 1) last++;
    add(module.comments[i]!.loc.start, module.comments[last]!.loc.end, 'comment');
    i = last + 1;
  }
  return [...folds.values()].sort((a, b) => a.startLine - b.startLine);
}

function around({ source, module, text }: PolicyFile, position: Position): SelectionRange {
  const offset = offsetAt(source, position);
  const found: { start: number; end: number }[] = [{ start: 0, end: text.length }];
  const visit = (node: Node): boolean => {
    if (node.type === 'module') return true;
    const { start, end } = node.loc;
    if (start <= offset && offset <= end && end > start) found.push({ start, end });
    // Operators come before their node's text, so all are looked at.
    return true;
  };
  if (module !== undefined) walk(module, visit);
  found.sort((a, b) => b.end - b.start - (a.end - a.start));
  let selection: SelectionRange | undefined;
  let last: { start: number; end: number } | undefined;
  for (const each of found) {
    if (last !== undefined && (each.start < last.start || each.end > last.end)) continue;
    if (last !== undefined && each.start === last.start && each.end === last.end) continue;
    const range = rangeBetween(source, each.start, each.end);
    selection = selection === undefined ? { range } : { range, parent: selection };
    last = each;
  }
  return selection!;
}
