/** Tests of decisions: the rules of a policy, with the values that they have now. */

import type { TextDocumentEdit, WorkspaceEdit } from 'vscode-languageserver-types';
import type { Rule } from '../../../../compiler/index.js';
import {
  CompileErrors,
  FormatError,
  formatText,
  importName,
  isTestHead,
  nowhere,
  pathKeyText,
  plainName,
  printTerm,
} from '../../../../compiler/index.js';
import { termOfValue } from '../../../../engine/index.js';
import type { Value } from '../../../../values/index.js';
import { PolicyFile } from '../../workspace/policy-file.js';
import { wholeRange } from '../../workspace/positions.js';
import { pathText } from '../hover.js';
import { parsedArgument, type RequestContext, RequestError, type RequestFamily } from '../request.js';

/** The commands that make tests; code actions name them. */
export const testMakers = { ofRule: 'writ.makeTest', ofFile: 'regal.createTest' } as const;

export const makeTests: RequestFamily = {
  capabilities: {},
  requests: {},
  commands: {
    [testMakers.ofRule]: (context, [argument]) => make(context, argument, true),
    [testMakers.ofFile]: (context, [argument]) => make(context, argument, false),
  },
};

async function make(context: RequestContext, argument: unknown, isOfRule: boolean): Promise<unknown> {
  const { target, name } = parsedArgument(argument);
  const policy = typeof target === 'string' ? context.workspace.policy(target) : undefined;
  if (policy?.module === undefined) throw new RequestError('the command names no policy that is known');
  const names = isOfRule ? [String(name)] : testableRules(policy);
  if (names.length === 0) throw new RequestError(`${policy.name} has no rules whose value a test could compare`);
  const edit = await editOf(policy, names, context);
  await context.client.request('workspace/applyEdit', { label: `Tests of ${policy.name}`, edit });
  return {};
}

/** The name of a rule that has a value without arguments; undefined for others. */
export function testableName({ head }: Rule): string | undefined {
  const keys = head.ref.map((term, i) =>
    term.type === 'string' ? term.value : i === 0 && term.type === 'var' ? term.name : undefined,
  );
  const end = keys.indexOf(undefined);
  const [first, ...rest] = end < 0 ? keys : keys.slice(0, end);
  return head.args !== undefined || first === undefined
    ? undefined
    : first + rest.map((key) => pathKeyText(key!)).join('');
}

function testableRules({ module }: PolicyFile): readonly string[] {
  const rules = module!.rules.filter(({ head }) => !isTestHead(head));
  return [...new Set(rules.flatMap((rule) => testableName(rule) ?? []))];
}

async function editOf(policy: PolicyFile, names: readonly string[], context: RequestContext): Promise<WorkspaceEdit> {
  const { workspace, engine } = context;
  const uri = workspace.editorUri(policy.uri.replace(/(?:_test)?\.rego$/, '_test.rego'));
  const path = policy.module!.package.path.map((term) => (term.type === 'string' ? term.value : term.name));
  const known = workspace.policy(uri);
  const before = known?.text ?? (await workspace.host.read(uri));
  const isOwn = known === policy;
  const last = path.at(-1)!;
  const isImported = path.length > 1 && plainName.test(last);
  const start =
    before ??
    `package ${pathText(path).slice('data.'.length)}_test\n\n${isImported ? `import ${pathText(path)}\n` : ''}`;
  const { regoVersion } = policy;
  const module = (known ?? (before === undefined ? undefined : new PolicyFile(uri, '', before, { regoVersion })))
    ?.module;
  const statement = module?.imports.find((each) => pathOf(each.path.terms) === pathText(path));
  const prefix = isOwn
    ? ''
    : statement
      ? importName(statement)
      : before === undefined && isImported
        ? last
        : pathText(path);
  const input = engine.inputOf(policy);
  const taken = new Set([...start.matchAll(/^(test_\w+)/gm)].map(([name]) => name));
  let text = start;
  for (const name of names) {
    const keys = [...path.slice(1), ...keysOfName(name)];
    const { value, error } = await engine.evaluate(keys, input);
    if (error !== undefined) throw new RequestError(error);
    const ref = prefix === '' ? name : `${prefix}.${name}`;
    text = `${text.trimEnd()}\n\n${testText(freeName(name, taken), ref, value, input, regoVersion)}\n`;
  }
  const edit: TextDocumentEdit = {
    textDocument: { uri, version: workspace.openDocument(uri)?.version ?? null },
    edits: [{ range: wholeRange(before ?? ''), newText: formatted(policy, text) }],
  };
  return { documentChanges: before === undefined ? [{ kind: 'create', uri }, edit] : [edit] };
}

function pathOf(terms: readonly { readonly type: string }[]): string {
  return pathText(
    terms.map((term) => ('value' in term ? String(term.value) : String((term as { name?: string }).name))),
  );
}

/** The keys of a rule's name, as `testableName` writes it. */
function keysOfName(name: string): readonly string[] {
  return [...name.matchAll(/([^.["\]]+)|\["((?:[^"\\]|\\.)*)"\]/g)].map(([, plain, quoted]) =>
    plain === undefined ? (JSON.parse(`"${quoted}"`) as string) : plain,
  );
}

function freeName(rule: string, taken: Set<string>): string {
  const base = `test_${rule.replace(/\W+/g, '_').replace(/_$/, '')}`;
  let name = base;
  for (let i = 2; taken.has(name); i++) name = `${base}_${i}`;
  taken.add(name);
  return name;
}

function testText(
  name: string,
  ref: string,
  value: Value | undefined,
  input: Value | undefined,
  version: 'v0' | 'v1',
): string {
  const holds =
    value === undefined || value === false ? `not ${ref}` : value === true ? ref : `${ref} == ${valueText(value)}`;
  const given = input === undefined ? '' : ` with input as ${valueText(input)}`;
  return `${name} ${version === 'v0' ? '' : 'if '}{\n\t${holds}${given}\n}`;
}

function valueText(value: Value): string {
  return printTerm(termOfValue(value, nowhere, new Map()));
}

/** The formatted text; as it is where it has errors. */
function formatted({ name, regoVersion }: PolicyFile, text: string): string {
  try {
    return formatText(name, text, { regoVersion });
  } catch (error) {
    if (error instanceof CompileErrors || error instanceof FormatError) return text;
    throw error;
  }
}
