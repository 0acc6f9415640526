/** The commands in pages of services, platforms and operators print what the pages say. */
import { setTimeout } from 'node:timers/promises';
import { load } from 'js-yaml';
import { expect, test } from 'vitest';
import { readConfig } from '../../server/control/server-config.js';
import { parseConfig } from '../../server/services/config/service-config.js';
import { type Shell, shellFor } from '../../test/harness/docs/page-shell.js';
import { fileStore } from '../../test/harness/server/file-store.js';
import { tellTestsApart } from '../../test/harness/set-up/concurrent-tests.js';
import { outputPattern, pagesIn } from './sessions.js';

tellTestsApart();

const pages = pagesIn('operator', 'platform', 'service', 'storage.md');
const working = pages.filter(({ blocks }) => blocks.some(({ kind }) => kind === 'commands'));

interface Workflow {
  readonly jobs: Readonly<Record<string, { readonly steps: readonly Step[] }>>;
}

interface Step {
  readonly run?: string;
  readonly env?: Readonly<Record<string, string>>;
}

/** Runs the steps of a workflow of GitHub, but for those that install. */
async function follow(text: string, page: Shell, store: string): Promise<void> {
  const values: Readonly<Record<string, () => string>> = { 'secrets.SIGNING_KEY': () => page.read('key.pem'), 'vars.BUNDLES': () => store };
  for (const { steps } of Object.values((load(text) as Workflow).jobs)) {
    for (const { run, env = {} } of steps) {
      if (run === undefined || run.startsWith('npm ')) continue;
      const given = Object.entries(env).map(([name, value]) => [
        name,
        value.replace(/\$\{\{ (.*) \}\}/, (_, key: string) => values[key]!()),
      ]);
      const output = await page.run(`set -e\n${run}\necho done`, { GITHUB_SHA: 'f00d', ...Object.fromEntries(given) });
      expect(output, run).toMatch(/done$/);
    }
  }
}

test.concurrent.each(working)('the commands of $page print what it says', { timeout: 120_000 }, async ({ blocks }) => {
  const store = await fileStore();
  const all = blocks.map((block) => (block.kind === 'commands' ? JSON.stringify(block.commands) : block.text)).join('\n');
  const page = await shellFor(all, { BUNDLES: store });
  for (const block of blocks) {
    if (block.kind === 'file') page.write(block.name, block.text);
    if (block.kind === 'file' && block.name.startsWith('.github/')) await follow(block.text, page, store);
    if (block.kind !== 'commands') continue;
    for (const { command, output } of block.commands) {
      const printed = await printedBy(page, command, (text) => matches(text, output));
      if (!matches(printed, output)) expect(printed, command).toBe(output);
    }
  }
});

function matches(printed: string, output: string): boolean {
  return output.includes('…') ? outputPattern(output).test(`${printed}\n`) : printed === output;
}

/** Commands that show something a server has yet to do: they run again on a slow machine. */
const looks = /^(?:sleep|grep) /;

/** The output of a command. */
async function printedBy(page: Shell, command: string, isExpected: (printed: string) => boolean): Promise<string> {
  let printed = await page.run(command);
  for (let i = 0; i < 5 && looks.test(command) && !isExpected(printed); i++) {
    await setTimeout(200);
    printed = await page.run(command);
  }
  return printed;
}

const snippets = pages.flatMap(({ page, blocks }) => blocks.flatMap((block) => (block.kind === 'snippet' ? [{ page, ...block }] : [])));

test.concurrent.each(snippets.filter(({ language, text }) => language === 'yaml' && !text.startsWith('scrape_configs')))(
  'the configuration at $page:$row has no unknown keys',
  ({ text }) => {
    expect(Object.keys(load(text) as object).length).toBeGreaterThan(0);
    expect(readConfig(parseConfig(text, { TOKEN: 'a' })).warnings).toEqual([]);
  },
);

// TypeScript, and what is quoted, have tests of their own.
test.concurrent('all else in the pages is run', () => {
  expect(
    snippets.filter(({ language }) => !['yaml', 'ts', 'typescript', 'quoted'].includes(language)).map(({ page, row }) => `${page}:${row}`),
  ).toEqual([]);
  expect(working.length).toBeGreaterThan(0);
});

test.concurrent('each file of a page is used by a command', () => {
  const unused = pages.flatMap(({ page, blocks }) => {
    const commands = blocks.flatMap((block) => (block.kind === 'commands' ? block.commands.map(({ command }) => command) : []));
    return blocks.flatMap((block) => {
      if (block.kind !== 'file' || block.name.startsWith('.github/')) return [];
      const [folder] = block.name.split('/');
      return commands.some((command) => command.includes(block.name) || command.includes(folder!)) ? [] : [`${page}: ${block.name}`];
    });
  });
  expect(unused).toEqual([]);
});
