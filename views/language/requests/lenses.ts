/** Lenses above rules: evaluate, say why, debug. */

import type { CodeLens } from 'vscode-languageserver-types';
import { keyText } from '../../../compiler/ast/names.js';
import type { Rule } from '../../../compiler/ast/nodes.js';
import type { PolicyFile } from '../workspace/policy-file.js';
import { rangeBetween } from '../workspace/positions.js';
import { type DocumentParams, policyOf, type RequestContext, type RequestFamily } from './request.js';

export const lenses: RequestFamily = {
  capabilities: { codeLensProvider: { resolveProvider: false } },
  requests: {
    'textDocument/codeLens': (context, params: DocumentParams): CodeLens[] | null => {
      const policy = policyOf(context, params);
      return policy?.module === undefined ? null : lensesOf(policy, context);
    },
  },
};

function lensesOf(policy: PolicyFile, { workspace, client, debugPort }: RequestContext): CodeLens[] {
  const { source } = policy;
  const module = policy.module!;
  const target = workspace.editorUri(policy.uri);
  const path = `data${module.package.path.map((term) => (term.type === 'string' ? keyText(term.value) : '')).join('')}`;
  const { loc } = module.package;
  const places = [
    { path, row: loc.row, range: rangeBetween(source, loc.start, loc.start + 'package'.length) },
    ...module.rules.filter(hasValue).map((rule) => ({
      path: `${path}${pathOfRule(rule)}`,
      row: rule.loc.row,
      range: rangeBetween(source, rule.loc.start, rule.loc.end),
    })),
  ];
  const lens = (title: string, command: string): CodeLens[] =>
    places.map(({ range, ...place }) => ({
      range,
      command: { title, command, arguments: [JSON.stringify({ ...place, target })] },
    }));
  const debugs = debugPort !== undefined && client.initializationOptions.enableDebugCodelens === true;
  return [
    ...lens('Evaluate', 'regal.eval'),
    ...lens('Why', 'writ.why'),
    ...(debugs ? lens('Debug', 'regal.debug') : []),
  ];
}

/** A function has no value without arguments. */
function hasValue({ head }: Rule): boolean {
  return head.args === undefined;
}

/** The constant part of a rule's path. */
function pathOfRule({ head }: Rule): string {
  let text = '';
  for (const [i, term] of head.ref.entries()) {
    const name = term.type === 'string' ? term.value : i === 0 && term.type === 'var' ? term.name : undefined;
    if (name === undefined) break;
    text += keyText(name);
  }
  return text;
}
