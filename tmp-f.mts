import { readFileSync } from 'node:fs';
import { loadFormat } from './views/verify/formats/formats.js';
import { toJson } from './values/json/json.js';
const cases = readFileSync(process.argv[2]!, 'utf8').split(/^@@@/m).slice(1);
for (const c of cases) {
  const nl = c.indexOf('\n');
  const name = c.slice(0, nl).trim().split(' ')[0]!;
  const text = c.slice(nl + 1).replace(/\n$/, '').replaceAll('␍', '\r').replaceAll('␉','\t').replaceAll('␀','\0').replaceAll('﹁','\ufeff');
  const { format } = await loadFormat(name);
  try { console.log(c.slice(0, nl).trim(), '=>', toJson(format.parse(text, { path: 'f' }))); }
  catch (e) { const o=(e as any).offset; console.log(c.slice(0, nl).trim(), '=> ERR', (e as Error).name, JSON.stringify((e as Error).message), o === undefined ? 'NOPLACE' : `line ${text.slice(0,o).split('\n').length}`); }
}
