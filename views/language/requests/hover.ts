/** The text beside the pointer: a name with its signature or type, its comments, its value. */

import type { Hover } from 'vscode-languageserver-types';
import type { Annotations, CompiledRule, Rule, Type } from '../../../compiler/index.js';
import { pathKeyText, printTerm, signatureText, typeOfBuiltin, typeText } from '../../../compiler/index.js';
import { compiledRuleAt, type SchemaField, schemaFieldFor } from '../analysis/schema-fields.js';
import { typeOfDocument, typeOfVariable } from '../analysis/types-of-names.js';
import { givenValueAt } from '../lint/documents.js';
import { anyKey, isNamed, type Occurrence, resultKey, rootText } from '../names/symbol.js';
import { keywordTexts } from '../syntax/keywords.js';
import { isQuoted } from '../syntax/statements.js';
import type { PolicyFile } from '../workspace/policy-file.js';
import { rangeBetween } from '../workspace/positions.js';
import type { Workspace } from '../workspace/workspace.js';
import { offsetOf, type PositionParams, policyOf, type RequestFamily } from './request.js';

export const hover: RequestFamily = {
  capabilities: { hoverProvider: true },
  requests: {
    'textDocument/hover': async (context, params: PositionParams): Promise<Hover | null> => {
      const { workspace } = context;
      const policy = policyOf(context, params);
      if (policy === undefined) return null;
      const offset = offsetOf(policy, params);
      const name = workspace.names.at(policy, offset);
      const found =
        name === undefined
          ? (languageImportAt(policy, offset) ?? keywordAt(policy, offset))
          : await described(policy, name, workspace);
      if (found === undefined) return null;
      const { start, end } = found;
      return { contents: { kind: 'markdown', value: found.text }, range: rangeBetween(policy.source, start, end) };
    },
  },
};

interface Described {
  readonly start: number;
  readonly end: number;
  readonly text: string;
}

function keywordAt({ text }: PolicyFile, offset: number): Described | undefined {
  const start = /\w*$/.exec(text.slice(Math.max(0, offset - 40), offset))![0].length;
  const [word] = /^\w*/.exec(text.slice(offset - start))!;
  const about = Object.hasOwn(keywordTexts, word) ? keywordTexts[word] : undefined;
  if (about === undefined || isQuoted(text, offset)) return undefined;
  return { start: offset - start, end: offset - start + word.length, text: `**${word}**\n\n${about}` };
}

/** An import that names no document: it chooses the language of the file. */
function languageImportAt({ module, regoVersion }: PolicyFile, offset: number): Described | undefined {
  const found = module?.imports.find(({ path: { loc } }) => loc.start <= offset && offset <= loc.end);
  if (found === undefined) return undefined;
  const { loc } = found.path;
  const chosen = loc.text === 'rego.v1' ? 'version 1 of the language' : 'keywords of version 1 of the language';
  const noted = regoVersion === 'v1' ? ' Files of version 1 need no such import.' : '';
  return { start: loc.start, end: loc.end, text: `${code(loc.text)}\n\nThe file is written with ${chosen}.${noted}` };
}

async function described(policy: PolicyFile, name: Occurrence, workspace: Workspace): Promise<Described> {
  const { start, end } = name;
  return { start, end, text: await textOf(policy, name, workspace) };
}

async function textOf(policy: PolicyFile, name: Occurrence, workspace: Workspace): Promise<string> {
  switch (name.kind) {
    case 'builtin':
      return await aboutBuiltin(name.name!, workspace);
    case 'local': {
      const type = typeOfVariable(workspace.compiled, policy.name, name);
      return code(`${name.name}${type === undefined ? '' : `: ${shownType(type)}`}`);
    }
    case 'alias':
      return aboutDocument(name.target!, workspace);
    case 'document': {
      const path = firstNamed(workspace.names.pathsOf(name.path!, false));
      return path === undefined
        ? code(pathText(name.path!))
        : aboutDocument(path, workspace, compiledRuleAt(workspace.compiled, policy.name, name.start));
    }
  }
}

function firstNamed(paths: Iterable<readonly string[]>): readonly string[] | undefined {
  for (const path of paths) if (isNamed(path)) return path;
  return undefined;
}

function code(text: string): string {
  return `\`\`\`rego\n${text}\n\`\`\``;
}

/** A path as policies write it. */
export function pathText([root = '', ...keys]: readonly string[]): string {
  const step = (key: string): string => (key === anyKey ? '[_]' : key === resultKey ? '(…)' : pathKeyText(key));
  return rootText(root) + keys.map(step).join('');
}

/** The signature of a built-in, what it does, an example, and the page that tells about it. */
export async function aboutBuiltin(name: string, { names }: Workspace): Promise<string> {
  const builtin = names.builtins.get(name);
  if (builtin === undefined) return code(name);
  const signature = `${name}${signatureText(typeOfBuiltin(builtin), true)}`;
  const operands = builtin.args.map((operand) => `- \`${operand.name}\``).join('\n');
  const page = `https://www.openpolicyagent.org/docs/policy-reference/#builtin-${name.replaceAll('.', '')}`;
  const deprecated = builtin.deprecated ? '\n\nDeprecated: version 1 of the language refuses it.' : '';
  const { guide } = await import('../../../values/builtins/guide.js');
  const told = guide.find((group) => Object.hasOwn(group.builtins, name))?.builtins[name];
  const does = told === undefined ? '' : `\n\n${told.does}`;
  const example = told === undefined || told.example.includes('input.') ? '' : `\n\n${code(told.example)}`;
  return `${code(signature)}${does}${example}\n\n[Built-in function](${page})${deprecated}${operands === '' ? '' : `\n\n${operands}`}`;
}

