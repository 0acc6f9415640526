// Prints the report of a platform that has files. The argument is the entry to load.
import { readFile, writeFile } from 'node:fs/promises';
import { createRequire } from 'node:module';
import process from 'node:process';
import { report } from './platform-checks.mjs';

const [entry, output] = process.argv.slice(2);
const writ = await import(entry);
const rowCode = createRequire(import.meta.url)('./builtin-rows.cjs');
await writeFile(output, JSON.stringify(await report(writ, rowCode, (name) => readFile(name, 'utf8'))));
