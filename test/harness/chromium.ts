/** A headless Chromium for tests of pages. */
import { existsSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { type Browser, chromium, type Page } from 'playwright-core';

/**
 * Where it is installed; undefined where it is not. The build without windows has the same engine
 * and takes half of the processor time.
 */
export const chromiumPath = ['lib/chromium/chromium-headless-shell', 'bin/chromium', 'bin/chromium-browser']
  .map((path) => `/usr/${path}`)
  .find((path) => existsSync(path));

/** Whether tests without it are skipped: where it is installed for them, they fail. */
export const skipsChromium = chromiumPath === undefined && process.env.WRIT_CHROMIUM !== 'required';

export async function startChromium(): Promise<Browser> {
  return chromium.launch({ executablePath: chromiumPath!, args: ['--no-sandbox', '--disable-gpu'] });
}

interface PageOptions {
  readonly width?: number;
  readonly height?: number;
  readonly scheme?: 'light' | 'dark';
  /** The fragment of the address. */
  readonly fragment?: string;
}

export interface OpenPage {
  readonly page: Page;
  /** Addresses that it asked for, but for its own file and what it holds itself. */
  readonly requests: readonly string[];
  /** Errors, and what its policy blocked. */
  readonly complaints: readonly string[];
}

/** Opens a page from a file, as users do. */
export async function withPage<T>(browser: Browser, html: string, options: PageOptions, use: (open: OpenPage) => Promise<T>): Promise<T> {
  const directory = mkdtempSync(join(tmpdir(), 'writ-page-'));
  const file = join(directory, 'page.html');
  writeFileSync(file, html);
  const { width = 1280, height = 800, scheme = 'light', fragment = '' } = options;
  const page = await browser.newPage({ viewport: { width, height }, colorScheme: scheme });
  const requests: string[] = [];
  const complaints: string[] = [];
  page.on('request', (request) => {
    if (!/^(?:data|blob):/.test(request.url()) && request.url().split('#')[0] !== pathToFileURL(file).href) requests.push(request.url());
  });
  page.on('console', (message) => {
    if (message.type() === 'error' || message.type() === 'warning') complaints.push(message.text());
  });
  page.on('pageerror', (error) => complaints.push(error.message));
  try {
    await page.goto(`${pathToFileURL(file).href}${fragment}`);
    return await use({ page, requests, complaints });
  } finally {
    await page.close();
    rmSync(directory, { recursive: true, force: true });
  }
}
