/** Pages that need no other file. */
import { escapedXml } from '../output/xml.js';
import { coverageStyle } from './html-style.js';

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
