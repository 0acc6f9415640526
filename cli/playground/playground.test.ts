/** The playground in Chromium, as `writ playground` serves it. */
import { mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { gzipSync } from 'node:zlib';
import axe from 'axe-core';
import type { Browser, Page } from 'playwright-core';
import { afterAll, afterEach, beforeAll, describe, expect, test } from 'vitest';
import { skipsChromium, startChromium } from '../../test/harness/chromium.js';
import { ProjectFolder } from './folder-project.js';
import { servePlayground } from './serve-playground.js';

if (skipsChromium) console.log('the playground is not tested: Chromium is not installed');

/** The page answers within milliseconds; a busy machine may not. */
const soon = { timeout: 20_000 };

let browser: Browser;
const endings: (() => unknown)[] = [];

beforeAll(async () => {
  if (!skipsChromium) browser = await startChromium();
});
afterEach(async () => {
  for (const end of endings.splice(0).reverse()) await end();
});
afterAll(() => browser?.close());

interface Opened {
  readonly page: Page;
  readonly address: string;
  /** Addresses of other hosts, errors, and what the policy blocked. */
  readonly complaints: readonly string[];
}

async function opened(folder?: string, { fragment = '', scheme = 'light' as 'light' | 'dark', width = 1280 } = {}): Promise<Opened> {
  const served = await servePlayground(0, folder === undefined ? undefined : new ProjectFolder(folder, []));
  endings.push(() => served.close());
  const page = await browser.newPage({ viewport: { width, height: 800 }, colorScheme: scheme });
  endings.push(() => page.close());
  const complaints: string[] = [];
  page.on('request', (request) => {
    if (!request.url().startsWith(served.address) && !request.url().startsWith('blob:')) complaints.push(request.url());
  });
  page.on('pageerror', (error) => complaints.push(error.message));
  page.on('console', (message) => {
    if (message.type() === 'error') complaints.push(message.text());
  });
  await page.goto(`${served.address}${fragment}`);
  await page.locator('pre.result, .problem, .problems').first().waitFor();
  return { page, address: served.address, complaints };
}

/** Replaces the text of an editor by typing, as a person does. */
async function type(page: Page, label: string, text: string): Promise<void> {
  await page.getByRole('textbox', { name: label }).click();
  await page.keyboard.press('Control+A');
  await page.keyboard.insertText(text);
}

describe.skipIf(skipsChromium)('the playground', { timeout: 120_000 }, () => {
  test('decides in the page, asks no other host, and obeys its policy', async () => {
    const { page, complaints } = await opened();
    await expect.poll(() => page.locator('pre.result').textContent(), soon).toContain('"allow": false');
    await type(page, 'Input', '{"user": "ann", "action": "read", "resource": {"type": "page"}}');
    await expect.poll(() => page.locator('pre.result').textContent(), soon).toContain('"allow": true');
    expect(await page.locator('.line-passed').count()).toBeGreaterThan(3);
    expect(complaints).toEqual([]);
  });

  test('an error has its place and a hint, and goes when it is mended', async () => {
    const { page } = await opened();
    await type(page, 'Policy authz.rego', 'package authz\n\nallow if { user == "ann" }\n');
    await expect.poll(() => page.locator('.problems.error').textContent(), soon).toMatch(/authz\.rego:3:12.*var user is unsafe/s);
    await type(page, 'Policy authz.rego', 'package authz\n\nallow if { input.user == "ann" }\n');
    await expect.poll(() => page.locator('pre.result').textContent(), soon).toContain('"allow": true');
    expect(await page.locator('.problems.error').count()).toBe(0);
  });

  test('documents of the page are names that resolve, and misspelt ones are told', async () => {
    const { page } = await opened();
    await type(page, 'Data', '{"levels": ["high"]}');
    await type(page, 'Policy authz.rego', 'package authz\n\nallow if some level in data.levels\n');
    await expect.poll(() => page.locator('pre.result').textContent(), soon).toContain('"allow": true');
    expect(await page.locator('.problems').count()).toBe(0);
    await type(page, 'Policy authz.rego', 'package authz\n\nallow if some level in data.levls\n');
    await expect.poll(() => page.locator('.problems').textContent(), soon).toMatch(/data\.levls.*levels/s);
  });

  test('an input that is no JSON is told together with errors of policies, and counted', async () => {
    const { page } = await opened();
    await type(page, 'Input', '{"user": ');
    await expect.poll(() => page.locator('#answer .problem').textContent(), soon).toMatch(/^input: /);
    expect(await page.locator('.status-bar').textContent()).toContain('1 error');
    await type(page, 'Policy authz.rego', 'package authz\n\nallow if user\n');
    await expect.poll(() => page.locator('.problems.error').textContent(), soon).toContain('var user is unsafe');
    expect(await page.locator('#answer .problem').textContent()).toMatch(/^input: /);
    expect(await page.locator('.status-bar').textContent()).toContain('2 errors');
  });

  test('a quick fix mends an error in the editor', async () => {
    const { page } = await opened();
    await type(page, 'Policy authz.rego', 'package authz\n\nallow := startswth(input.user, "a")\n');
    await page.locator('.cm-lintRange-error').first().waitFor();
    await page.locator('.cm-lintRange-error').first().hover();
    await page.locator('.cm-diagnosticAction').first().click();
    await expect.poll(() => page.locator('.policy-editor .cm-content').textContent(), soon).toContain('startswith(input.user');
  });

  test('a rule is renamed in all files', async () => {
    const { page } = await opened();
    await page.locator('.cm-line', { hasText: 'default allow' }).click();
    await page.keyboard.press('Home');
    for (let i = 0; i < 'default a'.length; i++) await page.keyboard.press('ArrowRight');
    await page.keyboard.press('F2');
    await page.locator('.cm-panel input').fill('permitted');
    await page.keyboard.press('Enter');
    await expect.poll(() => page.locator('.policy-editor .cm-content').textContent(), soon).toContain('default permitted');
    await page.getByRole('tab', { name: 'Tests' }).click();
    await expect.poll(() => page.locator('#answer').textContent(), soon).toContain('2 passed, 0 failed');
    await page.getByRole('button', { name: 'authz_test.rego', exact: true }).click();
    await expect.poll(() => page.locator('.policy-editor .cm-content').textContent(), soon).toContain('authz.permitted with input');
  });

  test('why, tests, trace and partial evaluation are told', async () => {
    const { page } = await opened();
    const answer = page.locator('#answer');
    await page.getByRole('textbox', { name: 'Query' }).fill('data.authz.allow');
    await page.getByRole('tab', { name: 'Why' }).click();
    await expect.poll(() => answer.textContent(), soon).toContain('input.resource.owner == input.user');
    await page.getByRole('tab', { name: 'Tests' }).click();
    await expect.poll(() => answer.textContent(), soon).toContain('2 passed, 0 failed');
    await page.getByRole('tab', { name: 'Trace' }).click();
    await expect.poll(() => answer.textContent(), soon).toContain('Enter data.authz.allow');
    await page.getByRole('tab', { name: 'Partial' }).click();
    await page.getByLabel('Unknown').fill('input.resource');
    await expect.poll(() => answer.textContent(), soon).toContain('input.resource.owner');
  });

  test('a rule of rows is SQL', async () => {
    const { page } = await opened();
    await page.getByLabel('Examples').selectOption({ label: 'Rows of a database' });
    await page.getByRole('tab', { name: 'Partial' }).click();
    await page.getByLabel('Unknown').fill('input.orders');
    await page.getByLabel('as', { exact: true }).selectOption('postgresql');
    await expect.poll(() => page.locator('#answer pre').textContent(), soon).toMatch(/customer.* = \$1/);
  });

  test('the plan is shown, and steps through a run', async () => {
    const { page, complaints } = await opened();
    await page.getByRole('button', { name: 'Plan', exact: true }).click();
    await page.getByLabel('Timeline').waitFor();
    expect(await page.locator('.pane-plan').textContent()).toContain('plan "query"');
    await page.getByRole('button', { name: 'Next failure' }).click();
    expect(await page.locator('.event code').textContent()).toMatch(/^fail /);
    expect(complaints).toEqual([]);
  });

  test('a link holds the project', async () => {
    const first = await opened();
    await type(first.page, 'Policy authz.rego', 'package authz\n\nname := input.name\n');
    await type(first.page, 'Input', '{"name": "Zoë"}');
    await first.page.getByRole('button', { name: 'Share' }).click();
    await expect.poll(() => first.page.url(), soon).toContain('#p=');
    const second = await opened(undefined, { fragment: new URL(first.page.url()).hash });
    await expect.poll(() => second.page.locator('pre.result').textContent(), soon).toContain('"name": "Zoë"');
  });

  test('files are added, renamed and removed by keys alone', async () => {
    const { page } = await opened();
    await page.getByRole('button', { name: 'Add a policy' }).press('Enter');
    const added = page.getByRole('button', { name: 'policy1.rego', exact: true });
    await added.press('F2');
    await page.getByLabel('New name of policy1.rego').fill('lib/roles.rego');
    await page.keyboard.press('Enter');
    await page.getByRole('button', { name: 'Remove lib/roles.rego' }).press('Enter');
    expect(await page.getByRole('navigation', { name: 'Policies' }).textContent()).toBe('authz.rego×authz_test.rego+');
  });

  test('an evaluation without end can be stopped', async () => {
    const { page } = await opened();
    await type(
      page,
      'Policy authz.rego',
      'package authz\n\nn := count([1 | some i in numbers.range(1, 4000); some j in numbers.range(1, 100000); i > j])\n',
    );
    await page.getByRole('textbox', { name: 'Query' }).fill('data.authz.n');
    await page.getByRole('button', { name: 'Stop' }).click();
    await expect.poll(() => page.locator('#answer').textContent(), soon).toContain('stopped');
    await type(page, 'Policy authz.rego', 'package authz\n\nn := 7\n');
    await expect.poll(() => page.locator('pre.result').textContent(), soon).toBe('7');
  });

  test('the bundle that it exports is one for the command', async () => {
    const { page } = await opened();
    await page.getByRole('button', { name: 'Export' }).click();
    const [download] = await Promise.all([
      page.waitForEvent('download'),
      page.getByRole('button', { name: 'Bundle (bundle.tar.gz)' }).click(),
    ]);
    const { readBundleBytes } = await import('../../engine/bundle/disk/file-source.js');
    const bundle = await readBundleBytes('bundle.tar.gz', readFileSync(await download.path()), {});
    expect(bundle.modules.map(({ bundlePath }) => bundlePath)).toEqual(['/authz.rego', '/authz_test.rego']);
    expect(bundle.data).toHaveProperty('users.ann');
  });

  test('a folder is followed, and saved', async () => {
    const folder = mkdtempSync(join(tmpdir(), 'writ-playground-'));
    endings.push(() => rmSync(folder, { recursive: true }));
    const file = (name: string) => join(folder, name);
    writeFileSync(file('shop.rego'), 'package shop\n\nlevel := data.level\n');
    writeFileSync(file('data.json'), '{"level": 1}');
    const { page, complaints } = await opened(folder);
    await expect.poll(() => page.locator('pre.result').textContent(), soon).toContain('"level": 1');
    await type(page, 'Data', '{"level": 2}');
    await page.keyboard.press('Control+S');
    await expect.poll(() => readFileSync(file('data.json'), 'utf8'), soon).toBe('{"level": 2}');
    writeFileSync(file('shop.rego'), 'package shop\n\nlevel := data.level + 10\n');
    await expect.poll(() => page.locator('pre.result').textContent(), soon).toContain('"level": 12');
    expect(complaints).toEqual([]);
  });

  test.each([
    ['light', 1280],
    ['dark', 1280],
    ['light', 390],
  ] as const)('has no fault of accessibility in %s colours at %i px', async (scheme, width) => {
    const { page } = await opened(undefined, { scheme, width });
    await page.evaluate(axe.source);
    for (const tab of ['Result', 'Why', 'Tests', 'Partial']) {
      await page.getByRole('tab', { name: tab }).click();
      await page.waitForTimeout(300);
      const { violations } = await page.evaluate(() => (window as unknown as { axe: typeof axe }).axe.run());
      expect(violations.map(({ id, nodes }) => [id, nodes.map(({ html }) => html)])).toEqual([]);
    }
  });

  test('has at most 800 kB in all, compressed', () => {
    const folder = join(import.meta.dirname, '../../dist/playground');
    const sizes = readdirSync(folder).map((name) => gzipSync(readFileSync(join(folder, name)), { level: 9 }).length);
    expect(sizes.reduce((sum, size) => sum + size, 0)).toBeLessThan(800_000);
  });
});

test('a page of another site can neither read the folder nor write into it', async () => {
  const folder = mkdtempSync(join(tmpdir(), 'writ-playground-'));
  endings.push(() => rmSync(folder, { recursive: true }));
  writeFileSync(join(folder, 'a.rego'), 'package a\n');
  const { address, close } = await servePlayground(0, new ProjectFolder(folder, []));
  endings.push(close);
  const put = async (path: string, headers: Record<string, string> = {}) =>
    (await fetch(`${address}folder/files/${path}`, { method: 'PUT', body: 'package b\n', headers })).status;
  expect(await put('a.rego', { origin: 'http://evil.example' })).toBe(403);
  expect(await put('%2e%2e%2fescaped.rego')).toBe(400);
  expect(await put('run.sh')).toBe(400);
  expect(await put('lib/b.rego')).toBe(204);
  expect((await fetch(`${address}folder/project`, { headers: { origin: 'http://evil.example' } })).status).toBe(403);
  expect(readFileSync(join(folder, 'a.rego'), 'utf8')).toBe('package a\n');
});
