/**
 * `npm run -s bench -- [--json] [--scale N] [DIR…]` times decisions; a first argument that names
 * another bench (see `benches`) runs that one. Each bench compares with a reference in the same run
 * and reports ratios, since absolute times from different machines or moments are not comparable.
 */
import { existsSync } from 'node:fs';

const benches: readonly string[] = ['builtins', 'compile', 'recompile', 'server'];

const [first = '', ...rest] = process.argv.slice(2);
const named = benches.includes(first);
const file = new URL(`./${named ? first : 'decisions'}.ts`, import.meta.url);
if (!existsSync(file)) {
  process.stderr.write(`there is no bench ${first} yet\n`);
  process.exit(2);
}
const { run } = (await import(file.href)) as { run: (args: readonly string[]) => void | Promise<void> };
await run(named ? rest : process.argv.slice(2));
