/** The page of a server in Chromium. */
import { join } from 'node:path';
import axe from 'axe-core';
import type { Browser, Page } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { skipsChromium, startChromium } from '../../../test/harness/chromium.js';
import { withServedUi } from '../../../test/harness/server/served-ui.js';

if (skipsChromium) console.log("the server's page is not tested: Chromium is not installed");

const files = {
  'authz.rego': `package authz

default allow := false

allow if input.user in data.admins

allow if {
	some grant in data.grants[input.user]
	grant.action == input.action
}
`,
  'mask.rego': 'package system.log\n\nmask contains "/input/password"\n',
  'data.json': JSON.stringify({ admins: ['ann'], grants: { bob: [{ action: 'read' }] } }),
};
const authz = 'package system.authz\n\ndefault allow := false\n\nallow if input.identity == "key"\n';

let browser: Browser;

beforeAll(async () => {
  if (!skipsChromium) browser = await startChromium();
});

afterAll(() => browser?.close());

interface Opened {
  readonly page: Page;
  /** Errors, and what the policy of the page blocked. */
  readonly complaints: readonly string[];
}

async function opened(url: string, scheme: 'light' | 'dark', use: (open: Opened) => Promise<void>): Promise<void> {
  const page = await browser.newPage({ viewport: { width: 1280, height: 800 }, colorScheme: scheme });
  const complaints: string[] = [];
  page.on('console', (message) => {
    if (message.type() === 'error' || message.type() === 'warning') complaints.push(message.text());
  });
  page.on('pageerror', (error) => complaints.push(error.message));
  try {
    await page.goto(url);
    await use({ page, complaints });
  } finally {
    await page.close();
  }
}

const shots = process.env.WRIT_SHOTS;

async function looked(page: Page, name: string): Promise<void> {
  if (shots !== undefined) await page.screenshot({ path: join(shots, `${name}.png`), fullPage: true });
  await page.evaluate(axe.source);
  const found = await page.evaluate(async () => {
    const { violations } = await (globalThis as unknown as { axe: typeof axe }).axe.run();
    return violations.map(({ id, nodes }) => `${id}: ${nodes.map(({ html }) => html).join(' ')}`);
  });
  expect([name, found]).toEqual([name, []]);
}

describe.skipIf(skipsChromium)('the page of a server', { timeout: 120_000 }, () => {
  test.each(['light', 'dark'] as const)('shows all by keyboard, in %s colours, without a fault of access', async (scheme) => {
    await withServedUi(files, [], async ({ ui, decide }) => {
      for (const user of ['ann', 'bob', 'eve']) await decide('authz/allow', { user, action: 'write', password: 'hunter2' });
      await opened(`${ui}/`, scheme, async ({ page, complaints }) => {
        const tab = (name: string) => page.getByRole('navigation').getByRole('button', { name, exact: true });
        await page.getByText('ready', { exact: true }).waitFor();
        await page.getByRole('img', { name: /Requests a second/ }).waitFor();
        await looked(page, `overview-${scheme}`);

        await tab('Policies').press('Enter');
        await page.getByRole('button', { name: /authz\.rego/ }).press('Enter');
        await page.getByText('default allow := false').waitFor();
        await looked(page, `policies-${scheme}`);

        await tab('Data').press('Enter');
        await page.getByRole('button', { name: 'grants' }).press('Enter');
        await page.getByRole('button', { name: 'bob' }).press('Enter');
        await page.getByRole('button', { name: '0' }).press('Enter');
        await page.getByText('"read"').waitFor();
        await looked(page, `data-${scheme}`);

        await tab('Decisions').press('Enter');
        await page.getByRole('button', { name: 'authz/allow' }).first().press('Enter');
        await page.getByRole('heading', { name: 'Why' }).waitFor();
        await page.getByText(/input\.user in data\.admins/).waitFor();
        expect(await page.content()).not.toContain('hunter2');
        await looked(page, `decisions-${scheme}`);
        const [inspector] = await Promise.all([
          page.waitForEvent('popup'),
          page.getByRole('link', { name: 'Plan in the inspector' }).press('Enter'),
        ]);
        await inspector.getByText('plan "authz/allow"').waitFor();
        await inspector.getByRole('button', { name: 'Run', exact: true }).last().press('Enter');
        await inspector.getByLabel('Timeline').waitFor();
        expect(await inspector.content()).not.toContain('hunter2');
        await looked(inspector, `inspector-${scheme}`);

        await tab('Query').press('Enter');
        await page.getByRole('textbox', { name: 'Query' }).fill('x := data.authz.allow');
        await page.getByLabel('Input, as JSON').fill('{"user": "ann"}');
        await page.keyboard.press('Control+Enter');
        await page.getByText('"x": true').waitFor();
        await looked(page, `query-${scheme}`);
        await page.getByRole('textbox', { name: 'Query' }).fill('x := nothing(1)');
        await page.getByRole('button', { name: 'Ask' }).press('Enter');
        await page.getByText(/undefined function nothing/).waitFor();
        // The browser tells of the answer 400.
        expect(complaints.filter((text) => !text.includes('400'))).toEqual([]);
      });
    });
  });

  test('asks for a token where the policy wants one', async () => {
    const flags = ['--authentication=token', '--authorization=basic'];
    await withServedUi({ ...files, 'auth.rego': authz }, flags, async ({ ui }) => {
      await opened(`${ui}/`, 'light', async ({ page }) => {
        await page.getByLabel('Token').fill('wrong');
        await page.getByRole('button', { name: 'Open' }).press('Enter');
        await looked(page, 'token');
        expect(await page.getByText('No bundle is loaded.').count()).toBe(0);
        await page.getByLabel('Token').fill('key');
        await page.getByRole('button', { name: 'Open' }).press('Enter');
        await page.getByText('No bundle is loaded.').waitFor();
        await page.getByRole('button', { name: 'Policies' }).press('Enter');
        await page.getByRole('button', { name: /authz\.rego/ }).press('Enter');
        const [inspector] = await Promise.all([
          page.waitForEvent('popup'),
          page.getByRole('link', { name: 'Plan in the inspector' }).press('Enter'),
        ]);
        await inspector.getByText('plan "authz"').waitFor();
        await page.goto(`${ui}/ui/plan?decision=none`);
        await page.getByRole('alert').getByText('the decision is not kept any more').waitFor();
        await looked(page, 'no-plan');
        // Without the token there is nothing of the server.
        const stranger = await browser.newPage();
        await stranger.goto(`${ui}/ui/plan?path=authz`);
        await stranger.getByText('There is no plan to show').waitFor();
        expect((await stranger.content()).includes('data.admins')).toBe(false);
        await stranger.close();
      });
    });
  });

  test('says when the server is gone, and goes on when it is back', async () => {
    await withServedUi(files, [], async ({ ui }) => {
      await opened(`${ui}/`, 'light', async ({ page }) => {
        await page.getByText('ready', { exact: true }).waitFor();
        await page.context().setOffline(true);
        await page.getByText('The server does not answer.').waitFor();
        await page.getByText('not ready').waitFor();
        await page.context().setOffline(false);
        await page.getByText('ready', { exact: true }).waitFor();
        expect(await page.getByText('The server does not answer.').count()).toBe(0);
      });
    });
  });
});
