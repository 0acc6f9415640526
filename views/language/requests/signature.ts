/** The signature of the function whose arguments are written at a place. */

import type { SignatureHelp } from 'vscode-languageserver-types';
import { type FunctionType, importName, packageSegments, typeOfBuiltin, typeText } from '../../../compiler/index.js';
import { typeOfDocument } from '../analysis/types-of-names.js';
import type { PolicyFile } from '../workspace/policy-file.js';
import type { Workspace } from '../workspace/workspace.js';
import { keysOf } from './commands.js';
import { placedRulesAt } from './hover.js';
import { offsetOf, type PositionParams, policyOf, type RequestFamily } from './request.js';

export const signature: RequestFamily = {
  capabilities: { signatureHelpProvider: { triggerCharacters: ['(', ','] } },
  requests: {
    'textDocument/signatureHelp': (context, params: PositionParams): SignatureHelp | null => {
      const policy = policyOf(context, params);
      const call = policy && callAround(policy.text, offsetOf(policy, params));
      const known = call && signatureOf(policy, call.name, context.workspace);
      if (!call || !known) return null;
      const { names, type } = known;
      const parameters = type.args.map((arg, i) => ({ label: `${names[i] ?? '_'}: ${typeText(arg)}` }));
      const result = type.result === undefined ? '' : ` -> ${typeText(type.result)}`;
      const label = `${call.name}(${parameters.map((each) => each.label).join(', ')})${result}`;
      const active = Math.min(call.argument, Math.max(0, parameters.length - 1));
      const activeParameter = { activeParameter: active };
      return { signatures: [{ label, parameters, ...activeParameter }], activeSignature: 0, ...activeParameter };
    },
  },
};

interface FoundCall {
  readonly name: string;
  /** The argument that the place is in, from 0. */
  readonly argument: number;
}

/** The most text before a place that is looked at. */
const mostText = 4000;

/** The innermost call whose parentheses are open at an offset. */
function callAround(text: string, offset: number): FoundCall | undefined {
  const before = text.slice(Math.max(0, offset - mostText), offset);
  const open: { at: number; commas: number }[] = [];
  for (const { 0: token, index } of before.matchAll(/"(?:[^"\\\n]|\\.)*"|`[^`]*`|#.*|[()[\]{},]/g)) {
    if (token === '(' || token === '[' || token === '{') open.push({ at: index, commas: 0 });
    else if (token === ')' || token === ']' || token === '}') open.pop();
    else if (token === ',' && open.length > 0) open.at(-1)!.commas++;
  }
  for (const { at, commas } of open.reverse()) {
    const [, name] = /([\p{L}_][\p{L}\w.]*)$/u.exec(before.slice(0, at)) ?? [];
    if (before[at] === '(' && name !== undefined) return { name, argument: commas };
  }
  return undefined;
}

interface KnownSignature {
  readonly names: readonly (string | undefined)[];
  readonly type: FunctionType;
}

/** The signature of a function by the name that a policy has for it. */
export function signatureOf(policy: PolicyFile, name: string, workspace: Workspace): KnownSignature | undefined {
  const path = pathOfName(policy, name, workspace);
  if (path === undefined) {
    const builtin = workspace.names.builtins.get(name);
    return builtin && { names: builtin.args.map((operand) => operand.name), type: typeOfBuiltin(builtin) };
  }
  const type = typeOfDocument(workspace.compiled, path);
  if (type?.kind !== 'function') return undefined;
  const args = placedRulesAt(path, workspace).find(({ rule }) => rule.head.args !== undefined)?.rule.head.args ?? [];
  const names = args.map((arg) => (arg.type === 'var' && !arg.name.startsWith('$') ? arg.name : undefined));
  return { names, type };
}

function pathOfName({ module }: PolicyFile, name: string, { names }: Workspace): readonly string[] | undefined {
  const [first = '', ...rest] = name.split('.');
  if (first === 'data') return ['data', ...keysOf(name)];
  const statement = module?.imports.find((each) => importName(each) === first);
  if (statement !== undefined) {
    const path = statement.path.terms.map((term) =>
      term.type === 'string' ? term.value : (term as { name: string }).name,
    );
    return [...path, ...rest];
  }
  if (module === undefined || !names.exportsOf(module).has(first)) return undefined;
  return ['data', ...packageSegments(module), first, ...rest];
}
