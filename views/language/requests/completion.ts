/** Words that may follow at a place. */

import type { CompletionItem } from 'vscode-languageserver-types';
import type { CompiledRule } from '../../../compiler/index.js';
import {
  importName,
  packageSegments,
  pathKeyText,
  plainName,
  signatureText,
  typeOfBuiltin,
  typeText,
} from '../../../compiler/index.js';
import { isPlainObject, type Value } from '../../../values/index.js';
import { compiledRuleAt, schemaFieldFor } from '../analysis/schema-fields.js';
import { typeOfDocument, typeOfVariable } from '../analysis/types-of-names.js';
import { documentOf, documentsOf, givenValueAt, isInput } from '../lint/documents.js';
import { anyKey, isNamed, resultKey } from '../names/symbol.js';
import { importedPath, pathBefore, stepsOf } from '../names/written-paths.js';
import { keywordTexts } from '../syntax/keywords.js';
import { statementsOf } from '../syntax/statements.js';
import type { PolicyFile } from '../workspace/policy-file.js';
import { rangeBetween } from '../workspace/positions.js';
import type { Workspace } from '../workspace/workspace.js';
import { type ComparedPlace, comparisonAt, expectedValues } from './expected-values.js';
import { aboutBuiltin, aboutDocument, pathText } from './hover.js';
import { offsetOf, type PositionParams, policyOf, type RequestContext, type RequestFamily } from './request.js';

/** `CompletionItemKind` of the protocol. */
const kinds = { function: 3, field: 5, variable: 6, module: 9, keyword: 14, snippet: 15, value: 20 } as const;

/** `InsertTextFormat` of a text with places to fill in. */
const isSnippet = 2;

export const completion: RequestFamily = {
  capabilities: {
    completionProvider: {
      triggerCharacters: [':', '.', '"'],
      resolveProvider: true,
      completionItem: { labelDetailsSupport: true },
    },
  },
  requests: {
    'textDocument/completion': (context, params: PositionParams) => {
      const policy = policyOf(context, params);
      if (policy === undefined) return null;
      return { isIncomplete: true, items: itemsAt(policy, offsetOf(policy, params), context) };
    },
    'completionItem/resolve': async ({ workspace }, item: CompletionItem): Promise<CompletionItem> => {
      const { builtin, path } = (item.data ?? {}) as { readonly builtin?: string; readonly path?: readonly string[] };
      const text =
        builtin !== undefined
          ? await aboutBuiltin(builtin, workspace)
          : path !== undefined
            ? aboutDocument(path, workspace)
            : undefined;
      return text === undefined ? item : { ...item, documentation: { kind: 'markdown', value: text } };
    },
  },
};

/** A word that may follow, before it is known where it goes. */
interface Offer {
  readonly label: string;
  readonly kind: number;
  readonly detail?: string;
  /** The text to insert, where it is not the label. */
  readonly text?: string;
  /** The text with places to fill in, for editors that know such. */
  readonly snippet?: string;
  readonly data?: unknown;
  readonly documentation?: string;
  /** The order: locals, names of the file, names of others, keywords. */
  readonly rank: number;
}

