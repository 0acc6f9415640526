/**
 * Random edits of policies: the service never fails, its answers are those of a new one over the
 * same texts, and all positions are inside the documents.
 */
import { globSync, readFileSync } from 'node:fs';
import { expect, test } from 'vitest';
import type { Range } from 'vscode-languageserver-types';
import { Source } from '../../compiler/source/source.js';
import { randomCases } from '../../test/harness/set-up/random-cases.js';
import { noConfig } from '../lint/index.js';
import { WorkspaceEngine } from './evaluation/workspace-engine.js';
import { WorkspaceLint } from './lint/workspace-lint.js';
import { diagnosticsOf } from './requests/diagnostics/diagnostics.js';
import { requestTable } from './requests/families.js';
import type { RequestContext } from './requests/request.js';
import { Workspace } from './workspace/workspace.js';

/** A generator of numbers that a seed determines. */
function generator(seed: number): (below: number) => number {
  let state = seed >>> 0;
  return (below) => {
    state = (Math.imul(state, 1_664_525) + 1_013_904_223) >>> 0;
    return Math.floor((state / 2 ** 32) * below);
  };
}

const texts = globSync('fixtures/{idioms,example}/**/*.rego')
  .sort()
  .map((path) => readFileSync(path, 'utf8'))
  .filter((text) => text.length < 6000);

const pieces = [
  '\n',
  '{',
  '}',
  '"',
  '`',
  '# METADATA\n# scope: x\n',
  ' if ',
  'x := ',
  'import data.',
  'package ',
  'not ',
  'é\u{1f600}',
  '\ud83d',
  '\r\n',
  '(',
  '[',
  'else := 1',
  'default a := ',
  'some x in ',
  '.',
  '\t',
  'p.q',
  'with input as ',
];

function edit(text: string, next: (below: number) => number): string {
  const at = next(text.length + 1);
  switch (next(6)) {
    case 0:
      return text.slice(0, at) + pieces[next(pieces.length)] + text.slice(at);
    case 1:
      return text.slice(0, at) + text.slice(at + next(20));
    case 2: {
      const lines = text.split('\n');
      lines.splice(next(lines.length), 1 + next(3));
      return lines.join('\n');
    }
    case 3: {
      const from = next(text.length + 1);
      return text.slice(0, at) + text.slice(from, from + next(200)) + text.slice(at);
    }
    case 4:
      return text.slice(0, at) + String.fromCharCode(32 + next(95)) + text.slice(at);
    default:
      return text.length > 8000 ? texts[next(texts.length)]! : text;
  }
}

const root = 'file:///w';

function contextOf(): RequestContext & { readonly workspace: Workspace } {
  const workspace = new Workspace({ list: () => [], read: async () => undefined }, { folders: [root] });
  const client = { capabilities: {}, initializationOptions: {}, notify: () => undefined, request: async () => null };
  return {
    workspace,
    client,
    lint: new WorkspaceLint(workspace, noConfig),
    engine: new WorkspaceEngine(workspace, {}),
    tokens: new Map(),
    reports: new Map(),
    debugPort: undefined,
  };
}

/** All ranges in an answer. */
function* rangesIn(value: unknown): Iterable<Range> {
  if (typeof value !== 'object' || value === null) return;
  const { start, end } = value as Partial<Range>;
  if (typeof start === 'object' && typeof end === 'object' && 'line' in start && 'line' in end) yield value as Range;
  else for (const inner of Object.values(value)) yield* rangesIn(inner);
}

function expectInside(answer: unknown, text: string): void {
  const source = new Source('', text);
  const lines = source.lineStarts.map((start, i) => {
    const next = source.lineStarts[i + 1];
    return next === undefined ? text.length - start : next - 1 - start - (text[next - 2] === '\r' && next - 2 >= start ? 1 : 0);
  });
  for (const { start, end } of rangesIn(answer)) {
    for (const { line, character } of [start, end]) {
      expect(line).toBeLessThan(lines.length);
      expect(character).toBeLessThanOrEqual(lines[line]!);
    }
    expect(start.line < end.line || (start.line === end.line && start.character <= end.character)).toBe(true);
  }
}

const asked = ['documentSymbol', 'foldingRange', 'semanticTokens/full', 'codeLens', 'documentLink'];
const askedAt = ['hover', 'definition', 'references', 'documentHighlight', 'completion', 'signatureHelp', 'prepareRename'];

test('random edits', async () => {
  const table = requestTable();
  const runs = randomCases(10_000);
  const start = Number(process.env.WRIT_SEED ?? 1);
  for (let seed = start; seed < start + Math.ceil(runs / 25); seed++) {
    const next = generator(seed);
    const names = ['a.rego', 'b.rego', 'c/d.rego'];
    const current = new Map(names.map((name) => [name, texts[next(texts.length)]!]));
    const context = contextOf();
    for (const [name, text] of current) context.workspace.open({ uri: `${root}/${name}`, version: 1, text });
    for (let i = 0; i < 25; i++) {
      const name = names[next(names.length)]!;
      const uri = `${root}/${name}`;
      if (next(30) === 0) {
        await context.workspace.close(uri);
        current.delete(name);
      } else {
        const text = edit(current.get(name) ?? texts[next(texts.length)]!, next);
        current.set(name, text);
        context.workspace.open({ uri, version: i + 2, text });
      }
      const text = current.get(name);
      const policy = context.workspace.policy(uri);
      if (text === undefined || policy === undefined) continue;
      const at = new Source('', text).position(next(text.length + 1));
      const position = { line: at.row - 1, character: at.col - 1 };
      const method = next(2) === 0 ? asked[next(asked.length)]! : askedAt[next(askedAt.length)]!;
      const answer = await (async () =>
        table.get(`textDocument/${method}`)!(
          context,
          { textDocument: { uri }, position, range: { start: position, end: position } },
          { isCancelled: false },
        ))().catch((error: unknown) => {
        if ((error as { code?: unknown }).code === undefined)
          throw new Error(`seed ${seed}, edit ${i}, ${method}: ${(error as Error).stack}`);
        return null;
      });
      if (method !== 'definition' && method !== 'references') expectInside(answer, text);
      if (next(5) === 0) await context.lint.lintAlone(policy);
      const found = diagnosticsOf(policy, context);
      expectInside(found, text);
      if (i % 8 !== 7) continue;
      const fresh = contextOf();
      for (const [each, textOf] of current) fresh.workspace.open({ uri: `${root}/${each}`, version: 1, text: textOf });
      for (const each of current.keys()) {
        const errors = (of: RequestContext) => {
          const policyOf = of.workspace.policy(`${root}/${each}`)!;
          return diagnosticsOf(policyOf, { ...of, lint: new WorkspaceLint(of.workspace, noConfig) });
        };
        expect(errors(context), `seed ${seed}, edit ${i}, ${each}`).toEqual(errors(fresh));
      }
    }
  }
}, 900_000);
