/** Files that get other names: a package moves with the folder that it is named after. */

import type { TextEdit, WorkspaceEdit } from 'vscode-languageserver-types';
import { packageSegments } from '../../../../compiler/index.js';
import { documentKey, type Occurrence } from '../../names/symbol.js';
import type { PolicyFile } from '../../workspace/policy-file.js';
import { rangeBetween } from '../../workspace/positions.js';
import { nameOfUri, normalUri } from '../../workspace/uris.js';
import type { Workspace } from '../../workspace/workspace.js';
import { pathText } from '../hover.js';
import { isBare } from '../rename/rename.js';
import type { RequestContext, RequestFamily } from '../request.js';

interface RenameFilesParams {
  readonly files: readonly { readonly oldUri: string; readonly newUri: string }[];
}

const filters = [
  { scheme: 'file', pattern: { glob: '**/*.rego', matches: 'file' } },
  { scheme: 'file', pattern: { glob: '**', matches: 'folder' } },
];

/** Documents are read again, too. */
const allFiles = [...filters, { scheme: 'file', pattern: { glob: '**/*.{json,yaml,yml}', matches: 'file' } }];

/** `workspace.fileOperations` of the server's abilities. */
export const fileOperations = {
  willRename: { filters },
  didRename: { filters: allFiles },
  didCreate: { filters: allFiles },
  didDelete: { filters: allFiles },
};

export const fileRenames: RequestFamily = {
  capabilities: {},
  requests: {
    'workspace/willRenameFiles': (context, { files }: RenameFilesParams): WorkspaceEdit | null => {
      const { workspace } = context;
      const moves = packageMoves(movedPolicies(files, workspace), workspace);
      if (moves.length === 0) return null;
      const edits = new Map<string, TextEdit[]>();
      for (const policy of workspace.policies) {
        const found = moves.flatMap((move) => editsOfMove(move, policy, workspace));
        if (found.length > 0) edits.set(workspace.editorUri(policy.uri), found);
      }
      return edits.size === 0 ? null : shownEdit(edits, context);
    },
  },
};

/** An edit that the user confirms, where the editor can ask. */
function shownEdit(edits: ReadonlyMap<string, TextEdit[]>, { client }: RequestContext): WorkspaceEdit {
  const { workspace } = client.capabilities as {
    readonly workspace?: {
      readonly workspaceEdit?: { readonly documentChanges?: boolean; readonly changeAnnotationSupport?: object };
    };
  };
  if (!workspace?.workspaceEdit?.documentChanges || !workspace.workspaceEdit.changeAnnotationSupport)
    return { changes: Object.fromEntries(edits) };
  return {
    changeAnnotations: { package: { label: 'Move the package with its folder', needsConfirmation: true } },
    documentChanges: [...edits].map(([uri, own]) => ({
      textDocument: { uri, version: null },
      edits: own.map((edit) => ({ ...edit, annotationId: 'package' })),
    })),
  };
}

/** The policies that files and folders hold, with the paths that they will have. */
function movedPolicies(files: RenameFilesParams['files'], workspace: Workspace): Map<PolicyFile, string> {
  const moved = new Map<PolicyFile, string>();
  for (const { oldUri, newUri } of files) {
    const from = normalUri(oldUri);
    const to = normalUri(newUri);
    for (const policy of workspace.policies) {
      if (policy.uri === from) moved.set(policy, nameOfUri(to, workspace.folders));
      else if (policy.uri.startsWith(`${from}/`))
        moved.set(policy, nameOfUri(to + policy.uri.slice(from.length), workspace.folders));
    }
  }
  return moved;
}

/** A package and its next path, both from `data`. */
interface PackageMove {
  readonly from: readonly string[];
  readonly to: readonly string[];
}

/** The packages all of whose files move, and that are named after the folders of these. */
function packageMoves(moved: ReadonlyMap<PolicyFile, string>, workspace: Workspace): readonly PackageMove[] {
  const moves = new Map<string, PackageMove | undefined>();
  for (const [policy, name] of moved) {
    const from = packageOf(policy);
    const to = from && nextPath(from, policy.name, name);
    if (from === undefined || to === undefined || pathText(from) === pathText(to)) continue;
    const key = pathText(from);
    const other = moves.has(key) ? moves.get(key) : { from, to };
    moves.set(key, other !== undefined && pathText(other.to) === pathText(to) ? other : undefined);
  }
  for (const policy of workspace.policies) if (!moved.has(policy)) moves.delete(pathText(packageOf(policy) ?? []));
  return [...moves.values()].filter((move) => move !== undefined);
}

