/** The inspector's page in Chromium. */
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { gzipSync } from 'node:zlib';
import axe from 'axe-core';
import type { Browser, Page } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { Addresses } from '../../ir-schema/address.js';
import { skipsChromium, startChromium, withPage } from '../../test/harness/chromium.js';
import { runCommand, withFiles } from '../../test/harness/command.js';
import { dataIn, litAddresses, middleOf, pageOf } from '../../test/harness/inspector.js';
import { statementsAt } from '../../views/inspect/places.js';
import type { PageData } from './data/page-data.js';
import { planLines } from './page/plan-lines.js';

if (skipsChromium) console.log('the inspector is not tested: Chromium is not installed');

const files = {
  'authz.rego': `package authz

default allow := false

allow if "admin" in input.user.roles

allow if {
	some grant in data.grants[input.user.name]
	grant.action == input.action
	startswith(input.path, grant.prefix)
	not denied[input.path]
}

denied contains path if {
	some path, level in data.levels
	level > 3
	not owns(input.user, path)
}

owns(user, path) if startswith(path, concat("/", ["", user.name, ""]))

names := [name | some name, _ in data.grants]
`,
  'data.json': JSON.stringify({
    grants: {
      ann: [
        { action: 'read', prefix: '/' },
        { action: 'write', prefix: '/ann/' },
      ],
      bob: [],
    },
    levels: { '/secret': 5, '/open': 1 },
  }),
};
const input = { user: { name: 'ann', roles: ['dev'] }, action: 'write', path: '/ann/x' };

let browser: Browser;
let html: string;
let data: PageData;

beforeAll(async () => {
  if (skipsChromium) return;
  browser = await startChromium();
  html = await pageOf(files, 'authz/allow', 'authz/names');
  data = dataIn(html);
});

afterAll(() => browser?.close());

