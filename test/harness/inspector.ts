/** The inspector's page in tests: made by the command, looked at in Chromium. */
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Page } from 'playwright-core';
import { expect } from 'vitest';
import type { PageData } from '../../cli/web/data/page-data.js';
import { planLines } from '../../cli/web/page/plan-lines.js';
import { Addresses } from '../../ir-schema/address.js';
import type { Policy } from '../../ir-schema/plan.js';
import { runCommand, withFiles } from './command.js';

/** The page of policies. */
export async function pageOf(policies: Readonly<Record<string, string>>, ...names: string[]): Promise<string> {
  return withFiles(policies, async (directory) => {
    const page = join(directory, 'page.html');
    const { exit, stderr } = await runCommand('inspect', directory, ...names, '--web', '-o', page);
    expect(stderr).toBe('');
    expect(exit).toBe(0);
    return readFileSync(page, 'utf8');
  });
}

/** What the command has put into a page. */
export function dataIn(page: string): PageData {
  return JSON.parse(/<script type="application\/json" id="data">(.*?)<\/script>/s.exec(page)![1]!) as PageData;
}

/** The addresses of the statements that are lit in the plan's pane, all of which is in view. */
export async function litAddresses(page: Page, policy: Policy): Promise<readonly string[]> {
  const addresses = new Addresses(policy);
  const { statements } = planLines(policy, addresses);
  const lit = await page.$$eval('.pane-plan .cm-line', (lines) => lines.flatMap((line, i) => (line.classList.contains('lit') ? [i] : [])));
  return lit.map((line) => addresses.get(statements[line]!)!.address);
}

/** The middle of a letter: row and column from 1. */
export async function middleOf(page: Page, pane: string, row: number, col: number): Promise<{ readonly x: number; readonly y: number }> {
  return page.evaluate(
    ([selector, line, column]) => {
      const element = document.querySelectorAll(`${selector} .cm-line`)[line - 1]!;
      const walker = document.createTreeWalker(element, NodeFilter.SHOW_TEXT);
      let left = column - 1;
      for (let node = walker.nextNode(); node !== null; node = walker.nextNode()) {
        const { length } = node.textContent!;
        if (left < length) {
          const range = document.createRange();
          range.setStart(node, left);
          range.setEnd(node, left + 1);
          const box = range.getBoundingClientRect();
          return { x: box.x + box.width / 3, y: box.y + box.height / 2 };
        }
        left -= length;
      }
      throw new Error(`no letter ${line}:${column} in ${selector}`);
    },
    [pane, row, col] as const,
  );
}
