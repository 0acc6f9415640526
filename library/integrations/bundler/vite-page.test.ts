/** Vite's development server and a page in Chromium: policies are replaced while the page stays. */
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import type { Browser, Page } from 'playwright-core';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { createViteServer } from 'vitest/node';
import { skipsChromium, startChromium } from '../../../test/harness/chromium.js';
import { withFiles } from '../../../test/harness/command.js';
import { vite } from './bundler.js';

const policy = (level: number) => `package authz\n\nlevel := ${level} if input.user in data.users\n`;

const files = {
  'index.html': '<!doctype html><link rel="icon" href="data:,"><output></output><script type="module" src="/page.js"></script>',
  'page.js': `import { level } from './authz.rego';
window.load = Math.random();
window.drawn = {};
const draw = () => {
  const now = level({ user: 'ann' });
  document.querySelector('output').textContent = String(now);
  window.drawn[now] ??= Date.now();
};
draw();
import.meta.hot.on('vite:afterUpdate', draw);
`,
  'authz.rego': policy(0),
  'data.json': '{"users": ["ann"]}',
};

/** What the page's scripts keep. */
interface Kept {
  readonly load: number;
  /** When a level was first drawn. */
  readonly drawn: Readonly<Record<string, number>>;
}

let browser: Browser;

beforeAll(async () => {
  if (!skipsChromium) browser = await startChromium();
});

afterAll(async () => await browser?.close());

async function opened(use: (page: Page, put: (path: string, text: string) => void) => Promise<void>): Promise<void> {
  await withFiles(files, async (directory) => {
    const server = await createViteServer({
      configFile: false,
      root: directory,
      logLevel: 'silent',
      server: { host: '127.0.0.1', port: 0 },
      plugins: [vite({ data: 'data.json' })],
    });
    const page = await browser.newPage();
    try {
      await server.listen();
      await page.goto(server.resolvedUrls!.local[0]!);
      await page.getByText(/^\d$/).waitFor();
      await use(page, (path, text) => writeFileSync(join(directory, path), text));
    } finally {
      await page.close();
      await server.close();
    }
  });
}

function kept(page: Page): Promise<Kept> {
  return page.evaluate(() => {
    const { load, drawn } = globalThis as unknown as Kept;
    return { load, drawn };
  });
}

/**
 * Writes again, ever later, until it is seen: Vite's watcher drops a change that follows another at
 * once, and may start after the page.
 */
async function writeUntil(write: () => void, seen: Promise<unknown>): Promise<void> {
  let timer: NodeJS.Timeout | undefined;
  const again = (wait: number) => {
    write();
    timer = setTimeout(again, wait, wait * 2);
  };
  try {
    again(2000);
    await seen;
  } finally {
    clearTimeout(timer);
  }
}

test.skipIf(skipsChromium)('a changed policy decides in the page without a reload', async () => {
  await opened(async (page, put) => {
    const { load } = await kept(page);
    const took: number[] = [];
    for (const level of [1, 2, 3, 4, 5]) {
      await delay(100);
      const written = Date.now();
      const drawn = page.getByText(String(level), { exact: true }).waitFor();
      await writeUntil(() => put('authz.rego', policy(level)), drawn);
      took.push((await kept(page)).drawn[level]! - written);
    }
    expect((await kept(page)).load).toBe(load);
    console.log(`Vite: a changed policy decides in the page after ${took.toSorted((a, b) => a - b)[2]} ms`);
  });
});

test.skipIf(skipsChromium)('an error is in the overlay at its place, and goes when it is mended', async () => {
  await opened(async (page, put) => {
    const { load } = await kept(page);
    const overlay = page.locator('vite-error-overlay');
    await writeUntil(() => put('authz.rego', `${policy(1)}\nother if inptu.x == 1\n`), overlay.waitFor());
    const part = (name: string) => overlay.locator(`.${name}`).innerText();
    expect(await part('message')).toMatch(/rego_unsafe_var_error: var inptu is unsafe/);
    expect(await part('file')).toMatch(/authz\.rego:5:10$/);
    expect(await part('frame')).toContain('5 | other if inptu.x == 1');
    expect(await page.getByText('0', { exact: true }).count()).toBe(1);
    await writeUntil(() => put('authz.rego', policy(2)), page.getByText('2', { exact: true }).waitFor());
    await overlay.waitFor({ state: 'detached' });
    expect((await kept(page)).load).toBe(load);
  });
});
