/**
 * What people wait for at the inspector's page, in Chromium: the first paint of a plan of 20,000
 * statements, the light under the pointer, a timeline of 1,000,000 events and its memory, the size.
 */
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { gzipSync } from 'node:zlib';
import type { Browser, Page } from 'playwright-core';
import { startChromium } from '../../test/harness/chromium.js';
import { runCommand } from '../../test/harness/command.js';
import { median } from '../measure.js';

const rules = Array.from(
  { length: 2500 },
  (_, i) => `p contains ${i} if {\n\tinput.a[${i}] == input.b.c\n\tinput.d > ${i}\n}`,
);
const large = `package large\n\n${rules.join('\n\n')}\n`;
const long = `package long

rows contains y if {
	some x in numbers.range(1, 300000)
	y := x * 2
	y % 3 == 0
}
`;

export async function run(): Promise<void> {
  const directory = mkdtempSync(join(tmpdir(), 'writ-bench-'));
  const browser = await startChromium();
  try {
    const [plan, events] = [join(directory, 'large.html'), join(directory, 'long.html')];
    await writePage(directory, 'large.rego', large, 'large/p', plan);
    await writePage(directory, 'long.rego', long, 'long/rows', events);
    const html = readFileSync(events, 'utf8').replace(
      /(<script type="text\/plain" id="engine">).*?(<\/script>)/s,
      '$1$2',
    );
    show('the page without the engine, by gzip', gzipSync(html).length / 1000, 'kB', 400);
    await measurePaint(browser, plan);
    await measureTimeline(browser, events);
  } finally {
    await browser.close();
    rmSync(directory, { recursive: true, force: true });
  }
}

async function writePage(
  directory: string,
  name: string,
  text: string,
  entrypoint: string,
  page: string,
): Promise<void> {
  const file = join(directory, name);
  writeFileSync(file, text);
  const { exit, stderr } = await runCommand('inspect', file, entrypoint, '--web', '-o', page);
  if (exit !== 0) throw new Error(stderr);
}

async function measurePaint(browser: Browser, file: string): Promise<void> {
  const paints: number[] = [];
  const hovers: number[] = [];
  for (let i = 0; i < 5; i++) {
    const page = await browser.newPage({ viewport: { width: 1400, height: 900 } });
    await page.goto(pathToFileURL(file).href);
    await page.locator('.pane-js .cm-line').first().waitFor();
    paints.push(await firstPaint(page));
    hovers.push(await hoverTime(page));
    await page.close();
  }
  show('first paint of 20,000 statements', median(paints), 'ms', 1000);
  show('the light under the pointer', median(hovers), 'ms', 50);
}

/** With what is in the panes, as the page's script draws all at once. */
async function firstPaint(page: Page): Promise<number> {
  const name = 'first-contentful-paint';
  await page.waitForFunction((wanted) => performance.getEntriesByName(wanted).length > 0, name);
  return page.evaluate((wanted) => performance.getEntriesByName(wanted)[0]!.startTime, name);
}

/** From the move of the pointer to the frame that shows the light. */
function hoverTime(page: Page): Promise<number> {
  return page.evaluate(async () => {
    const lines = [...document.querySelectorAll('.pane-source .cm-line')].slice(4, 14);
    const times: number[] = [];
    for (const line of lines) {
      const { x, y, height } = line.getBoundingClientRect();
      const start = performance.now();
      const event = new MouseEvent('mousemove', { clientX: x + 40, clientY: y + height / 2, bubbles: true });
      line.dispatchEvent(event);
      await new Promise((resolve) => requestAnimationFrame(() => setTimeout(resolve)));
      times.push(performance.now() - start);
    }
    return times.sort((a, b) => a - b)[times.length >> 1]!;
  });
}

async function measureTimeline(browser: Browser, file: string): Promise<void> {
  const page = await browser.newPage({ viewport: { width: 1400, height: 900 } });
  await page.goto(`${pathToFileURL(file).href}#run=open`);
  await page.locator('.pane-js .cm-line').first().waitFor();
  const start = performance.now();
  await page.getByRole('button', { name: 'Run', exact: true }).last().click();
  await page.getByLabel('Timeline').waitFor({ timeout: 300_000 });
  const seconds = (performance.now() - start) / 1000;
  const events = await page.locator('.steps .event .soft').textContent();
  console.log(`${`a run of ${events}`.padEnd(56)} ${seconds.toFixed(1)} s`);
  const session = await page.context().newCDPSession(page);
  await session.send('HeapProfiler.collectGarbage');
  show('memory of the process that shows them', await largestRenderer(browser), 'MB', 300);
  show('a step on the timeline', await stepTime(page), 'ms', 16);
  await page.close();
}

/** What the largest process of a page holds, in MB, without files. */
async function largestRenderer(browser: Browser): Promise<number> {
  const session = await browser.newBrowserCDPSession();
  const { processInfo } = await session.send('SystemInfo.getProcessInfo');
  const renderers = processInfo.filter(({ type }) => type === 'renderer');
  const sizes = renderers.map(({ id }) =>
    Number(/RssAnon:\s+(\d+)/.exec(readFileSync(`/proc/${id}/status`, 'utf8'))![1]),
  );
  return Math.max(...sizes) / 1024;
}

/** Of the page's own work for a step. */
function stepTime(page: Page): Promise<number> {
  return page.evaluate(async () => {
    const timeline = document.querySelector<HTMLElement>('[aria-label=Timeline]')!;
    timeline.focus();
    const times: number[] = [];
    for (let i = 0; i < 60; i++) {
      const start = performance.now();
      timeline.dispatchEvent(new KeyboardEvent('keydown', { key: 'ArrowRight', bubbles: true }));
      times.push(performance.now() - start);
      await new Promise((resolve) => requestAnimationFrame(resolve));
    }
    return times.sort((a, b) => a - b)[times.length >> 1]!;
  });
}

function show(name: string, found: number, unit: string, most: number): void {
  console.log(`${name.padEnd(56)} ${found.toFixed(1)} ${unit} (at most ${most})`);
}
