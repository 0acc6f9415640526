/** Quick fixes of errors and findings. */

import type { CodeAction, Diagnostic, Range, TextEdit } from 'vscode-languageserver-types';
import type { Diagnostic as CompileDiagnostic, Hint } from '../../../../compiler/index.js';
import { hintsOf, mendOf, packageSegments } from '../../../../compiler/index.js';
import { fix } from '../../../lint/fix/fix.js';
import { allFixed, ruleEdits } from '../../lint/rule-edits.js';
import { withoutRule } from '../../lint/settings.js';
import type { PolicyFile } from '../../workspace/policy-file.js';
import { overlaps, rangeBetween, wholeRange } from '../../workspace/positions.js';
import type { Workspace } from '../../workspace/workspace.js';
import { errorsOf, placeOfError, placeOfFinding } from '../diagnostics/diagnostics.js';
import { editsTo } from '../formatting.js';
import { pathText } from '../hover.js';
import type { CommandHandler, DocumentParams, RequestContext, RequestFamily } from '../request.js';
import { parsedArgument, policyOf, RequestError } from '../request.js';
import { refactorings } from './refactorings.js';

interface ActionParams extends DocumentParams {
  readonly range: Range;
  readonly context?: { readonly diagnostics?: readonly Diagnostic[]; readonly only?: readonly string[] };
}

export const actions: RequestFamily = {
  capabilities: {
    codeActionProvider: {
      codeActionKinds: [
        'quickfix',
        'refactor',
        'refactor.extract',
        'refactor.rewrite',
        'source',
        'source.fixAll',
        'source.explore',
        'source.createTest',
      ],
    },
  },
  requests: {
    'textDocument/codeAction': async (context, params: ActionParams): Promise<CodeAction[] | null> => {
      const policy = policyOf(context, params);
      if (policy === undefined) return null;
      await context.lint.lintAlone(policy);
      const { only } = params.context ?? {};
      const found = [
        ...errorActions(policy, params, context),
        ...(await findingActions(policy, params, context)),
        ...refactorings(policy, params.range, context),
      ];
      return distinct(
        found.filter(
          ({ kind }) => only === undefined || only.some((each) => kind === each || kind?.startsWith(`${each}.`)),
        ),
      );
    },
  },
  commands: {
    'regal.config.disable-rule': disableRule,
    ...Object.fromEntries(
      [
        'constant-condition',
        'directory-package-mismatch',
        'no-whitespace-comment',
        'non-raw-regex-pattern',
        'opa-fmt',
        'prefer-equals-comparison',
        'redundant-existence-check',
        'use-assignment-operator',
        'use-rego-v1',
      ].map((rule) => [`regal.fix.${rule}`, fixCommand(rule)]),
    ),
  },
};

/** Each action once: it may mend several errors of one statement. */
function distinct(actions: readonly CodeAction[]): CodeAction[] {
  const byEffect = Map.groupBy(actions, ({ title, edit, command }) => JSON.stringify([title, edit, command]));
  return [...byEffect.values()].map(([first, ...others]) =>
    others.length === 0
      ? first!
      : { ...first!, diagnostics: [first!, ...others].flatMap((each) => each.diagnostics ?? []) },
  );
}

