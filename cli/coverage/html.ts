/** Coverage as pages: a list of files, and each file with the parts that ran marked. */
import { type Module, printRef } from '../../compiler/index.js';
import { escapedXml } from '../output/xml.js';
import type { Coverage, FileCoverage, Range } from './coverage.js';
import { page, pageName } from './html-page.js';
import { coverageRows } from './lines.js';

/** The pages by name: `index.html`, and one for each file. They need no other file. */
export function coverageHtml({ files, ...total }: Coverage, modules: Iterable<Module>): ReadonlyMap<string, string> {
  const pages = new Map<string, string>();
  const rows: string[] = [];
  const sources = new Map([...modules].map((module) => [module.source.file, module]));
  for (const [file, coverage] of Object.entries(files)) {
    const name = pageName(file, pages);
    // Coverage is of these modules' files.
    pages.set(name, filePage(file, coverage, sources.get(file)!));
    const link = `<a href="${escapedXml(encodeURIComponent(name))}">${escapedXml(file)}</a>`;
    rows.push(row(link, coverage));
  }
  const table = `<table>\n<thead><tr><th scope="col">File</th>${heads}</tr></thead>\n<tbody>\n${rows.join('')}</tbody>\n<tfoot>\n${row('All files', total)}</tfoot>\n</table>`;
  return new Map([['index.html', page('Coverage', `<h1>Coverage</h1>\n${table}`)], ...pages]);
}

const heads = '<th scope="col">Covered</th><th scope="col">Lines</th><th scope="col">Not covered</th>';

function row(title: string, { covered_lines = 0, not_covered_lines = 0, coverage = 0 }: FileCoverage): string {
  const share = covered_lines + not_covered_lines === 0 ? '–' : `${coverage.toFixed(1)} %`;
  return `<tr><th scope="row">${title}</th><td>${share}</td><td>${covered_lines + not_covered_lines}</td><td>${not_covered_lines}</td></tr>\n`;
}

function filePage(file: string, coverage: FileCoverage, module: Module): string {
  const { covered = [], not_covered = [] } = coverage;
  const lines = module.source.text.replace(/\r?\n$/, '').split(/\r?\n/);
  const marks = marksOf(lines, [
    ...covered.map((range) => [range, 'ran'] as const),
    ...not_covered.map((range) => [range, missed(range)] as const),
  ]);
  const known = new Set(
    coverageRows(coverage)
      .filter((line) => line.covered < line.parts)
      .map((line) => line.row),
  );
  const shown = lines.map((line, i) => {
    const row = i + 1;
    const text = lineText(line, marks[i] ?? []);
    const missing = known.has(row) ? ' class="missing"' : '';
    return `<tr id="L${row}"${missing}><td><a href="#L${row}">${row}</a></td><td><code>${text}</code></td></tr>\n`;
  });
  const summary = `<table>\n<thead><tr><th scope="col">Rule</th>${heads}</tr></thead>\n<tbody>\n${rulesOf(module, coverage)}</tbody>\n<tfoot>\n${row('File', coverage)}</tfoot>\n</table>`;
  const source = `<table class="source" aria-label="Source">\n<tbody>\n${shown.join('')}</tbody>\n</table>`;
  const legend = `<p class="legend"><span class="ran">evaluated</span> ${kinds.map((kind) => `<span class="${kind}">${reasons[kind]}</span>`).join(' ')}</p>`;
  return page(
    file,
    `<p><a href="index.html">All files</a></p>\n<h1>${escapedXml(file)}</h1>\n${summary}\n${legend}\n${source}`,
  );
}

/** Why a part did not run. */
type Missed = 'missed' | 'index_excluded' | 'early_exit';

const reasons: Readonly<Record<Missed, string>> = {
  missed: 'not evaluated',
  index_excluded: 'left out by the rule index: constants exclude the rule',
  early_exit: 'not needed: the value was known before',
};
const kinds = Object.keys(reasons) as readonly Missed[];

function missed({ kinds: [kind] = [] }: Range): Missed {
  return kind ?? 'missed';
}

type Mark = 'ran' | Missed | undefined;

/** A mark for each character; inner parts are marked over outer ones. */
function marksOf(lines: readonly string[], parts: readonly (readonly [Range, Mark])[]): readonly Mark[][] {
  const marks = lines.map((line): Mark[] => Array.from({ length: [...line].length }, () => undefined));
  const outerFirst = parts.toSorted(([a], [b]) => before(a, b));
  for (const [{ start, end }, mark] of outerFirst) {
    for (const [i, characters] of marks.slice(start.row - 1, end.row).entries()) {
      const row = start.row + i;
      const to = row === end.row ? end.col - 1 : characters.length;
      characters.fill(mark, row === start.row ? start.col - 1 : 0, Math.min(to, characters.length));
    }
  }
  return marks;
}

/** The order of starts; of two that start at one place, the longer one comes first. */
function before(a: Range, b: Range): number {
  return a.start.row - b.start.row || a.start.col - b.start.col || b.end.row - a.end.row || b.end.col - a.end.col;
}

function lineText(line: string, marks: readonly Mark[]): string {
  const characters = [...line];
  let text = '';
  for (let at = 0; at < characters.length; ) {
    const mark = marks[at];
    let end = at + 1;
    while (end < characters.length && marks[end] === mark) end++;
    const part = escapedXml(characters.slice(at, end).join(''));
    if (mark === undefined) text += part;
    else
      text +=
        mark === 'ran'
          ? `<span class="ran">${part}</span>`
          : `<span class="${mark}" title="${reasons[mark]}">${part}</span>`;
    at = end;
  }
  return text;
}

/** The rules of a file with their own lines. */
function rulesOf({ rules }: Module, { covered = [], not_covered = [] }: FileCoverage): string {
  return rules
    .map(({ head, loc }) => {
      const { row: first } = loc;
      const { row: last } = loc.endPosition;
      const inside = ({ start, end }: Range) => start.row >= first && end.row <= last;
      const lines = coverageRows({ covered: covered.filter(inside), not_covered: not_covered.filter(inside) });
      const missing = lines.filter((line) => line.covered === 0).length;
      const share = lines.length === 0 ? {} : { coverage: (100 * (lines.length - missing)) / lines.length };
      const link = `<a href="#L${first}">${escapedXml(printRef(head.ref))}</a>`;
      return row(link, { covered_lines: lines.length - missing, not_covered_lines: missing, ...share });
    })
    .join('');
}
