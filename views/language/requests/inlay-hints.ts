/** Names of arguments, and types of variables, between the letters. */

import type { InlayHint, Range } from 'vscode-languageserver-types';
import { functionName, type Node, type RefTerm, type Term, typeText, walk } from '../../../compiler/index.js';
import { typeOfVariable } from '../analysis/types-of-names.js';
import type { PolicyFile } from '../workspace/policy-file.js';
import { offsetAt, rangeBetween } from '../workspace/positions.js';
import type { Workspace } from '../workspace/workspace.js';
import { type DocumentParams, policyOf, type RequestFamily } from './request.js';
import { signatureOf } from './signature.js';

interface HintParams extends DocumentParams {
  readonly range: Range;
}

/** `InlayHintKind` of the protocol. */
const hintKinds = { type: 1, parameter: 2 } as const;

export const inlayHints: RequestFamily = {
  capabilities: { inlayHintProvider: { resolveProvider: true } },
  requests: {
    'textDocument/inlayHint': (context, params: HintParams): InlayHint[] | null => {
      const policy = policyOf(context, params);
      if (policy?.module === undefined) return null;
      const start = offsetAt(policy.source, params.range.start);
      const end = offsetAt(policy.source, params.range.end);
      return [
        ...argumentHints(policy, start, end, context.workspace),
        ...typeHints(policy, start, end, context.workspace),
      ];
    },
    'inlayHint/resolve': (_context, hint: InlayHint) => hint,
  },
};

function argumentHints(policy: PolicyFile, start: number, end: number, workspace: Workspace): InlayHint[] {
  const hints: InlayHint[] = [];
  walk(policy.module!, (node: Node) => {
    if (node.type === 'module') return true;
    const isCall = node.type === 'call' || (node.type === 'expr' && node.kind === 'call');
    if (isCall && node.loc.start <= end && node.loc.end >= start) hints.push(...hintsOfCall(node, policy, workspace));
    return true;
  });
  return hints;
}

function hintsOfCall(
  { operator, args }: { readonly operator: RefTerm; readonly args: readonly Term[] },
  policy: PolicyFile,
  workspace: Workspace,
): InlayHint[] {
  const name = functionName(operator);
  // Infix operators show their operands by themselves.
  if (name === undefined || !/^[\p{L}_]/u.test(operator.loc.text)) return [];
  const known = signatureOf(policy, name, workspace);
  return args.flatMap((arg, i): InlayHint[] => {
    const label = known?.names[i];
    if (known === undefined || label === undefined || label === '' || arg.loc.text === label) return [];
    const type = typeText(known.type.args[i]);
    return [
      {
        kind: hintKinds.parameter,
        label: `${label}:`,
        paddingRight: true,
        position: rangeBetween(policy.source, arg.loc.start, arg.loc.start).start,
        tooltip: { kind: 'markdown', value: `\`${label}\` — ${type}` },
      },
    ];
  });
}

/** The types of variables where they get their values; types that are known for sure only. */
function typeHints(policy: PolicyFile, start: number, end: number, { names, compiled }: Workspace): InlayHint[] {
  return names.of(policy).occurrences.flatMap((each): InlayHint[] => {
    if (each.kind !== 'local' || each.role !== 'declaration' || each.start < start || each.end > end) return [];
    const type = typeOfVariable(compiled, policy.name, each);
    if (type === undefined || type.kind === 'any') return [];
    const text = typeText(type);
    if (text.length > longestType) return [];
    return [
      { kind: hintKinds.type, label: `: ${text}`, position: rangeBetween(policy.source, each.end, each.end).start },
    ];
  });
}

/** Longer types would push the text away; the hover shows them. */
const longestType = 40;
