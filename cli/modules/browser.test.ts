/** Modules in Chromium: in a page and in a worker, where scripts may not make code of text. */
import { readFileSync } from 'node:fs';
import { expect, test } from 'vitest';
import { skipsChromium } from '../../test/harness/chromium.js';
import { withFiles } from '../../test/harness/command.js';
import { buildExample, calls, exampleFiles, expected } from '../../test/harness/example-module.js';
import { outcomeOfPage } from '../../test/harness/served-page.js';

if (skipsChromium) console.log('modules: not tested in Chromium, which is not installed');

const run = `import * as m from '/policy.mjs';
const console = { log: (text) => globalThis.outcome = text };
${calls}`;

const scripts = {
  '/': '<!doctype html><script type="module" src="/page.mjs"></script>',
  '/page.mjs': `${run}
const post = (path, body) => fetch(path, { method: 'POST', body });
addEventListener('error', ({ message }) => post('/failed', message));
const worker = new Worker('/worker.mjs', { type: 'module' });
worker.onerror = ({ message }) => post('/failed', 'worker: ' + message);
worker.onmessage = ({ data }) => post('/done', JSON.stringify({ page: JSON.parse(globalThis.outcome), worker: JSON.parse(data) }));`,
  '/worker.mjs': `${run}
postMessage(globalThis.outcome);`,
};

test.skipIf(skipsChromium)('a module decides in a page and in a worker of a browser', { timeout: 90_000 }, async () => {
  await withFiles(exampleFiles, async (directory) => {
    const module = readFileSync(await buildExample(directory, 'policy.mjs'), 'utf8');
    const outcome = JSON.parse(await outcomeOfPage(new Map(Object.entries({ ...scripts, '/policy.mjs': module })))) as unknown;
    expect(outcome).toEqual({ page: expected(directory), worker: expected(directory) });
  });
});
