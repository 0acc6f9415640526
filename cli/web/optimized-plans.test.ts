/** The inspector's page over bundles of `build -O`: authors see what they wrote. */
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Browser } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { Addresses } from '../../ir-schema/address.js';
import { DebugIndex } from '../../ir-schema/debug-index.js';
import { skipsChromium, startChromium, withPage } from '../../test/harness/chromium.js';
import { runCommand, withFiles } from '../../test/harness/command.js';
import { dataIn, litAddresses, middleOf } from '../../test/harness/inspector.js';
import { placedAt, placesOf } from '../../views/inspect/places.js';

const policy = `package authz

default allow   := false

allow if {
	some grant in data.grants[input.user.name]
	grant.action == input.action
	startswith(input.path, grant.prefix)
	not denied[input.path]
}

allow if {
	some role in input.roles
	level := {"admin": 3, "clerk": 1}[lower(role.name)]
	high(level)
}

high(level) if level > 2

denied contains path if {
	some path, level in data.levels
	high(level)
	not startswith(path, input.user.home)
}

names := [name | some name, _ in data.grants]
`;
const files = {
  'authz.rego': policy,
  'data.json': JSON.stringify({ grants: { ann: [{ action: 'write', prefix: '/ann/' }], bob: [] }, levels: { '/secret': 5, '/open': 1 } }),
  'input.json': JSON.stringify({
    user: { name: 'ann', home: '/home' },
    action: 'write',
    path: '/ann/x',
    roles: [{ name: 'CLERK' }, { name: 'ADMIN' }],
  }),
};

let browser: Browser;

beforeAll(async () => {
  if (!skipsChromium) browser = await startChromium();
});

afterAll(() => browser?.close());

/** The page of a bundle that `build` makes with these flags. */
async function pageOf(...flags: readonly string[]): Promise<string> {
  return await builtIn(flags, async (dir, bundle) => {
    const page = join(dir, 'page.html');
    expect(await runCommand('inspect', bundle, '--web', '-o', page)).toMatchObject({ exit: 0, stderr: '' });
    return readFileSync(page, 'utf8').replaceAll(`${dir}/`, '');
  });
}

async function builtIn<T>(flags: readonly string[], use: (dir: string, bundle: string) => Promise<T>): Promise<T> {
  return await withFiles(files, async (dir) => {
    const bundle = join(dir, 'b.tar.gz');
    const inputs = [join(dir, 'authz.rego'), join(dir, 'data.json')];
    const built = await runCommand('build', '-t', 'plan', '-e', 'authz/allow', ...flags, '-o', bundle, ...inputs);
    expect(built).toMatchObject({ exit: 0, stderr: '' });
    return await use(dir, bundle);
  });
}

