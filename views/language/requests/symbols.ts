/** The rules of a file, and those of the workspace by name. */

import type { DocumentSymbol, WorkspaceSymbol } from 'vscode-languageserver-types';
import { documentText, packageSegments, printRef, printTerm, type Rule, type Term } from '../../../compiler/index.js';
import type { PolicyFile } from '../workspace/policy-file.js';
import { rangeBetween } from '../workspace/positions.js';
import { type DocumentParams, policyOf, type RequestFamily } from './request.js';

export const symbolRequests: RequestFamily = {
  capabilities: { documentSymbolProvider: true, workspaceSymbolProvider: true },
  requests: {
    'textDocument/documentSymbol': (context, params: DocumentParams) => {
      const policy = policyOf(context, params);
      return policy?.module === undefined ? null : [packageSymbol(policy)];
    },
    'workspace/symbol': ({ workspace }, { query = '' }: { readonly query?: string }): WorkspaceSymbol[] =>
      [...workspace.policies].flatMap((policy) => {
        const uri = workspace.editorUri(policy.uri);
        return flat(policy.module === undefined ? [] : [packageSymbol(policy)])
          .filter(({ name }) => isMatch(name, query))
          .map(({ name, kind, range }) => ({ name, kind, location: { uri, range } }));
      }),
  },
};

function flat(found: readonly DocumentSymbol[]): DocumentSymbol[] {
  return found.flatMap((symbol) => [symbol, ...flat(symbol.children ?? [])]);
}

/** Whether the characters of a query are in a name, in their order. */
function isMatch(name: string, query: string): boolean {
  const lower = name.toLowerCase();
  let at = 0;
  for (const character of query.toLowerCase()) {
    at = lower.indexOf(character, at) + 1;
    if (at === 0) return false;
  }
  return true;
}

/** `SymbolKind` of the protocol. */
const symbolKinds = { package: 4, function: 12, variable: 13, boolean: 17, array: 18, object: 19 } as const;

function packageSymbol(policy: PolicyFile): DocumentSymbol {
  const module = policy.module!;
  const { source } = policy;
  const path = packageSegments(module);
  const first = module.package.path[1]?.loc ?? module.package.loc;
  const last = module.package.path.at(-1)!.loc;
  return {
    name: documentText(path),
    kind: symbolKinds.package,
    range: rangeBetween(source, 0, source.text.length),
    selectionRange: rangeBetween(source, first.start, last.end),
    children: groups(module.rules).map((rules) => ruleSymbol(rules, policy)),
  };
}

/** Rules of one name, in the order of the first. */
function groups(rules: readonly Rule[]): readonly (readonly [Rule, ...Rule[]])[] {
  return [...Map.groupBy(rules, ({ head }) => printRef(head.ref)).values()] as [Rule, ...Rule[]][];
}

function ruleSymbol(rules: readonly [Rule, ...Rule[]], policy: PolicyFile): DocumentSymbol {
  const symbolOf = (rule: Rule, name: string): DocumentSymbol => ({
    name,
    detail: kindOf(rule),
    kind: rule.head.args === undefined ? symbolKinds.variable : symbolKinds.function,
    range: rangeBetween(policy.source, rule.loc.start, rule.loc.end),
    selectionRange: rangeBetween(policy.source, rule.head.ref[0].loc.start, rule.head.ref[0].loc.end),
  });
  const [first] = rules;
  const name = printRef(first.head.ref);
  if (rules.length === 1) return symbolOf(first, name);
  const last = rules.at(-1)!;
  return {
    ...symbolOf(first, name),
    range: rangeBetween(policy.source, first.loc.start, last.loc.end),
    children: rules.map((rule, i) => symbolOf(rule, `#${i + 1}`)),
  };
}

function kindOf({ head }: Rule): string {
  if (head.args !== undefined) return `function(${head.args.map(printTerm).join(', ')})`;
  if (head.value === undefined) return 'multi-value rule';
  const type = valueTypes[head.value.type];
  return type === undefined ? 'single-value rule' : `single-value rule (${type})`;
}

/** The types of values by their terms. */
const valueTypes: Partial<Record<Term['type'], string>> = {
  boolean: 'boolean',
  number: 'number',
  string: 'string',
  null: 'null',
  array: 'array',
  arraycomprehension: 'array',
  object: 'object',
  objectcomprehension: 'object',
  set: 'set',
  setcomprehension: 'set',
  templatestring: 'string',
};
