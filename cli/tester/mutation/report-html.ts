/** Mutants as pages: a list of files, and each file with the mutants below their lines. */
import type { MutantResult, MutantStatus, MutationResult, Score } from '../../../views/index.js';
import { mutatedText, scoreOf } from '../../../views/index.js';
import { page, pageName } from '../../coverage/html-page.js';
import { patchOf } from '../../output/difference.js';
import { escapedXml } from '../../output/xml.js';
import { changeText, percent } from './report-pretty.js';

/** The pages by name: `index.html`, and one for each file. They need no other file. */
export function mutationHtml(result: MutationResult): ReadonlyMap<string, string> {
  const pages = new Map<string, string>();
  const rows: string[] = [];
  for (const [file, mutants] of Map.groupBy(result.mutants, ({ mutant }) => mutant.span.file)) {
    const name = pageName(file, pages);
    pages.set(name, filePage(file, mutants, result));
    const link = `<a href="${escapedXml(encodeURIComponent(name))}">${escapedXml(file)}</a>`;
    rows.push(row(link, scoreOf(mutants)));
  }
  const body = `<h1>Mutants</h1>\n${table('File', rows.join(''), row('All files', scoreOf(result.mutants)))}`;
  return new Map([['index.html', page('Mutants', body, mutationStyle)], ...pages]);
}

const heads = ['Score', 'Noticed', 'Survived', 'Not reached', 'Do not count']
  .map((head) => `<th scope="col">${head}</th>`)
  .join('');

function table(title: string, body: string, foot: string): string {
  return `<table>\n<thead><tr><th scope="col">${title}</th>${heads}</tr></thead>\n<tbody>\n${body}</tbody>\n<tfoot>\n${foot}</tfoot>\n</table>`;
}

function row(title: string, { score, detected, survived, notReached, invalid }: Score): string {
  const cells = [percent(score), detected, survived, notReached, invalid].map((cell) => `<td>${cell}</td>`).join('');
  return `<tr><th scope="row">${title}</th>${cells}</tr>\n`;
}

const words: Readonly<Record<MutantStatus, string>> = {
  Killed: 'noticed',
  Timeout: 'noticed: the tests did not end',
  Survived: 'survived',
  NoCoverage: 'not reached',
  CompileError: 'does not compile',
  RuntimeError: 'could not be tried',
  Ignored: 'ignored',
};

/** Statuses that ask for a test. */
const open: ReadonlySet<MutantStatus> = new Set(['Survived', 'NoCoverage']);

function filePage(file: string, mutants: readonly MutantResult[], result: MutationResult): string {
  const byRow = Map.groupBy(mutants, ({ mutant }) => mutant.span.row);
  const text = result.sources.get(file)?.text ?? '';
  const lines = text.replace(/\r?\n$/, '').split(/\r?\n/);
  const shown = lines.map((line, i) => {
    const here = byRow.get(i + 1) ?? [];
    const isMissing = here.some(({ status }) => open.has(status));
    const mark = here.length === 0 ? '' : isMissing ? ' class="missing"' : ' class="noticed"';
    const code = `<tr id="L${i + 1}"${mark}><td><a href="#L${i + 1}">${i + 1}</a></td><td><code>${escapedXml(line)}</code></td></tr>\n`;
    return here.length === 0 ? code : `${code}<tr><td></td><td>${mutantsText(here, isMissing, result)}</td></tr>\n`;
  });
  const source = `<table class="source" aria-label="Source with mutants">\n<tbody>\n${shown.join('')}</tbody>\n</table>`;
  const summary = table('File', '', row('This file', scoreOf(mutants)));
  return page(
    file,
    `<p><a href="index.html">All files</a></p>\n<h1>${escapedXml(file)}</h1>\n${summary}\n${source}`,
    mutationStyle,
  );
}

function mutantsText(mutants: readonly MutantResult[], isOpen: boolean, result: MutationResult): string {
  const counts = [...Map.groupBy(mutants, ({ status }) => words[status])].map(
    ([word, { length }]) => `${length} ${word}`,
  );
  const sorted = mutants.toSorted((a, b) => Number(open.has(b.status)) - Number(open.has(a.status)));
  const items = sorted.map(
    (each) => `<li class="${open.has(each.status) ? 'open' : 'closed'}">${item(each, result)}</li>`,
  );
  return `<details${isOpen ? ' open' : ''}><summary>${counts.join(', ')}</summary><ul>${items.join('')}</ul></details>`;
}

function item(each: MutantResult, { tests }: MutationResult): string {
  const { mutant, status, killedBy, nearest, reason } = each;
  const { source } = mutant.span;
  const by = killedBy === undefined ? '' : ` by ${tests[killedBy]?.name}`;
  const near = nearest === undefined ? '' : `; ${tests[nearest.test]?.name} came nearest`;
  const why = reason === undefined || killedBy !== undefined ? '' : `: ${reason}`;
  const title = escapedXml(`${words[status]}${by}${why}: ${changeText(each)}${near}`);
  if (!open.has(status)) return title;
  const changed = patchOf(source.file, source.text, mutatedText(mutant))
    .split('\n')
    .slice(2)
    .filter((line) => /^[-+]/.test(line));
  const marked = changed.map(
    (line) => `<span class="${line.startsWith('-') ? 'gone' : 'new'}">${escapedXml(line)}</span>`,
  );
  return `${title}<pre>${marked.join('\n')}</pre>`;
}

/** The style of mutants, beside that of coverage. */
const mutationStyle = `
table:not(.source) { display: block; overflow-x: auto; }
table:not(.source) th:first-child { min-width: 8rem; }
.noticed td:first-child { box-shadow: inset 3px 0 #2a8a4a; }
.source details { margin: 0 0 .4rem; font: 14px/1.5 system-ui, sans-serif; }
.source ul { margin: .2rem 0; padding-left: 1.2rem; }
.source pre { margin: .2rem 0; font: 13px/1.5 ui-monospace, monospace; white-space: pre-wrap; overflow-wrap: anywhere; tab-size: 4; }
.open { font-weight: 600; }
.open pre { font-weight: 400; }
.gone { background: var(--missed); }
.new { background: var(--ran); }
`;
