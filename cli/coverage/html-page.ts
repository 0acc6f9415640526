/** Pages that need no other file. */

import { escapedXml } from '../output/xml.js';

/** Two files of one name have two pages. */
export function pageName(file: string, taken: ReadonlyMap<string, string>): string {
  const base = file.replace(/^\.?\//, '').replace(/[^\w.-]+/g, '_');
  for (let i = 1; ; i++) {
    const name = `${base}${i === 1 ? '' : `-${i}`}.html`;
    if (name !== 'index.html' && !taken.has(name)) return name;
  }
}

/** @param style rules beside those of coverage */
export function page(title: string, body: string, style = ''): string {
  return `<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<title>${escapedXml(title)}</title>
<style>${coverageStyle}${style}</style>
</head>
<body>
<main>
${body}
</main>
</body>
</html>
`;
}

/** The style of the pages of coverage. Marks differ in more than their colours. */
const coverageStyle = `
:root { color-scheme: light dark; --text: #1c2024; --back: #fff; --line: #d5dae0; --link: #0b57b7; --ran: #d7f2dd; --missed: #fbd9d9; --other: #fdeec4; }
@media (prefers-color-scheme: dark) { :root { --text: #e6e9ec; --back: #14181c; --line: #39414a; --link: #7db4ff; --ran: #123d22; --missed: #571f1f; --other: #4d3d0d; } }
body { margin: 0; background: var(--back); color: var(--text); font: 16px/1.5 system-ui, sans-serif; }
main { max-width: 70rem; margin: 0 auto; padding: 1rem; }
h1 { font-size: 1.4rem; overflow-wrap: anywhere; }
a { color: var(--link); }
table { border-collapse: collapse; width: 100%; }
th, td { padding: .2rem .6rem; text-align: right; font-variant-numeric: tabular-nums; }
th:first-child { text-align: left; font-weight: inherit; overflow-wrap: anywhere; }
thead th { font-weight: 600; }
thead, tbody { border-bottom: 1px solid var(--line); }
.source { margin-top: 1rem; font: 14px/1.5 ui-monospace, monospace; }
.source td { padding: 0 .6rem; text-align: left; vertical-align: top; }
.source td:first-child { text-align: right; width: 3rem; }
.source code { white-space: pre-wrap; overflow-wrap: anywhere; tab-size: 4; font: inherit; }
.missing td:first-child { box-shadow: inset 3px 0 #d33; }
.ran { background: var(--ran); }
.missed { background: var(--missed); text-decoration: underline wavy #d33; }
.index_excluded, .early_exit { background: var(--other); text-decoration: underline dotted; }
.legend span { padding: 0 .3rem; }
`;
