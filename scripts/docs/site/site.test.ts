/** The site of the documentation, as readers see it. */
import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { serve } from '@hono/node-server';
import { serveStatic } from '@hono/node-server/serve-static';
import axe from 'axe-core';
import { Hono } from 'hono';
import { compress } from 'hono/compress';
import type { Browser, Page } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { skipsChromium, startChromium } from '../../../test/harness/chromium.js';
import { freePort } from '../../../test/harness/server/free-port.js';
import { own, root, run } from '../../../test/package/project.js';

// Its generator is installed from the registry, as the tools of the package are.
const isBuilt = process.env.WRIT_PACKAGE_TOOLS === 'required';
const output = join(root, 'docs-out');
const pages = new Map<string, string>();

if (!isBuilt) console.log('the site of the documentation is not tested: WRIT_PACKAGE_TOOLS is not set');

describe.skipIf(!isBuilt)('the site', { timeout: 300_000 }, () => {
  beforeAll(async () => {
    const { status, stdout, stderr } = await run(own('.bin/tsx'), ['scripts/docs/site/main.ts', '--build'], root);
    expect({ status, printed: status === 0 ? '' : stdout + stderr }).toEqual({ status: 0, printed: '' });
    for (const name of readdirSync(output, { recursive: true, encoding: 'utf8' }))
      if (name.endsWith('.html')) pages.set(name, readFileSync(join(output, name), 'utf8'));
  }, 300_000);

  test('has all pages, but those for contributors', () => {
    const written = readdirSync(join(root, 'docs'), { recursive: true, encoding: 'utf8' })
      .filter((name) => name.endsWith('.md') && !/^(?:architecture\.md$|decisions\/|internals\/|api\/)/.test(name))
      .map((name) => name.replace(/\.md$/, '.html'));
    expect(written.length).toBeGreaterThan(30);
    expect([...pages.keys()]).toEqual(expect.arrayContaining(written));
  });

  test('has each page in a sidebar', () => {
    const text = ['cli.html', 'lint/rules.html'].map((name) => pages.get(name)!).join();
    const listed = new Set([...text.matchAll(/href="\/([^"#]*)"/g)].map(([, path]) => path!.replace(/(^|\/)$/, '$1index.html')));
    const others = [...pages.keys()].filter((name) => !['404.html', 'deploy/index.html'].includes(name));
    expect(others.filter((name) => !listed.has(name))).toEqual([]);
  });

  test('has no link that leads nowhere', () => {
    const dead: string[] = [];
    for (const [name, text] of pages) {
      const main = /<main[^>]*>.*<\/main>/s.exec(text)?.[0] ?? '';
      for (const [, href] of main.matchAll(/<a [^>]*href="([^"]*)"/g)) {
        if (/^\w+:/.test(href!)) continue;
        const { pathname, hash } = new URL(href!, `http://site/${name}`);
        const path = decodeURIComponent(pathname)
          .slice(1)
          .replace(/(^|\/)$/, '$1index.html');
        const anchor = decodeURIComponent(hash.slice(1));
        const isThere = existsSync(join(output, path)) && (anchor === '' || pages.get(path)?.includes(`id="${anchor}"`));
        if (!isThere) dead.push(`${name}: ${href}`);
      }
    }
    expect(dead).toEqual([]);
  });

  test('shows a page before its scripts have run', () => {
    expect(pages.get('index.html')).toMatch(/<script[^>]* src=/);
    for (const text of pages.values())
      for (const [, attributes] of text.matchAll(/<script([^>]* src=[^>]*)>/g))
        expect(attributes).toMatch(/ (?:type="module"|async|defer)/);
  });

  describe.skipIf(skipsChromium)('in a browser', () => {
    let browser: Browser;
    let address: string;
    let close: () => void;

    beforeAll(async () => {
      browser = await startChromium();
      const port = await freePort();
      const server = serve({ fetch: new Hono().use(compress(), serveStatic({ root: output })).fetch, port, hostname: '127.0.0.1' });
      address = `http://127.0.0.1:${port}`;
      close = () => server.close();
    });
    afterAll(async () => {
      await browser.close();
      close();
    });

    async function withPage(path: string, options: { width?: number; scheme?: 'light' | 'dark' }, use: (page: Page) => Promise<void>) {
      const { width = 1280, scheme = 'light' } = options;
      const page = await browser.newPage({ viewport: { width, height: 900 }, colorScheme: scheme });
      try {
        await page.goto(`${address}/${path}`, { waitUntil: 'networkidle' });
        await use(page);
      } finally {
        await page.close();
      }
    }

    test.each(['', 'start/library.html', 'cli.html', 'author/language.html', 'author/builtins.html', 'operator/metrics.html'])(
      'axe finds nothing on /%s',
      async (path) => {
        for (const [width, scheme] of [
          [1280, 'light'],
          [1280, 'dark'],
          [390, 'light'],
        ] as const) {
          await withPage(path, { width, scheme }, async (page) => {
            await page.evaluate(axe.source);
            const violations = await page.evaluate(async () => {
              const { run } = (
                globalThis as unknown as { axe: { run: () => Promise<{ violations: { id: string; nodes: { html: string }[] }[] }> } }
              ).axe;
              return (await run()).violations.map(({ id, nodes }) => `${id}: ${nodes.map(({ html }) => html.slice(0, 200)).join('\n')}`);
            });
            expect({ width, scheme, violations }).toEqual({ width, scheme, violations: [] });
            expect(await page.evaluate(() => document.documentElement.scrollWidth)).toBe(width);
          });
        }
      },
    );

    test('its first page has at most 300 kB, and asks no other host', async () => {
      const page = await browser.newPage();
      const sizes: Promise<number>[] = [];
      const hosts = new Set<string>();
      page.on('requestfinished', (request) => {
        if (!request.url().startsWith('data:')) hosts.add(new URL(request.url()).origin);
        sizes.push(request.sizes().then(({ responseBodySize }) => responseBodySize));
      });
      await page.goto(`${address}/`, { waitUntil: 'networkidle' });
      const bytes = (await Promise.all(sizes)).reduce((sum, size) => sum + size, 0);
      await page.close();
      expect([...hosts]).toEqual([address]);
      expect(bytes).toBeGreaterThan(10_000);
      expect(bytes).toBeLessThanOrEqual(300_000);
    });

    test('its search finds pages by their words', async () => {
      await withPage('', {}, async (page) => {
        await page
          .getByRole('button', { name: /search/i })
          .first()
          .click();
        // The box loads after the click: keys pressed before that are lost.
        await page.locator('.VPLocalSearchBox input').fill('forward auth');
        await page.locator('.VPLocalSearchBox .result').first().waitFor();
        expect(await page.locator('.VPLocalSearchBox .result').first().getAttribute('href')).toContain('forward-auth');
      });
    });
  });
});
