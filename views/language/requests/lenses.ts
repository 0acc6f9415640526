/** Lenses above rules: evaluate, say why, debug, run a test; above packages coverage and plan. */

import type { CodeLens } from 'vscode-languageserver-types';
import { documentText, type Module, packageSegments, pathKeyText, type Rule } from '../../../compiler/index.js';
import { testsOf } from '../evaluation/tests.js';
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
  const path = packagePathText(module);
  const { loc } = module.package;
  const places = [
    { path, row: loc.row, range: rangeBetween(source, loc.start, loc.start + 'package'.length) },
    ...module.rules.filter(hasValue).map((rule) => ({
      path: `${path}${pathOfRule(rule)}`,
      row: rule.loc.row,
      range: rangeBetween(source, rule.loc.start, rule.loc.end),
    })),
  ];
  const tests = new Set(testsOf(policy).map(({ rule }) => rule));
  const testPlaces = module.rules
    .filter((rule) => tests.has(rule))
    .map((rule) => places.find(({ row }) => row === rule.loc.row)!);
  const lens = (title: string, command: string, at = places): CodeLens[] =>
    at.map(({ range, ...place }) => ({
      range,
      command: { title, command, arguments: [JSON.stringify({ ...place, target })] },
    }));
  // An editor with a list of tests has buttons of its own.
  const runs = client.initializationOptions.enableServerTesting !== true;
  const explores = client.initializationOptions.enableExplorer === true;
  const debugs = debugPort !== undefined && client.initializationOptions.enableDebugCodelens === true;
  return [
    ...lens('Evaluate', 'regal.eval'),
    ...lens('Why', 'writ.why'),
    ...(debugs ? lens('Debug', 'regal.debug') : []),
    ...(runs ? lens('Run test', 'writ.test', testPlaces) : []),
    ...(tests.size === 0 ? lens('Coverage', 'writ.coverage', places.slice(0, 1)) : []),
    ...(explores ? lens('Plan', 'regal.explorer', places.slice(0, 1)) : []),
  ];
}

/** A function has no value without arguments. */
function hasValue({ head }: Rule): boolean {
  return head.args === undefined;
}

/** `data.shop.authz` */
export function packagePathText(module: Module): string {
  return documentText(packageSegments(module));
}

/** The constant part of a rule's path. */
export function pathOfRule({ head }: Rule): string {
  let text = '';
  for (const [i, term] of head.ref.entries()) {
    const name = term.type === 'string' ? term.value : i === 0 && term.type === 'var' ? term.name : undefined;
    if (name === undefined) break;
    text += pathKeyText(name);
  }
  return text;
}