/** Switches a rule off in the configuration of the project. */
async function disableRule({ workspace, client }: RequestContext, [argument]: readonly unknown[]): Promise<unknown> {
  const { code, source } = (parsedArgument(argument).diagnostic ?? {}) as {
    readonly code?: unknown;
    readonly source?: unknown;
  };
  const [folder] = workspace.folders;
  if (typeof code !== 'string' || typeof source !== 'string' || folder === undefined)
    throw new RequestError('the command names no finding, or there is no folder');
  const category = source === 'writ' ? source : source.replace(/^regal\//, '');
  const changed = await withoutRule(workspace.host, folder, { category, name: code });
  if (changed === undefined) throw new RequestError('the configuration is no YAML');
  const { uri, before, text } = changed;
  const range = wholeRange(before ?? '');
  const edits = [{ textDocument: { uri, version: null }, edits: [{ range, newText: text }] }];
  const documentChanges = before === undefined ? [{ kind: 'create', uri }, ...edits] : edits;
  await client.request('workspace/applyEdit', { label: `Ignore ${code}`, edit: { documentChanges } });
  return {};
}

/** The rule whose fix moves a file. */
const misplacedRule = 'directory-package-mismatch';

/** The title of a rule's fix. */
const titles: Readonly<Record<string, string>> = {
  'opa-fmt': 'Format using opa-fmt',
  'use-rego-v1': 'Format for Rego v1 using opa-fmt',
  'use-assignment-operator': 'Replace = with := in assignment',
  'no-whitespace-comment': 'Format comment to have leading whitespace',
  'non-raw-regex-pattern': 'Replace " with ` in regex pattern',
  'prefer-equals-comparison': 'Replace = with == in comparison',
  'redundant-existence-check': 'Remove redundant existence check',
  'constant-condition': 'Remove constant condition',
  [misplacedRule]: 'Move the file to the folder of its package',
};

/** A command of editors that know the reference's server: its argument is a JSON text. */
function fixCommand(rule: string): CommandHandler {
  return async (context, [argument]) => {
    const { target, diagnostic } = parsedArgument(argument);
    const policy = typeof target === 'string' ? context.workspace.policy(target) : undefined;
    if (policy === undefined) throw new RequestError('the command names no policy that is known');
    if (rule === misplacedRule) return await moveFile(policy, context);
    const edits = await ruleEdits(policy, rule, (diagnostic as Diagnostic | undefined)?.range, context.lint.config);
    if (edits.length > 0)
      await context.client.request('workspace/applyEdit', {
        label: titles[rule],
        edit: { changes: { [context.workspace.editorUri(policy.uri)]: edits } },
      });
    return {};
  };
}

/** Moves a policy below the nearest root of the project, to the folders of its package. */
async function moveFile({ name, uri, text, regoVersion }: PolicyFile, context: RequestContext): Promise<unknown> {
  const { workspace, lint, client } = context;
  const [fixed] = await fix([{ file: name, text, regoVersion }], { config: lint.config });
  // Other names, as `..`, could lead out of the project.
  if (fixed?.directories?.every((part) => /^[\w-]+$/.test(part)) !== true) return {};
  const roots = lint.config.roots.map(({ path }) => path.replace(/^\.\/?|\/$/g, '')).filter((path) => path !== '');
  const root = roots.filter((path) => name.startsWith(`${path}/`)).sort((a, b) => b.length - a.length)[0];
  const wanted = [...(root?.split('/') ?? []), ...fixed.directories, name.split('/').at(-1)!];
  const folder = uri.slice(0, -name.split('/').map(encodeURIComponent).join('/').length);
  const newUri = folder + wanted.map(encodeURIComponent).join('/');
  const documentChanges = [{ kind: 'rename', oldUri: workspace.editorUri(uri), newUri }];
  await client.request('workspace/applyEdit', { label: titles[misplacedRule], edit: { documentChanges } });
  return {};
}

/** A change of one file, in words. */
interface Fix {
  readonly title: string;
  readonly edits: readonly TextEdit[];
}

function errorActions(
  policy: PolicyFile,
  { range, context: given }: ActionParams,
  context: RequestContext,
): CodeAction[] {
  const { workspace } = context;
  const errors = errorsOf(policy, workspace);
  if (errors.length === 0) return [];
  const hint = hintsOf(workspace.compiled);
  const uri = workspace.editorUri(policy.uri);
  return errors.flatMap((error) => {
    const { start, end } = placeOfError(error);
    const at = rangeBetween(policy.source, start, end);
    if (!overlaps(at, range)) return [];
    const shown = given?.diagnostics?.filter(({ message }) => String(message).startsWith(error.message)) ?? [];
    return fixesOf(error, hint(error), policy, workspace).map(({ title, edits }, i) => ({
      title,
      kind: 'quickfix',
      diagnostics: shown,
      isPreferred: i === 0,
      edit: { changes: { [uri]: [...edits] } },
    }));
  });
}

function fixesOf(error: CompileDiagnostic, hint: Hint, policy: PolicyFile, workspace: Workspace): Fix[] {
  const { start, end } = placeOfError(error);
  const at = rangeBetween(policy.source, start, end);
  const fixes: Fix[] = [];
  const mend = mendOf(error, hint);
  if (mend !== undefined) {
    const edit = { range: rangeBetween(policy.source, mend.start, mend.end), newText: mend.text };
    fixes.push({ title: mend.title, edits: [edit] });
  }
  const { name } = (error.holes ?? {}) as { readonly name?: unknown };
  if (typeof name === 'string' && (error.name === 'unsafeVar' || error.name === 'undefinedFunction'))
    fixes.push(...importFixes(name, policy, workspace));
  if (error.name === 'argumentUnused' && typeof name === 'string')
    fixes.push({ title: `Rename ${name} to _`, edits: [{ range: at, newText: '_' }] });
  if (error.name === 'importUnused' || error.name === 'importShadows')
    fixes.push({ title: 'Remove the import', edits: [{ range: wholeLines(policy, start), newText: '' }] });
  return fixes;
}

/** Imports of packages whose last name is that of a variable that nothing binds. */
function importFixes(name: string, policy: PolicyFile, workspace: Workspace): Fix[] {
  const { module, source } = policy;
  if (module === undefined) return [];
  const [first = name] = name.split('.');
  const paths = new Set<string>();
  for (const { module: other } of workspace.policies) {
    const path = other === undefined ? [] : ['data', ...packageSegments(other)];
    if (path.at(-1) === first && other?.package !== module.package) paths.add(pathText(path));
  }
  const last = module.imports.at(-1)?.path.loc ?? module.package.path.at(-1)!.loc;
  const at = source.lineStarts[source.row(last.end)] ?? source.text.length;
  const gap = module.imports.length === 0 ? '\n' : '';
  return [...paths].sort().map((path) => ({
    title: `Add import ${path}`,
    edits: [{ range: rangeBetween(source, at, at), newText: `${gap}import ${path}\n` }],
  }));
}

function wholeLines({ source }: PolicyFile, offset: number): Range {
  const row = source.row(offset);
  return rangeBetween(source, source.lineStarts[row - 1]!, source.lineStarts[row] ?? source.text.length);
}

async function findingActions(
  policy: PolicyFile,
  { range, context: given }: ActionParams,
  { workspace, lint }: RequestContext,
): Promise<CodeAction[]> {
  const uri = workspace.editorUri(policy.uri);
  const found: CodeAction[] = [];
  for (const finding of lint.findingsOf(policy)) {
    const { start, end } = placeOfFinding(finding, policy.source);
    const at = rangeBetween(policy.source, start, end);
    if (!overlaps(at, range)) continue;
    const shown = given?.diagnostics?.filter(({ code }) => code === finding.rule) ?? [];
    if (finding.rule === misplacedRule) found.push(moveAction(shown, at, uri));
    const edits = finding.rule in titles ? await ruleEdits(policy, finding.rule, at, lint.config) : [];
    if (edits.length > 0)
      found.push({
        title: titles[finding.rule]!,
        kind: 'quickfix',
        diagnostics: shown,
        isPreferred: true,
        edit: { changes: { [uri]: edits } },
      });
    const { meant } = finding;
    if (meant !== undefined && /^unresolved-/.test(finding.rule))
      found.push({
        title: `Change to ${meant}`,
        kind: 'quickfix',
        diagnostics: shown,
        edit: { changes: { [uri]: [{ range: at, newText: meant }] } },
      });
    found.push({
      title: `Ignore ${finding.rule} here`,
      kind: 'quickfix',
      diagnostics: shown,
      edit: { changes: { [uri]: [ignoreComment(policy, finding.rule, finding.row)] } },
    });
    const source = finding.category === 'writ' ? 'writ' : `regal/${finding.category}`;
    found.push(ignoreInConfig({ code: finding.rule, source, range: at, message: finding.description }, shown));
  }
  found.push(...statedActions(found, given?.diagnostics ?? [], range, uri));
  const all = await allFixed(policy, lint.config);
  if (all !== policy.text)
    found.push({
      title: 'Fix all findings that can be fixed',
      kind: 'source.fixAll',
      edit: { changes: { [uri]: editsTo(policy, all) } },
    });
  return found;
}

function moveAction(diagnostics: readonly Diagnostic[], range: Range, target: string): CodeAction {
  const title = titles[misplacedRule]!;
  const diagnostic = { code: misplacedRule, source: 'regal/idiomatic', range, message: title };
  const command = { title, command: `regal.fix.${misplacedRule}`, arguments: [JSON.stringify({ target, diagnostic })] };
  return { title, kind: 'quickfix', diagnostics: [...diagnostics], command };
}

/** Fixes of findings that the editor has and this server has not: from before the last change. */
function statedActions(
  found: readonly CodeAction[],
  diagnostics: readonly Diagnostic[],
  range: Range,
  target: string,
): CodeAction[] {
  return diagnostics.flatMap((diagnostic) => {
    const { code, source } = diagnostic;
    if (typeof code !== 'string' || !/^(?:writ$|regal\/)/.test(source ?? '')) return [];
    // An error of the compiler is no finding that a configuration switches off.
    if (diagnostic.severity === 1 || !overlaps(diagnostic.range, range)) return [];
    if (found.some(({ diagnostics: known }) => known?.some((each) => each.code === code))) return [];
    const ignore = ignoreInConfig(diagnostic, [diagnostic]);
    const title = Object.hasOwn(titles, code) ? titles[code] : undefined;
    if (title === undefined) return [ignore];
    const command = { title, command: `regal.fix.${code}`, arguments: [JSON.stringify({ target, diagnostic })] };
    return [{ title, kind: 'quickfix', diagnostics: [diagnostic], isPreferred: true, command }, ignore];
  });
}

/** Switches the rule of a finding off, for the whole project. */
function ignoreInConfig(diagnostic: Diagnostic, shown: readonly Diagnostic[]): CodeAction {
  const title = 'Ignore this rule in config';
  const command = { title, command: 'regal.config.disable-rule', arguments: [JSON.stringify({ diagnostic })] };
  return { title, kind: 'quickfix', diagnostics: [...shown], isPreferred: false, command };
}

/** A comment above a row that switches a rule off. */
function ignoreComment({ source }: PolicyFile, rule: string, row: number): TextEdit {
  const start = source.lineStarts[Math.max(row, 1) - 1] ?? 0;
  const [indent] = /^\s*/.exec(source.line(Math.max(row, 1)))!;
  return { range: rangeBetween(source, start, start), newText: `${indent}# regal ignore:${rule}\n` };
}