function packageOf({ module }: PolicyFile): readonly string[] | undefined {
  return module && ['data', ...packageSegments(module)];
}

/**
 * The path of a package after its file has moved; undefined where it is not named after folders.
 * The tests of a package have its path and `_test`.
 */
function nextPath(from: readonly string[], before: string, after: string): readonly string[] | undefined {
  for (const withFile of [false, true]) {
    const old = foldersOf(before, withFile);
    const next = foldersOf(after, withFile);
    for (const suffix of ['', '_test']) {
      const own = from.slice(1);
      if (suffix !== '' && !own.at(-1)?.endsWith(suffix)) continue;
      if (suffix !== '') own[own.length - 1] = own.at(-1)!.slice(0, -suffix.length);
      const root = old.slice(0, old.length - own.length);
      if (own.length > old.length || own.some((key, i) => key !== old[root.length + i])) continue;
      if (next.length <= root.length || root.some((key, i) => key !== next[i])) continue;
      const path = next.slice(root.length);
      return ['data', ...path.slice(0, -1), path.at(-1)! + suffix];
    }
  }
  return undefined;
}

function foldersOf(name: string, withFile: boolean): readonly string[] {
  const parts = name.split('/');
  const file = parts.pop()!.replace(/(?:_test)?\.rego$/, '');
  return withFile ? [...parts, file] : parts;
}

function editsOfMove({ from, to }: PackageMove, policy: PolicyFile, { names, policies }: Workspace): TextEdit[] {
  const { module } = policy;
  if (module === undefined) return [];
  const packages = new Set([...policies].map((each) => documentKey(packageOf(each) ?? [])));
  const { occurrences } = names.of(policy);
  const last = { from: from.at(-1)!, to: to.at(-1)! };
  const isTaken =
    last.from !== last.to &&
    (names.exportsOf(module).has(last.to) ||
      occurrences.some((each) => isBare(policy, each) && policy.text.slice(each.start, each.end) === last.to));
  const edit = (start: number, end: number, newText: string): TextEdit[] => [
    { range: rangeBetween(policy.source, start, end), newText },
  ];
  return occurrences.flatMap((each, i): TextEdit[] => {
    if (each.kind !== 'document' || each.path?.length !== from.length || !areEqual(each.path, from)) return [];
    if (packageAround(each.whole ?? each.path, packages) !== from.length) return [];
    if (each.isImplied) return last.from === last.to || isTaken ? [] : edit(each.start, each.end, last.to);
    const { start, isRooted } = beginning(occurrences, i, policy);
    const end = each.isQuoted ? each.end + '"]'.length : each.end;
    const statement = module.imports.find(({ path }) => path.loc.end === end);
    const alias = isTaken && statement !== undefined && statement.alias === undefined ? ` as ${last.from}` : '';
    return edit(start, end, `${isRooted ? pathText(to) : pathText(to).slice('data.'.length)}${alias}`);
  });
}

function areEqual(a: readonly string[], b: readonly string[]): boolean {
  return documentKey(a) === documentKey(b);
}

/** The length of the longest package that a path is in. */
function packageAround(path: readonly string[], packages: ReadonlySet<string>): number {
  for (let length = path.length; length > 1; length--)
    if (packages.has(documentKey(path.slice(0, length)))) return length;
  return 0;
}

/** Where the ref begins whose step an occurrence is; whether its first name stands for a path. */
function beginning(
  occurrences: readonly Occurrence[],
  at: number,
  { text }: PolicyFile,
): { readonly start: number; readonly isRooted: boolean } {
  let first = occurrences[at]!;
  for (let i = at - 1; i >= 0; i--) {
    if (!/^["`\]]*(?:\.|\[["`])$/.test(text.slice(occurrences[i]!.end, first.start))) break;
    first = occurrences[i]!;
  }
  const isRooted = first.kind === 'alias' || first.isImplied === true || first.path?.length === 1;
  return { start: first.start, isRooted };
}
