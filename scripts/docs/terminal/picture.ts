/** The picture of a terminal in the README: commands and what they print, run when it is made. */
import type { Io } from '../../../cli/io.js';
import { runCommandLine } from '../../../cli/run.js';

/** Where it stands, from the project's root. */
export const picturePath = 'docs/terminal.svg';

const commands = [
  'writ eval --why -d fixtures/example -i fixtures/example-input.json data.authz.allow',
  'writ eval -f pretty -d fixtures/example -i fixtures/example-input.json data.authz.reasons',
];

const colors: Readonly<Record<string, string>> = {
  31: '#ff8f87',
  32: '#8fdf9f',
  33: '#e8c46a',
  34: '#8ab4ff',
  36: '#7fd7e0',
  90: '#a0a8b4',
};
const [columnWidth, lineHeight, padding, bar] = [8.43, 20, 18, 34];

/** The picture as SVG. The same commands and policies give the same text. */
export async function terminalPicture(): Promise<string> {
  const lines: string[] = [];
  for (const command of commands) {
    let output = '';
    const print = (text: string) => void (output += text);
    const io: Io = {
      stdin: () => new Uint8Array(),
      stdout: print,
      stderr: print,
      env: {},
      color: true,
      isTerminal: () => true,
    };
    await runCommandLine(command.split(' ').slice(1), io);
    lines.push(`\u001b[32m$\u001b[39m \u001b[1m${command}\u001b[22m`, ...output.trimEnd().split('\n'), '');
  }
  lines.pop();
  const columns = Math.max(...lines.map((line) => line.replaceAll(/\u001b\[\d+m/g, '').length));
  const [width, height] = [Math.ceil(columns * columnWidth) + 2 * padding, bar + lines.length * lineHeight + padding];
  const texts = lines.map(
    (line, i) => `<text x="${padding}" y="${bar + (i + 1) * lineHeight - 6}">${spans(line)}</text>\n`,
  );
  return `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 ${width} ${height}" width="${width}" height="${height}" role="img" aria-label="A terminal: writ says why a decision is false">
<rect width="${width}" height="${height}" rx="8" fill="#1b1f27"/>
<g fill="#5b6472"><circle cx="20" cy="18" r="5"/><circle cx="38" cy="18" r="5"/><circle cx="56" cy="18" r="5"/></g>
<g font-family="ui-monospace, SFMono-Regular, Menlo, Consolas, 'DejaVu Sans Mono', monospace" font-size="14" fill="#e6e9ef">
${texts.join('')}</g>
</svg>
`;
}

/** A line with its colours. */
function spans(line: string): string {
  let [color, weight] = ['', ''];
  return line
    .split(/\u001b\[(\d+)m/)
    .map((part, i) => {
      if (i % 2 === 0) return part === '' ? '' : `<tspan${color}${weight}>${escaped(part)}</tspan>`;
      if (part === '1' || part === '22') weight = part === '1' ? ' font-weight="bold"' : '';
      else color = colors[part] === undefined ? '' : ` fill="${colors[part]}"`;
      return '';
    })
    .join('');
}

/** Spaces stay spaces in pictures and in pages. */
function escaped(text: string): string {
  return text.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('"', '&quot;').replaceAll(' ', '\u00a0');
}