function itemsAt(policy: PolicyFile, offset: number, context: RequestContext): CompletionItem[] {
  const { text, source } = policy;
  const lineStart = text.lastIndexOf('\n', offset - 1) + 1;
  const line = text.slice(lineStart, offset);
  const comment = /^\s*#\s*([\w]*)$/.exec(line);
  const schema = /^\s*#\s*-\s*[^\s:]+:\s*([\w.]*)$/.exec(line);
  const compared = comparisonAt(policy, offset);
  const isInText = compared?.written.startsWith('"') === true;
  const word = (comment ?? schema)?.[1] ?? (isInText ? compared.written : pathBefore(line));
  const offers = schema
    ? schemaNames(context.workspace)
    : comment
      ? metadataKeys(policy, lineStart)
      : comparedOr(compared, policy, offset, context, () =>
          isInText ? [] : offersAt(policy, offset, line, word, context),
        );
  const end = isInText && text[offset] === '"' ? offset + 1 : offset;
  const range = rangeBetween(source, offset - word.length, end);
  const takesSnippets = hasSnippets(context) && text[offset] !== '(';
  const lower = word.toLowerCase();
  // A key that is no name takes the place of the dot.
  const bracketed = lower.endsWith('.') ? `${lower.slice(0, -1)}[` : undefined;
  const seen = new Set<string>();
  const items: CompletionItem[] = [];
  for (const offer of offers) {
    const isBracketed = bracketed !== undefined && offer.label.toLowerCase().startsWith(bracketed);
    const fits = isBracketed || offer.label.toLowerCase().startsWith(lower);
    if (!fits || offer.label === word || seen.has(offer.label)) continue;
    seen.add(offer.label);
    const { label, kind, detail, data, documentation, rank } = offer;
    const snippet = takesSnippets ? offer.snippet : undefined;
    items.push({
      label,
      kind: kind as CompletionItem['kind'] & number,
      ...(detail !== undefined && { detail }),
      ...(data !== undefined && { data }),
      ...(documentation !== undefined && { documentation: { kind: 'markdown' as const, value: documentation } }),
      sortText: `${rank}${label}`,
      ...(isBracketed && { filterText: word + label.slice(word.length) }),
      ...(snippet !== undefined && { insertTextFormat: isSnippet }),
      textEdit: { range, newText: snippet ?? offer.text ?? label },
    });
    if (items.length >= mostItems) break;
  }
  return items;
}

/** The values of a comparison, and then other words. */
function* comparedOr(
  compared: ComparedPlace | undefined,
  policy: PolicyFile,
  offset: number,
  { workspace }: RequestContext,
  others: () => Iterable<Offer>,
): Iterable<Offer> {
  for (const { text, by } of compared ? expectedValues(policy, offset, compared, workspace) : [])
    yield { label: text, kind: kinds.value, detail: `value by ${by}`, rank: 0 };
  yield* others();
}

/** The schemas of the workspace, as METADATA names them. */
function* schemaNames({ schemaNames: names }: Workspace): Iterable<Offer> {
  for (const name of names) yield { label: name, kind: kinds.field, detail: 'schema of the workspace', rank: 0 };
}

/** The most items: the editor asks again with the next letter. */
const mostItems = 500;

function hasSnippets({ client }: RequestContext): boolean {
  const { textDocument } = client.capabilities as {
    readonly textDocument?: {
      readonly completion?: { readonly completionItem?: { readonly snippetSupport?: boolean } };
    };
  };
  return textDocument?.completion?.completionItem?.snippetSupport === true;
}

function* offersAt(
  policy: PolicyFile,
  offset: number,
  line: string,
  word: string,
  { workspace }: RequestContext,
): Iterable<Offer> {
  const before = line.slice(0, line.length - word.length);
  if (/"(?:[^"\\]|\\.)*$/.test(before.replace(/"(?:[^"\\]|\\.)*"/g, ''))) return;
  if (/^import\s+$/.test(before)) return yield* importable(policy, workspace);
  if (/^package\s+$/.test(before)) return yield* packageNames(policy);
  if (word === line) return yield* heads(policy, workspace);
  yield* fieldsBelow(policy, offset, word, workspace);
  if (word.startsWith('input.')) return yield* inputFields(word, workspace);
  if (word.startsWith('data.')) return yield* documentsBelow(['data'], 'data', workspace);
  const [first, dot] = /^(\w+)(\.)?/.exec(word)?.slice(1) ?? [];
  const imported = policy.module?.imports.find((each) => importName(each) === first);
  if (dot !== undefined && imported !== undefined) {
    const path = importedPath(imported);
    if (path[0] === 'data') yield* documentsBelow(path, first!, workspace);
    return;
  }
  if (dot === undefined) {
    yield* locals(policy, offset);
    yield* ownRules(policy, workspace);
    yield* imports(policy, workspace);
  }
  yield* builtinsOf(workspace);
  if (dot !== undefined) return;
  yield { label: 'input', kind: kinds.variable, rank: 3 };
  yield { label: 'data', kind: kinds.variable, rank: 3 };
  for (const name of Object.keys(keywordTexts)) yield { label: name, kind: kinds.keyword, detail: 'keyword', rank: 4 };
}

