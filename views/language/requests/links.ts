/** Links in comments: pages of the linter's rules, and addresses. */

import type { DocumentLink } from 'vscode-languageserver-types';
import { documentationOf } from '../../lint/frame/documentation.js';
import { rules } from '../../lint/rules/table.js';
import { rangeBetween } from '../workspace/positions.js';
import { type DocumentParams, policyOf, type RequestFamily } from './request.js';

export const links: RequestFamily = {
  capabilities: { documentLinkProvider: { resolveProvider: false } },
  requests: {
    'textDocument/documentLink': (context, params: DocumentParams): DocumentLink[] | null => {
      const policy = policyOf(context, params);
      return (
        policy?.module?.comments.flatMap(({ loc, text }) => {
          const offset = loc.start + 1;
          return [...ruleLinks(text), ...addresses(text)].map(({ at, length, target }) => ({
            range: rangeBetween(policy.source, offset + at, offset + at + length),
            target,
          }));
        }) ?? null
      );
    },
  },
};

interface FoundLink {
  readonly at: number;
  readonly length: number;
  readonly target: string;
}

/** The rules that a comment switches off. */
function ruleLinks(text: string): FoundLink[] {
  const [before, names] = /regal ignore:\s*(.*)$/.exec(text) ?? [];
  if (before === undefined || names === undefined) return [];
  const start = text.length - names.length;
  return [...names.matchAll(/[\w-]+/g)].flatMap(({ 0: name, index }): FoundLink[] => {
    const rule = rules.find((each) => each.name === name);
    const target = rule && documentationOf({ category: rule.category, rule: name });
    return target?.startsWith('http') ? [{ at: start + index, length: name.length, target }] : [];
  });
}

function addresses(text: string): FoundLink[] {
  return [...text.matchAll(/https?:\/\/[^\s"'<>)\]]+/g)].map(({ 0: target, index }) => ({
    at: index,
    length: target.length,
    target,
  }));
}