describe.skipIf(skipsChromium)('the inspector', () => {
  test('is one file that asks no host for anything, and obeys its own policy', async () => {
    await withPage(browser, html, { fragment: '#run=open' }, async ({ page, requests, complaints }) => {
      await page.getByRole('button', { name: 'Run', exact: true }).last().click();
      await page.getByLabel('Timeline').waitFor();
      expect(requests).toEqual([]);
      expect(complaints).toEqual([]);
    });
    expect(html).not.toMatch(/unsafe-(?:eval|inline)/);
  });

  test('is at most 400 kB when compressed, without the engine', () => {
    const withoutEngine = html.replace(/(<script type="text\/plain" id="engine">).*?(<\/script>)/s, '$1$2');
    expect(withoutEngine.length).toBeLessThan(html.length);
    expect(gzipSync(withoutEngine).length).toBeLessThan(400_000);
  });

  test('each expression that is pointed at lights the statements of `inspect --at`', { timeout: 180_000 }, async () => {
    const { policy } = data.plan;
    const [source] = data.sources;
    const addresses = new Addresses(policy);
    const places = new Set([...addresses].map(({ stmt: { stmt } }) => `${stmt.row}:${stmt.col}`));
    expect(places.size).toBeGreaterThan(15);
    await withPage(browser, html, { height: 5000, fragment: '#panes=source,plan' }, async ({ page }) => {
      for (const place of places) {
        const [row, col] = place.split(':').map(Number) as [number, number];
        const wanted = statementsAt(policy, addresses, { file: source!.file, row, col }).map(({ address }) => address);
        if (wanted.length === 0) continue;
        const { x, y } = await middleOf(page, '.pane-source', row, col);
        await page.mouse.move(x, y);
        expect([place, await litAddresses(page, policy)]).toEqual([place, wanted]);
      }
    });
  });

  test('each statement that is pointed at lights its place, its instructions and its JavaScript', async () => {
    const { policy, program, js } = data.plan;
    const addresses = new Addresses(policy);
    const { statements } = planLines(policy, addresses);
    await withPage(browser, html, { height: 14_000 }, async ({ page }) => {
      for (const [line, statement] of statements.entries()) {
        if (statement < 0) continue;
        const { x, y } = await middleOf(page, '.pane-plan', line + 1, 8);
        await page.mouse.move(x, y);
        const { row } = addresses.get(statement)!.stmt.stmt;
        const lit = await page.evaluate(() => {
          const linesIn = (pane: string) =>
            [...document.querySelectorAll(`${pane} .cm-line`)].flatMap((each, i) => (each.classList.contains('lit') ? [i] : []));
          return { source: linesIn('.pane-source'), program: linesIn('.pane-program'), js: linesIn('.pane-js') };
        });
        const linesOf = (all: readonly number[]) => all.flatMap((each, i) => (each === statement ? [i] : []));
        expect(lit.program).toEqual(linesOf(program.statements));
        expect(lit.js).toEqual(linesOf(js.statements));
        if (addresses.get(statement)!.owner.kind === 'func') expect(lit.source).toContain(row - 1);
      }
    });
  });

  test('a run shows the result, the values at each event, and where they come from', async () => {
    await withPage(browser, html, { fragment: `#run=open&input=${encodeURIComponent(JSON.stringify(input))}` }, async ({ page }) => {
      await page.getByRole('button', { name: 'Run', exact: true }).last().click();
      await page.getByLabel('Timeline').waitFor();
      expect(await page.locator('.result pre').textContent()).toBe('true');
      await page.getByLabel('Timeline').focus();
      // To the first failure: the grant of another action.
      await page.keyboard.press('Alt+ArrowRight');
      expect(await page.locator('.event code').textContent()).toMatch(/^fail /);
      expect(await page.locator('.locals').textContent()).toMatch(/grant\{"action": "read"/);
      expect(await page.locator('.pane-source').textContent()).toContain('grant = {"action": "read"');
      await page
        .getByRole('button', { name: /^Where does .* come from/ })
        .last()
        .click();
      expect(await page.locator('.origin li').count()).toBeGreaterThan(1);
      await page.keyboard.press('Escape');
      const before = await page.locator('.event').textContent();
      await page.getByLabel('Timeline').focus();
      await page.keyboard.press('ArrowRight');
      expect(await page.locator('.event').textContent()).not.toBe(before);
      await page.keyboard.press('ArrowLeft');
      expect(await page.locator('.event').textContent()).toBe(before);
    });
  });

  test('a query over the sources is planned and evaluated in the page', async () => {
    await withPage(browser, html, { fragment: '#run=open' }, async ({ page }) => {
      await page.getByLabel('Query').fill('x := count(data.authz.names) + 1');
      await page.keyboard.press('Enter');
      await page.getByLabel('Timeline').waitFor();
      expect(JSON.parse((await page.locator('.result pre').textContent())!)).toEqual([{ x: 3 }]);
      await page.getByLabel('Query').fill('data.authz.names');
      await page.keyboard.press('Enter');
      await page.getByText('"bob"').first().waitFor();
      expect(JSON.parse((await page.locator('.result pre').textContent())!)).toEqual(['ann', 'bob']);
      await page.getByLabel('Query').fill('data.authz.nothing[');
      await page.keyboard.press('Enter');
      expect(await page.getByRole('alert').textContent()).toContain('rego_parse_error');
    });
  });

  test('two inputs are compared up to their first difference', async () => {
    await withPage(browser, html, { fragment: `#run=open&input=${encodeURIComponent(JSON.stringify(input))}` }, async ({ page }) => {
      await page.getByLabel('compare with another input').check();
      await page.getByRole('button', { name: 'Run', exact: true }).last().click();
      await page.getByText('Both inputs take the same way').waitFor();
      const other = page.getByLabel('Other input', { exact: true });
      await other.click();
      await page.keyboard.press('Control+a');
      await page.keyboard.insertText(JSON.stringify({ ...input, action: 'none' }));
      await page.keyboard.press('Control+Enter');
      await page.getByText('first difference: event').waitFor();
      expect(await page.locator('.event code').textContent()).toMatch(/"action"|==/);
      expect(await page.locator('.result pre').allTextContents()).toEqual(['true', 'false']);
      // Both values, the first other way, and the next difference from there.
      expect(await page.locator('.difference .both').textContent()).toMatch(/^.+ ≠ .+$/);
      await page.getByRole('button', { name: 'first other way' }).click();
      const way = await page.locator('.event .soft').textContent();
      await page.getByRole('button', { name: 'Previous difference' }).click();
      expect(await page.locator('.event .soft').textContent()).not.toBe(way);
      await page.getByRole('button', { name: 'Next difference' }).click();
      expect(await page.locator('.event .soft').textContent()).toBe(way);
      await page.getByLabel('Result', { exact: true }).focus();
      expect(await page.evaluate(() => document.activeElement?.getAttribute('aria-label'))).toBe('Result');
    });
  });

  test('calls fold into packages, have heat, and fit into the window', async () => {
    await withPage(
      browser,
      html,
      { fragment: `#view=calls&run=open&input=${encodeURIComponent(JSON.stringify(input))}` },
      async ({ page }) => {
        await page.getByRole('button', { name: 'Run', exact: true }).last().click();
        await page.locator('.node .heat').first().waitFor();
        const all = await page.locator('.node').count();
        await page.getByLabel('fold packages').check();
        const folded = await page.locator('.node').count();
        expect(folded).toBeLessThan(all);
        expect(await page.locator('.node-package').first().textContent()).toMatch(/data\.authz.*functions/);
        await page.getByRole('button', { name: 'fit' }).click();
        const fits = await page
          .locator('.graph')
          .evaluate((graph) => graph.scrollWidth <= graph.clientWidth && graph.scrollHeight <= graph.clientHeight + 1);
        expect(fits).toBe(true);
        await page.locator('.node-package').first().dblclick();
        expect(await page.locator('.node').count()).toBe(all);
      },
    );
  });

  test('the plan has the names that authors gave to locals', async () => {
    await withPage(browser, html, { fragment: '#panes=plan' }, async ({ page }) => {
      await page.locator('.pane-plan .cm-line').first().waitFor();
      expect(await page.locator('.pane-plan .cm-content').textContent()).toMatch(/ {2}l\d+ = [a-z]+/);
    });
  });

  test('a recording is opened from the command and in the page, without its sources beside it', async () => {
    await withFiles({ ...files, 'input.json': JSON.stringify(input) }, async (directory) => {
      const [trace, page] = [join(directory, 'run.writtrace'), join(directory, 'page.html')];
      const policies = ['-d', join(directory, 'authz.rego'), '-d', join(directory, 'data.json'), '-i', join(directory, 'input.json')];
      await runCommand('eval', ...policies, '--record', trace, 'data.authz.allow');
      expect((await runCommand('inspect', '--web', '--trace', trace, '-o', page)).stderr).toBe('');
      const recorded = readFileSync(page, 'utf8');
      await withPage(browser, recorded, {}, async (open) => {
        await open.page.getByLabel('Timeline').waitFor();
        expect(await open.page.locator('.result pre').textContent()).toContain('true');
        expect(await open.page.locator('.pane-source').textContent()).toContain('package authz');
        expect(open.complaints).toEqual([]);
      });
      await withPage(browser, html, { fragment: '#run=open' }, async (open) => {
        await open.page.getByLabel('Open a recording…').setInputFiles(trace);
        await open.page.getByLabel('Timeline').waitFor();
        await open.page.getByLabel('Timeline').press('End');
        expect(await open.page.locator('.event code').textContent()).toMatch(/^exit /);
        await open.page.getByLabel('Open a recording…').setInputFiles(page);
        expect(await open.page.getByRole('alert').textContent()).toContain('invalid recording');
      });
    });
  });

  test('a profile warms the lines, and a second plan stands beside the first', async () => {
    await withFiles({ ...files, 'input.json': JSON.stringify(input) }, async (directory) => {
      const [profile, page] = [join(directory, 'profile.out'), join(directory, 'page.html')];
      const policies = ['-d', join(directory, 'authz.rego'), '-d', join(directory, 'data.json'), '-i', join(directory, 'input.json')];
      writeFileSync(profile, (await runCommand('eval', ...policies, '--plan-profile=json', 'data.authz.allow')).stdout);
      const policy = join(directory, 'authz.rego');
      expect((await runCommand('inspect', policy, 'authz/allow', '--web', '--profile', profile, '-o', page)).stderr).toBe('');
      await withPage(browser, readFileSync(page, 'utf8'), {}, async (open) => {
        await open.page.locator('.pane-source .cm-line[class*=heat-]').first().waitFor();
        expect(await open.page.locator('.pane-source .cm-line.passed').count()).toBeGreaterThan(2);
      });
      const other = join(directory, 'other.rego');
      writeFileSync(other, files['authz.rego'].replace('level > 3', 'level > 4'));
      expect((await runCommand('inspect', policy, other, 'authz/allow', '--web', '--diff', '-o', page)).stderr).toBe('');
      await withPage(browser, readFileSync(page, 'utf8'), {}, async (open) => {
        expect(await open.page.locator('.bar').textContent()).toContain('1 change ');
        expect(await open.page.locator('.cm-changedLine').count()).toBe(2);
        await open.page.getByRole('button', { name: 'Code' }).click();
        expect(await open.page.evaluate(() => location.hash)).toBe('#view=code');
      });
    });
  });

  test('two plans that differ in numbers of locals alone have no painted line', async () => {
    await withFiles(files, async (directory) => {
      const [first, second, page] = ['a.tgz', 'b.tgz', 'page.html'].map((name) => join(directory, name)) as [string, string, string];
      for (const [bundle, ...flags] of [[first], [second, '--plan-locals', 'unique']] as const)
        await runCommand('build', '-t', 'plan', '-e', 'authz/allow', ...flags, '-o', bundle, join(directory, 'authz.rego'));
      await runCommand('inspect', first, second, '--web', '--diff', '-o', page);
      await withPage(browser, readFileSync(page, 'utf8'), {}, async (open) => {
        await open.page.locator('.merged .cm-collapsedLines').first().waitFor();
        expect(await open.page.locator('.bar').textContent()).toContain('0 changes ');
        expect(await open.page.locator('.cm-changedLine').count()).toBe(0);
      });
    });
  });

  test.each(['diff', 'nosuch', ''])('a link to the view "%s", which the page has not, shows the code', async (view) => {
    await withPage(browser, html, { fragment: `#view=${view}` }, async ({ page }) => {
      await page.locator('.pane-plan .cm-line').first().waitFor({ timeout: 10_000 });
      expect(await page.locator('.views [aria-current=page]').textContent()).toBe('Code');
    });
  });

  test('the file of the entrypoint is shown first', async () => {
    const policies = { 'a.rego': 'package a\n\nf(x) if x > 1\n', 'b.rego': 'package b\n\nallow if data.a.f(input.x)\n' };
    await withPage(browser, await pageOf(policies, 'b/allow'), {}, async ({ page }) => {
      expect(await page.locator('.pane-source .cm-content').textContent()).toContain('package b');
    });
  });

  test('the address holds what is shown', async () => {
    const address = [...new Addresses(data.plan.policy)][4]!.address;
    await withPage(browser, html, { fragment: `#view=blocks&at=${address}&theme=dark` }, async ({ page }) => {
      expect(await page.locator('.status .address').textContent()).toBe(address);
      expect(await page.locator('.node.chosen').count()).toBe(1);
      await page.getByRole('button', { name: 'Code' }).click();
      await page.getByRole('button', { name: 'JavaScript' }).click();
      const fragment = await page.evaluate(() => location.hash);
      expect(fragment).toBe(`#panes=source,plan,program&at=${address}&theme=dark`);
    });
  });

  test('a graph that is wider than the window begins at its first node', async () => {
    const callees = [1, 2, 3, 4, 5].map((i) => `called_by_the_rule_${i}(x) if x > ${i}`);
    const calls = [1, 2, 3, 4, 5].map((i) => `\tcalled_by_the_rule_${i}(input.x)`);
    const wide = await pageOf({ 'p.rego': ['package p', 'r if {', ...calls, '}', ...callees].join('\n') }, 'p/r');
    await withPage(browser, wide, { width: 390, fragment: '#view=calls' }, async ({ page }) => {
      const box = await page.locator('.node').first().boundingBox();
      expect(box!.x).toBeGreaterThanOrEqual(0);
      expect(box!.x + box!.width).toBeLessThanOrEqual(390);
    });
  });

  test('all of a result is shown on a narrow screen', async () => {
    await withPage(browser, html, { width: 390, fragment: '#run=open' }, async ({ page }) => {
      await page.getByLabel('Query').fill('data.authz.names; {"a": [1, 2, 3]}');
      await page.getByRole('button', { name: 'Run', exact: true }).last().click();
      const result = page.getByRole('region', { name: 'Result' });
      await result.locator('pre').waitFor();
      const [inner, outer] = [await result.locator('pre').boundingBox(), await result.boundingBox()];
      expect(inner!.height).toBeGreaterThan(40);
      expect(outer!.height).toBeGreaterThanOrEqual(inner!.height);
    });
  });

  test('everything is reached by keys', async () => {
    await withPage(browser, html, {}, async ({ page }) => {
      await page.locator('.search input').waitFor();
      await page.keyboard.press('/');
      await page.keyboard.type('denied');
      await page.keyboard.press('Enter');
      expect(await page.locator('.status .address').textContent()).toContain('denied');
      // The cursor walks through the plan's pane, and the others follow.
      await page.keyboard.press('2');
      await page.keyboard.press('Control+Home');
      for (let i = 0; i < 2; i++) await page.keyboard.press('ArrowDown');
      expect(await page.locator('.status .address').textContent()).toBe('authz/allow/0.0');
      await page.keyboard.press('1');
      await page.waitForFunction(() => document.activeElement?.getAttribute('aria-label') === 'Source', undefined, { timeout: 10_000 });
      const reached = new Set<string>();
      for (let i = 0; i < 25; i++) {
        await page.keyboard.press('Tab');
        reached.add(
          await page.evaluate(() => document.activeElement?.getAttribute('aria-label') ?? document.activeElement?.textContent ?? ''),
        );
      }
      expect([...reached]).toEqual(expect.arrayContaining(['Code', 'Calls', 'Blocks', 'Passes', 'Run', 'Search', 'Plan', 'Program']));
      await page.getByRole('button', { name: 'Blocks' }).press('Enter');
      await page.locator('.node[tabindex="0"]').press('ArrowDown');
      await page.waitForFunction(() => document.activeElement?.getAttribute('data-node') === '1', undefined, { timeout: 10_000 });
    });
  });

  test.each(['code', 'calls', 'blocks', 'passes'])('axe finds nothing serious in the view %s', { timeout: 120_000 }, async (view) => {
    for (const [scheme, width] of [
      ['light', 1280],
      ['dark', 1280],
      ['light', 390],
    ] as const) {
      await withPage(browser, html, { scheme, width, fragment: `#view=${view}&run=open` }, async ({ page }) => {
        if (view === 'code') {
          await page.getByRole('button', { name: 'Run', exact: true }).last().click();
          await page.getByLabel('Timeline').waitFor();
        }
        if (view === 'passes') await page.locator('.merged').waitFor();
        expect(await violationsOf(page)).toEqual([]);
      });
    }
  });

  test('axe finds nothing serious in the view diff', { timeout: 120_000 }, async () => {
    const compared = await withFiles(files, async (directory) => {
      const [first, second, page] = ['authz.rego', 'other.rego', 'page.html'].map((name) => join(directory, name)) as [
        string,
        string,
        string,
      ];
      writeFileSync(second, files['authz.rego'].replace('level > 3', 'level > 4'));
      expect((await runCommand('inspect', first, second, 'authz/allow', '--web', '--diff', '-o', page)).stderr).toBe('');
      return readFileSync(page, 'utf8');
    });
    for (const [scheme, width] of [
      ['light', 1280],
      ['dark', 1280],
      ['light', 390],
    ] as const) {
      await withPage(browser, compared, { scheme, width, fragment: '#view=diff' }, async ({ page }) => {
        await page.locator('.cm-changedLine').first().waitFor();
        expect(await violationsOf(page)).toEqual([]);
      });
    }
  });

  test('of a plan of 20,000 statements only what is in view is made', async () => {
    const rules = Array.from({ length: 2500 }, (_, i) => `p contains ${i} if {\n\tinput.a[${i}] == input.b.c\n\tinput.d > ${i}\n}`);
    const large = await pageOf({ 'large.rego': `package large\n\n${rules.join('\n\n')}\n` }, 'large/p');
    expect([...new Addresses(dataIn(large).plan.policy)].length).toBeGreaterThan(15_000);
    await withPage(browser, large, {}, async ({ page }) => {
      await page.locator('.pane-js .cm-line').first().waitFor();
      expect(await page.locator('.cm-line').count()).toBeLessThan(500);
    });
  });
});

/** What axe finds serious or critical. */
async function violationsOf(page: Page): Promise<readonly string[]> {
  await page.evaluate(axe.source);
  return page.evaluate(async () => {
    const { run } = (globalThis as unknown as { axe: { run: () => Promise<AxeResults> } }).axe;
    return (await run()).violations
      .filter(({ impact }) => impact === 'serious' || impact === 'critical')
      .map(({ id, nodes }) => `${id}: ${nodes.map(({ html: node, any }) => `${node.slice(0, 200)} ${any[0]?.message ?? ''}`).join('\n')}`);
  });
}

interface AxeResults {
  readonly violations: readonly {
    readonly id: string;
    readonly impact: string;
    readonly nodes: readonly { readonly html: string; readonly any: readonly { readonly message: string }[] }[];
  }[];
}