/** Variables of the statement, as far as its text before the place shows. */
function* locals({ text }: PolicyFile, offset: number): Iterable<Offer> {
  const statement = statementsOf(text).findLast(({ start }) => start <= offset);
  const before = text.slice(statement?.start ?? 0, offset);
  const names = new Set<string>();
  const add = (list: string): void => {
    for (const [name] of list.matchAll(/[A-Za-z_]\w*/g)) if (!Object.hasOwn(keywordTexts, name)) names.add(name);
  };
  for (const [, list = ''] of before.matchAll(/\b(?:some|every)\s+([\w\s,[\]{}":]+?)(?=\s+in\b|[\n;}]|$)/g)) add(list);
  for (const [, list = ''] of before.matchAll(/([\w,[\]\s]*?)\s*:=/g))
    add(/[\w,[\]\s]*$/.exec(list)![0].split('\n').at(-1)!);
  const [, args] = /^(?:default\s+)?[\w.]+\(([^)]*)\)/.exec(before) ?? [];
  if (args !== undefined) add(args);
  for (const name of names) yield { label: name, kind: kinds.variable, detail: 'local variable', rank: 0 };
}

function* ownRules({ module }: PolicyFile, workspace: Workspace): Iterable<Offer> {
  if (module === undefined) return;
  const path = ['data', ...packageSegments(module)];
  for (const name of workspace.names.exportsOf(module)) yield documentOffer([...path, name], name, workspace, 1);
}

function* imports({ module }: PolicyFile, workspace: Workspace): Iterable<Offer> {
  for (const statement of module?.imports ?? []) {
    const name = importName(statement);
    const path = importedPath(statement);
    if (path[0] !== 'data' && path[0] !== 'input') continue;
    yield { label: name, kind: kinds.module, detail: `import ${pathText(path)}`, data: { path }, rank: 1 };
    if (path[0] === 'data') yield* documentsBelow(path, name, workspace);
  }
}

/** The fields of the document before the last dot, by its type, its schema, and its readers. */
function* fieldsBelow(policy: PolicyFile, offset: number, word: string, workspace: Workspace): Iterable<Offer> {
  const dot = word.lastIndexOf('.');
  if (dot < 0) return;
  const before = word.slice(0, dot);
  const at = workspace.names.at(policy, offset - word.length + dot);
  const rule = ruleBefore(policy, offset, workspace);
  const path = at?.path ?? at?.value ?? stepsOf(before, policy);
  const isLocal = at?.kind === 'local' && dot === before.length;
  const type = isLocal
    ? typeOfVariable(workspace.compiled, policy.name, at)
    : path && isNamed(path) && typeOfDocument(workspace.compiled, path, rule);
  if (type && type.kind === 'object') {
    for (const { key, type: own } of type.fixed) {
      if (typeof key !== 'string' || !plainName.test(key)) continue;
      const field = path && rule && schemaFieldFor([...path, key], rule, workspace.compiled);
      const about = field?.schema.description;
      yield {
        label: `${before}.${key}`,
        kind: kinds.field,
        detail: typeText(own),
        ...(typeof about === 'string' && { documentation: about }),
        rank: 0,
      };
    }
  }
  if (path === undefined || /^(?:input|data)[\w.]*$/.test(word)) return;
  for (const each of workspace.names.pathsOf([...path, ''], false)) {
    if (!isNamed(each)) continue;
    const value = givenValueAt(each.slice(0, -1), workspace.dataFiles)?.value;
    yield* fieldsOf(value, before, 'a data file', 1);
  }
}

/** The compiled rule at a place, or the last one before it: a line in the making is in none. */
function ruleBefore({ name }: PolicyFile, offset: number, { compiled }: Workspace): CompiledRule | undefined {
  return (
    compiledRuleAt(compiled, name, offset) ??
    compiled.modules.get(name)?.rules.findLast(({ rule }) => rule.loc.start <= offset)
  );
}

function documentOffer(path: readonly string[], label: string, workspace: Workspace, rank: number): Offer {
  const type = typeOfDocument(workspace.compiled, path);
  if (type?.kind !== 'function')
    return {
      label,
      kind: kinds.variable,
      detail: type === undefined || type.kind === 'any' ? 'reference' : typeText(type),
      data: { path },
      rank,
    };
  const places = type.args.map((_, i) => `\${${i + 1}}`).join(', ');
  const detail = `function${signatureText(type, true)}`;
  return { label, kind: kinds.function, detail, snippet: `${label}(${places})`, data: { path }, rank };
}

/** The rules and packages below a path, under the name that the file has for it. */
function* documentsBelow(path: readonly string[], name: string, workspace: Workspace): Iterable<Offer> {
  const seen = new Set<string>();
  for (const policy of workspace.policies) {
    for (const { role, path: found } of workspace.names.of(policy).occurrences) {
      if ((role !== 'definition' && role !== 'package') || found === undefined || found.length <= path.length) continue;
      if (found.some((key) => key === anyKey || key === resultKey) || path.some((key, i) => found[i] !== key)) continue;
      const label = name + found.slice(path.length).map(pathKeyText).join('');
      if (seen.has(label)) continue;
      seen.add(label);
      yield documentOffer(found, label, workspace, 2);
    }
  }
  const documents = documentsOf(workspace.dataFiles);
  yield* fieldsOf(descendTo(documents, path.slice(1)), name, 'a data file');
}

function descendTo(value: Value | undefined, keys: readonly string[]): Value | undefined {
  let at = value;
  for (const key of keys) at = isPlainObject(at) && Object.hasOwn(at, key) ? at[key] : undefined;
  return at;
}

/** Levels of fields that are shown at once. */
const mostLevels = 3;

/** The fields of a value, and the fields of those. */
function* fieldsOf(value: Value | undefined, name: string, where: string, levels = mostLevels): Iterable<Offer> {
  if (!isPlainObject(value) || levels === 0) return;
  for (const [key, inner] of Object.entries(value)) {
    const label = `${name}${pathKeyText(key)}`;
    yield { label, kind: kinds.variable, detail: kindOf(inner), documentation: `(inferred from ${where})`, rank: 2 };
    yield* fieldsOf(inner, label, where, levels - 1);
  }
}

function kindOf(value: Value): string {
  if (value === null) return 'null';
  if (Array.isArray(value)) return 'array';
  return typeof value === 'object' ? 'object' : typeof value;
}

/** Fields of the inputs that are there, and those that policies read. */
function* inputFields(word: string, workspace: Workspace): Iterable<Offer> {
  for (const file of workspace.dataFiles) {
    if (!isInput(file)) continue;
    yield* fieldsOf(documentOf(file), 'input', `[\`${file.name}\`](${workspace.editorUri(file.uri)})`);
  }
  for (const policy of workspace.policies) {
    for (const { path } of workspace.names.of(policy).occurrences) {
      if (path?.[0] !== 'input' || path.length < 2 || path.includes(anyKey)) continue;
      const label = pathText(path);
      if (label !== word) yield { label, kind: kinds.variable, detail: `read in ${policy.name}`, rank: 3 };
    }
  }
}

function* builtinsOf({ names }: Workspace): Iterable<Offer> {
  for (const name of names.builtins.names) {
    if (name.startsWith('internal.')) continue;
    yield {
      label: name,
      kind: kinds.function,
      detail: 'built-in function',
      get snippet() {
        const { args } = typeOfBuiltin(names.builtins.get(name)!);
        const operands = names.builtins.get(name)!.args;
        return `${name}(${args.map((_, i) => `\${${i + 1}:${operands[i]?.name ?? ''}}`).join(', ')})`;
      },
      data: { builtin: name },
      rank: 3,
    };
  }
}

function* importable({ module }: PolicyFile, workspace: Workspace): Iterable<Offer> {
  for (const path of ['data', 'input', 'rego.v1', 'future.keywords'])
    yield { label: path, kind: kinds.module, rank: 5 };
  const seen = new Set<string>();
  for (const { module: other } of workspace.policies) {
    const path = other === undefined ? [] : ['data', ...packageSegments(other)];
    const label = pathText(path);
    if (path.length < 2 || other?.package === module?.package || seen.has(label)) continue;
    seen.add(label);
    yield { label, kind: kinds.module, detail: 'package', data: { path }, rank: 1 };
  }
  yield* documentsBelow(['data'], 'data', workspace);
}

/** The path of the file's folders is what the linter expects. */
function* packageNames({ name }: PolicyFile): Iterable<Offer> {
  const folders = name.split('/').slice(0, -1);
  const base = name
    .split('/')
    .at(-1)!
    .replace(/\.rego$/, '');
  for (const path of [folders, [base], [...folders, base]])
    if (path.length > 0 && path.every((part) => /^[A-Za-z_]\w*$/.test(part)))
      yield { label: path.join('.'), kind: kinds.module, detail: 'suggested by the path of the file', rank: 1 };
}

/** Words at the beginning of a line: rules again, their defaults, and statements. */
function* heads({ module }: PolicyFile, workspace: Workspace): Iterable<Offer> {
  const rules = new Map((module?.rules ?? []).map((rule) => [rule.head.ref[0].loc.text, rule]));
  const defaults = new Set(module?.rules.flatMap((rule) => (rule.default ? [rule.head.ref[0].loc.text] : [])));
  for (const [name] of rules) {
    yield { label: name, kind: kinds.variable, detail: 'rule of this file', rank: 0 };
    if (!defaults.has(name))
      yield {
        label: `default ${name} := <value>`,
        kind: kinds.keyword,
        detail: `add default assignment for ${name} rule`,
        text: `default ${name} := `,
        rank: 1,
      };
  }
  for (const name of module === undefined ? [] : workspace.names.exportsOf(module))
    yield { label: name, kind: kinds.variable, detail: 'rule of this package', rank: 1 };
  for (const name of ['allow', 'deny'])
    yield { label: name, kind: kinds.snippet, detail: 'common rule name', text: `${name} `, rank: 2 };
  for (const name of ['default', 'import', 'package'])
    yield { label: name, kind: kinds.keyword, detail: keywordTexts[name]!, text: `${name} `, rank: 3 };
}

/** Keys of metadata, in a comment below `# METADATA`. */
function* metadataKeys({ text }: PolicyFile, lineStart: number): Iterable<Offer> {
  const above = text.slice(0, lineStart).split('\n').slice(0, -1);
  const first = above.findLastIndex((line) => !/^\s*#/.test(line));
  if (!above.slice(first + 1).some((line) => /^\s*#\s*METADATA\s*$/.test(line))) {
    yield { label: 'METADATA', kind: kinds.keyword, detail: 'metadata of the next rule', rank: 0 };
    return;
  }
  const keys = [
    'title',
    'description',
    'scope',
    'entrypoint',
    'authors',
    'organizations',
    'related_resources',
    'schemas',
    'custom',
  ];
  for (const key of keys) yield { label: key, kind: kinds.field, detail: 'key of metadata', text: `${key}: `, rank: 0 };
}
