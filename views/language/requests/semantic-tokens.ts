/** Kinds of names, for colours: the editor's grammar does not know what a name stands for. */

import type { Range, SemanticTokensEdit } from 'vscode-languageserver-types';
import { typeOfDocument } from '../analysis/types-of-names.js';
import type { Occurrence } from '../names/symbol.js';
import type { PolicyFile } from '../workspace/policy-file.js';
import { offsetAt, rangeBetween } from '../workspace/positions.js';
import type { Workspace } from '../workspace/workspace.js';
import { type DocumentParams, type GivenTokens, policyOf, type RequestContext, type RequestFamily } from './request.js';

interface DeltaParams extends DocumentParams {
  readonly previousResultId: string;
}

interface RangeParams extends DocumentParams {
  readonly range: Range;
}

const tokenTypes = ['namespace', 'variable', 'import', 'keyword', 'function', 'property', 'parameter'] as const;
const tokenModifiers = ['declaration', 'definition', 'reference', 'defaultLibrary'] as const;

export const semanticTokens: RequestFamily = {
  capabilities: {
    semanticTokensProvider: { full: { delta: true }, range: true, legend: { tokenTypes, tokenModifiers } },
  },
  requests: {
    'textDocument/semanticTokens/full': (context, params: DocumentParams) => {
      const policy = policyOf(context, params);
      return policy === undefined ? null : remembered(policy, context);
    },
    'textDocument/semanticTokens/full/delta': (context, params: DeltaParams) => {
      const policy = policyOf(context, params);
      if (policy === undefined) return null;
      const before = context.tokens.get(policy.uri);
      const now = remembered(policy, context);
      if (before?.resultId !== params.previousResultId) return now;
      return { resultId: now.resultId, edits: editsBetween(before.data, now.data) };
    },
    'textDocument/semanticTokens/range': (context, { range, ...params }: RangeParams) => {
      const policy = policyOf(context, params);
      if (policy === undefined) return null;
      const { source } = policy;
      return { data: tokensOf(policy, context.workspace, offsetAt(source, range.start), offsetAt(source, range.end)) };
    },
  },
};

/** The tokens of a policy, which the next request may ask the difference to. */
function remembered(policy: PolicyFile, { workspace, tokens }: RequestContext): GivenTokens {
  const resultId = String(workspace.revision);
  const given = { resultId, data: tokensOf(policy, workspace, 0, policy.text.length) };
  tokens.set(policy.uri, given);
  return given;
}

/** One edit: the numbers between the first and the last that differ. */
function editsBetween(before: readonly number[], now: readonly number[]): readonly SemanticTokensEdit[] {
  const shorter = Math.min(before.length, now.length);
  let start = 0;
  while (start < shorter && before[start] === now[start]) start++;
  let same = 0;
  while (same < shorter - start && before.at(-1 - same) === now.at(-1 - same)) same++;
  const deleteCount = before.length - start - same;
  const data = now.slice(start, now.length - same);
  return deleteCount + data.length === 0 ? [] : [{ start, deleteCount, data: [...data] }];
}

/** Five numbers for each token, relative to the one before. */
function tokensOf(policy: PolicyFile, workspace: Workspace, from: number, to: number): number[] {
  const data: number[] = [];
  let last = { line: 0, character: 0 };
  let lastEnd = -1;
  for (const each of workspace.names.of(policy).occurrences) {
    const { start, end } = each;
    // Tokens must not overlap, and each is in one line.
    if (start < lastEnd || start < from || end > to || end <= start) continue;
    const range = rangeBetween(policy.source, start, end);
    if (range.start.line !== range.end.line) continue;
    const { line, character } = range.start;
    const [type, ...modifiers] = kindOf(each, workspace);
    const bits = modifiers.reduce((sum, name) => sum | (1 << tokenModifiers.indexOf(name)), 0);
    const isSameLine = line === last.line;
    data.push(line - last.line, isSameLine ? character - last.character : character, end - start);
    data.push(tokenTypes.indexOf(type), bits);
    last = range.start;
    lastEnd = end;
  }
  return data;
}

type Kind = readonly [(typeof tokenTypes)[number], ...(typeof tokenModifiers)[number][]];

function kindOf({ kind, role, path }: Occurrence, workspace: Workspace): Kind {
  if (kind === 'builtin') return ['function', 'defaultLibrary'];
  if (kind === 'alias') return ['import', role === 'declaration' ? 'declaration' : 'reference'];
  if (kind === 'local') return ['variable', role === 'declaration' ? 'declaration' : 'reference'];
  if (role === 'package') return ['namespace', 'declaration'];
  if (role === 'import') return ['import', 'reference'];
  const [first] = workspace.names.definitions(path!);
  const modifier = role === 'definition' ? 'definition' : 'reference';
  if (first?.occurrence.role === 'package') return ['namespace', modifier];
  if (first === undefined) return path!.length === 1 ? ['variable', modifier] : ['property', modifier];
  const isFunction = role === 'call' || typeOfDocument(workspace.compiled, path!)?.kind === 'function';
  return [isFunction ? 'function' : 'variable', modifier];
}
