/** Minified code in short lines: Node and test runners print the line of an error. */
import { type Program, parse } from 'acorn';
import { nodesIn } from '../module-syntax.js';

/** Most characters of a line, where its text has a place to break. */
const width = 150;

/**
 * Breaks a minified script into lines, with each statement at the top on lines of its own: tools
 * that look for the exports of a bundle expect that. Lines end only between tokens: a literal that
 * went over two lines would change when a tool indents the code.
 */
export function shortLines(script: string): string {
  const program = parse(script, { ecmaVersion: 'latest', sourceType: 'script' });
  const tops = new Set(program.body.map(({ start }) => start));
  const lines: string[] = [];
  let [start, last] = [0, 0];
  const end = (place: number) => {
    if (place > start) lines.push(script.slice(start, place));
    start = place;
  };
  for (const place of [...breaks(script, program), script.length]) {
    if (place - start > width) end(last);
    if (tops.has(place)) end(place);
    last = place;
  }
  end(script.length);
  return lines.join('\n');
}

/** Where a line may end, in order. */
function breaks(script: string, program: Program): readonly number[] {
  const places = new Set<number>();
  for (const { type, start } of nodesIn(program)) {
    const before = script[start - 1] ?? '';
    const isStatement = /(Statement|Declaration|Definition)$/.test(type);
    if (type !== 'TemplateElement' && (',;{'.includes(before) || (before === '}' && isStatement))) places.add(start);
  }
  return [...places].sort((a, b) => a - b);
}
