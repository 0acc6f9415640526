/** The page about built-ins, made from their rows and `guide.ts`. */
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { runCommandLine } from '../../../cli/run.js';
import { Engine } from '../../../library/index.js';
import type { Builtin } from '../../../values/builtins/builtin.js';
import { type BuiltinGuide, formerBuiltins, type GuideGroup, guide } from '../../../values/builtins/guide.js';
import { builtins } from '../../../values/builtins/registry.js';
import { parseJson, toJson } from '../../../values/json/json.js';
import type { Type } from '../../../values/type.js';
import type { Value } from '../../../values/value.js';

const root = join(import.meta.dirname, '../../..');

/** The page's path from the project's root. */
export const pagePath = 'docs/author/builtins.md';

const head = `---
title: Built-in functions
order: 2
---
# Built-in functions

<!-- \`npm run builtins-page\` writes this page from the rows of the built-ins. -->

Each function below has its parameters and its result with their types, what it does, and an example
with its result. The results are computed by writ when this page is made, and compared by a test.

A call that fails, such as a division by zero or a text that is no JSON, is
[undefined](language.md#undefined). A call with an operand of a wrong type is an error of the compiler
if the type is known there, and undefined otherwise.
`;

/** The text of the page. */
export async function builtinsPage(): Promise<string> {
  const links = guide.map(
    ({ title }) => `- [${title}](#${title.toLowerCase().replaceAll(',', '').replaceAll(' ', '-')})`,
  );
  const parts = [head, `${links.join('\n')}\n`];
  for (const group of guide) parts.push(await groupText(group));
  const former = Object.entries(formerBuiltins).map(([name, instead]) => `| \`${name}\` | ${instead} |`);
  const about = 'Version 1 of the language rejects these. Policies of version 0 may still call them.';
  parts.push(`## Older functions\n\n${about}\n\n| function | write instead |\n|---|---|\n${former.join('\n')}\n`);
  return parts.join('\n');
}

async function groupText({ title, about, builtins: entries }: GuideGroup): Promise<string> {
  const parts = [`## ${title}\n`, ...(about === undefined ? [] : [`${about}\n`])];
  for (const [name, entry] of Object.entries(entries)) {
    const row = builtins.get(name)!;
    const changes = row.nondeterministic === true ? ' It may change from one decision to the next.' : '';
    const example = `${entry.example}\n# → ${await resultOf(row, entry)}`;
    parts.push(
      `### ${headingOf(row)}\n\n\`${signature(row)}\`\n\n${entry.does}${changes}\n\n\`\`\`rego\n${example}\n\`\`\`\n`,
    );
  }
  return parts.join('\n');
}

/** An operator has its name behind it, for links to its heading have no signs. */
function headingOf({ name, infix }: Builtin): string {
  return infix === undefined ? name : `${infix} (${name.replace('internal.', '')})`;
}

function signature({ name, args, result, infix, relation, variadic }: Builtin): string {
  const parameters = args.map((each) =>
    typeText(each.type) === 'any' ? each.name : `${each.name}: ${typeText(each.type)}`,
  );
  if (variadic !== undefined) parameters.push('…');
  if (relation === true) parameters.push(`output: ${typeText(result!)}`);
  const ending = relation === true || result === undefined ? '' : ` → ${typeText(result)}`;
  if (infix === undefined) return `${name}(${parameters.join(', ')})${ending}`;
  return `${parameters.slice(0, -1).join(', ')} ${infix} ${parameters.at(-1)}${ending}`;
}

function typeText(type: Type): string {
  switch (type.type) {
    case 'any':
      return type.of === undefined || type.of.length === 0 ? 'any' : type.of.map(typeText).join(' or ');
    case 'array':
      if (type.static !== undefined) return `[${type.static.map(typeText).join(', ')}]`;
      return ofElements('array', type.dynamic);
    case 'set':
      return ofElements('set', type.of);
    case 'object': {
      const { dynamic } = type;
      if (dynamic === undefined || (typeText(dynamic.key) === 'any' && typeText(dynamic.value) === 'any'))
        return 'object';
      return `object[${typeText(dynamic.key)}: ${typeText(dynamic.value)}]`;
    }
    default:
      return type.type;
  }
}

function ofElements(name: string, type: Type | undefined): string {
  return type === undefined || typeText(type) === 'any' ? name : `${name}[${typeText(type)}]`;
}

/** The result of an example, as JSON on one line. */
function resultOf(row: Builtin, { example }: BuiltinGuide): Promise<string> {
  return /^p := /m.test(example) ? resultOfPolicy(example) : resultOfQuery(row, example);
}

async function resultOfPolicy(rules: string): Promise<string> {
  const engine = await Engine.open({ policies: { 'example.rego': `package example\n\n${rules}\n` } });
  return onOneLine(JSON.stringify(engine.decide('example/p').result, undefined, 2));
}

async function resultOfQuery(row: Builtin, query: string): Promise<string> {
  let stdout = '';
  let stderr = '';
  const io = {
    stdin: () => new TextEncoder().encode(query.includes('input.') ? toJson(operandsOf(row)) : '{}'),
    stdout: (text: string) => void (stdout += text),
    stderr: (text: string) => void (stderr += text),
    env: {},
    color: false,
  };
  const exit = await runCommandLine(['eval', '-f', 'values', '--strict-builtin-errors', '-I', query], io);
  if (exit !== 0) throw new Error(`the example of ${row.name} fails: ${stdout}${stderr}`);
  // The values of the expressions, of which there is one.
  return onOneLine(stdout.trim()).slice(1, -1);
}

function onOneLine(json: string): string {
  return json
    .replace(/(?<=[[{])\n\s*/g, '')
    .replace(/\n\s*(?=[\]}])/g, '')
    .replace(/\n\s*/g, ' ')
    .replace(/\\u00(26|3c|3e)/g, (_, code: string) => String.fromCharCode(Number.parseInt(code, 16)));
}

interface Fixture {
  readonly builtin: string;
  readonly operands: readonly Value[];
  readonly result?: Value;
}

/** The operands of the first fixture with a result, by their names. */
function operandsOf({ name, args }: Builtin): Value {
  const folder = join(root, 'fixtures/builtins');
  for (const file of readdirSync(folder).filter((each) => each.endsWith('.json'))) {
    const fixtures = parseJson(readFileSync(join(folder, file), 'utf8')) as unknown as readonly Fixture[];
    const found = fixtures.find(({ builtin, result }) => builtin === name && result !== undefined && result !== false);
    if (found !== undefined) return Object.fromEntries(found.operands.map((operand, i) => [args[i]!.name, operand]));
  }
  return {};
}