/** A package, a rule, a function, or a document that policies are given. */
export function aboutDocument(path: readonly string[], workspace: Workspace, reader?: CompiledRule): string {
  const rules = placedRulesAt(path, workspace);
  const type = typeOfDocument(workspace.compiled, path, reader);
  const parts = [code(headline(path, rules, type))];
  const field = reader && schemaFieldFor(path, reader, workspace.compiled);
  if (field !== undefined) parts.push(...schemaTexts(field, workspace));
  const blocks = rules.length > 0 ? rules.flatMap(({ rule }) => rule.annotations) : packageBlocks(path, workspace);
  parts.push(...new Set(blocks.map(annotationText).filter((text) => text !== '')));
  if (blocks.length === 0) parts.push(...rules.map(commentAbove).filter((text) => text !== ''));
  const fixed = rules.find(({ rule }) => rule.default);
  if (fixed?.rule.head.value) parts.push(`Default: \`${printTerm(fixed.rule.head.value)}\``);
  const given = rules.length > 0 ? undefined : givenValueAt(path, workspace.dataFiles);
  if (given !== undefined)
    parts.push(`${code(given.text)}\n\n[${given.file.name}](${workspace.editorUri(given.file.uri)})`);
  const inside = rules.length > 0 ? [] : rulesOfPackage(path, workspace);
  if (inside.length > 0) parts.push(inside.map((name) => `- \`${name}\``).join('\n'));
  return parts.join('\n\n');
}

/** The words of a schema about a field, and its file. */
function schemaTexts({ schema, name }: SchemaField, workspace: Workspace): string[] {
  const { title, description, enum: values } = schema;
  const file = name === undefined ? undefined : workspace.schemaFile(name);
  return [
    typeof title === 'string' ? `**${title}**` : '',
    typeof description === 'string' ? description : '',
    Array.isArray(values) ? `One of ${values.map((value) => `\`${JSON.stringify(value)}\``).join(', ')}` : '',
    file === undefined ? '' : `Schema: [${file.name}](${workspace.editorUri(file.uri)})`,
  ].filter((text) => text !== '');
}

export interface PlacedRule {
  readonly policy: PolicyFile;
  readonly rule: Rule;
}

/** The rules that define a document. */
export function placedRulesAt(path: readonly string[], { names }: Workspace): readonly PlacedRule[] {
  if (!isNamed(path)) return [];
  return [...names.definitions(path)].flatMap(({ policy, occurrence }) => {
    const rule = policy.module?.rules.find(({ loc }) => occurrence.start >= loc.start && occurrence.end <= loc.end);
    return occurrence.role === 'definition' && rule ? [{ policy, rule }] : [];
  });
}

function headline(path: readonly string[], rules: readonly PlacedRule[], type: Type | undefined): string {
  const text = pathText(path);
  if (type?.kind !== 'function')
    return type === undefined || type.kind === 'any' ? text : `${text}: ${shownType(type)}`;
  const args = rules.find(({ rule }) => rule.head.args !== undefined)?.rule.head.args ?? [];
  const written = args.map((arg) => (arg.type === 'var' && !arg.name.startsWith('$') ? arg.name : '_'));
  return `${text}${signatureText({ ...type, names: [...written, 'result'] }, true)}`;
}

/** The text of a type, or its beginning. */
function shownType(type: Type): string {
  const text = typeText(type);
  return text.length > longestType ? `${text.slice(0, longestType)}…` : text;
}

/** The most characters of a type that are shown: that of `data` has all rules of the workspace. */
const longestType = 400;

function packageBlocks(path: readonly string[], { names }: Workspace): readonly Annotations[] {
  return [...names.definitions(path)].flatMap(({ policy, occurrence }) =>
    occurrence.role === 'package'
      ? (policy.module?.annotations.filter(({ scope }) => scope === 'package' || scope === 'subpackages') ?? [])
      : [],
  );
}

function rulesOfPackage(path: readonly string[], { names }: Workspace): readonly string[] {
  const found = new Set<string>();
  for (const { policy, occurrence } of names.definitions(path)) {
    const own = policy.module?.package.path.at(-1)?.loc;
    // `package a.b` names `a` too, which has no rules by that.
    if (occurrence.role !== 'package' || own?.start !== occurrence.start) continue;
    for (const { head } of policy.module?.rules ?? []) if (head.ref[0].type === 'var') found.add(head.ref[0].name);
  }
  return [...found].sort().slice(0, mostNames);
}

/** The most names of a package that are shown. */
const mostNames = 40;

function annotationText({ title, description, entrypoint, authors, relatedResources }: Annotations): string {
  return [
    title === undefined ? '' : `**${title}**`,
    description ?? '',
    entrypoint ? 'An entrypoint.' : '',
    authors.map(({ name, email }) => (email === '' ? name : `${name} <${email}>`)).join(', '),
    relatedResources.map(({ ref, description: about }) => `[${about || ref}](${ref})`).join(', '),
  ]
    .filter((part) => part !== '')
    .join('\n\n');
}

/** The lines of comments just above a rule. */
function commentAbove({ policy, rule }: PlacedRule): string {
  const lines: string[] = [];
  for (let row = rule.loc.row - 1; row > 0; row--) {
    const [, text] = /^#\s?(.*)$/.exec(policy.source.line(row)) ?? [];
    if (text === undefined) break;
    lines.unshift(text);
  }
  return lines.join('\n').trim();
}