describe.skipIf(skipsChromium).each(['1', '2'])('the inspector of a bundle of -O %s', (level) => {
  let html: string;
  beforeAll(async () => {
    html = await pageOf('-O', level, '--debug-info=sources');
  });

  test("shows the author's file first, and those that were written behind it", async () => {
    await withPage(browser, html, {}, async ({ page }) => {
      const shown = await page.getByLabel('File').locator('option').allTextContents();
      expect(shown[0]).toBe('authz.rego');
      expect(shown).toContain('/optimized/authz.rego');
      expect(new Set(shown).size).toBe(shown.length);
      expect(await page.locator('.pane-source').textContent()).toContain('default allow   := false');
    });
  });

  test("each of the author's expressions lights the statements of `inspect --at`", { timeout: 180_000 }, async () => {
    const { policy: plan, debug } = dataIn(html).plan;
    const addresses = new Addresses(plan);
    const index = new DebugIndex(debug!, addresses);
    const placed = placesOf(plan, addresses, index);
    const places = new Set(placed.flatMap(({ file, row, col }) => (file === 'authz.rego' ? [`${row}:${col}`] : [])));
    expect(places.size).toBeGreaterThan(6);
    await withPage(browser, html, { height: 5000, fragment: '#panes=source,plan' }, async ({ page }) => {
      for (const place of places) {
        const [row, col] = place.split(':').map(Number) as [number, number];
        const wanted = placedAt(placed, { file: 'authz.rego', row, col }, index).map(({ address }) => address);
        const { x, y } = await middleOf(page, '.pane-source', row, col);
        await page.mouse.move(x, y);
        expect([place, new Set(await litAddresses(page, plan))]).toEqual([place, new Set(wanted)]);
        expect(await page.locator('.pane-source .cm-line.lit').count()).toBeGreaterThan(0);
      }
    });
  });

  test("a run shows values of the author's variables at the author's lines", async () => {
    const fragment = `#run=open&input=${encodeURIComponent(files['input.json'])}`;
    await withPage(browser, html, { fragment, height: 1400 }, async ({ page }) => {
      await page.getByRole('button', { name: 'Run', exact: true }).last().click();
      await page.getByLabel('Timeline').waitFor();
      expect(await page.locator('.result pre').textContent()).toBe('true');
      // To the last failure, which is in the rule.
      await page.getByLabel('Timeline').press('End');
      await page.getByLabel('Timeline').press('Alt+ArrowLeft');
      expect(await page.locator('.pane-source .cm-line.passed').count()).toBeGreaterThan(3);
      const lines = await page.locator('.pane-source .cm-line').allTextContents();
      expect(lines.find((line) => line.includes('some role in'))).toMatch(/role = \{"name": "ADMIN"\}/);
      expect(await page.locator('.locals').textContent()).toContain('role{"name": "ADMIN"}');
    });
  });

  test('a query is planned over the policies of the bundle, each once', async () => {
    await withPage(browser, html, { fragment: '#run=open' }, async ({ page }) => {
      await page.getByLabel('Query').fill('data.authz.names');
      await page.keyboard.press('Enter');
      await page.getByLabel('Timeline').waitFor();
      expect(JSON.parse((await page.locator('.result pre').textContent())!)).toEqual(['ann', 'bob']);
    });
  });

  test("a query's plan shows the authors' lines and variables", async () => {
    const fragment = `#run=open&input=${encodeURIComponent(files['input.json'])}`;
    await withPage(browser, html, { fragment, height: 1400 }, async ({ page }) => {
      await page.getByLabel('Query').fill('x := data.authz.allow');
      await page.keyboard.press('Enter');
      await page.getByText('"x": true').first().waitFor();
      await page.getByLabel('Timeline').press('End');
      await page.getByLabel('Timeline').press('Alt+ArrowLeft');
      const lines = await page.locator('.pane-source .cm-line').allTextContents();
      expect(lines.find((line) => line.includes('some role in'))).toMatch(/role = \{"name": "ADMIN"\}/);
    });
  });

  test('a recording has the texts of authors', async () => {
    await builtIn(['-O', level, '--debug-info'], async (dir, bundle) => {
      const [trace, file] = [join(dir, 'run.writtrace'), join(dir, 'page.html')];
      const flags = ['-b', bundle, '-i', join(dir, 'input.json'), '--record', trace];
      expect(await runCommand('eval', ...flags, 'data.authz.allow')).toMatchObject({ exit: 0, stderr: '' });
      expect(await runCommand('inspect', '--web', '--trace', trace, '-o', file)).toMatchObject({ exit: 0, stderr: '' });
      await withPage(browser, readFileSync(file, 'utf8'), {}, async ({ page }) => {
        await page.getByLabel('Timeline').press('End');
        expect(await page.locator('.pane-source').textContent()).toContain('default allow   := false');
        expect(await page.locator('.pane-source .cm-line.passed').count()).toBeGreaterThan(3);
      });
    });
  });
});

test.skipIf(skipsChromium)('of an author whose text is not formatted the bundle is shown once', async () => {
  const html = await pageOf('--debug-info=sources');
  expect(dataIn(html).sources.map(({ file }) => file)).toEqual(['authz.rego']);
  await withPage(browser, html, { fragment: '#run=open' }, async ({ page }) => {
    await page.getByLabel('Query').fill('data.authz.allow = x');
    await page.keyboard.press('Enter');
    await page.getByLabel('Timeline').waitFor();
    expect(JSON.parse((await page.locator('.result pre').textContent())!)).toEqual([{ x: false }]);
  });
});
