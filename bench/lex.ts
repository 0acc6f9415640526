/**
 * `lex.ts FOLDER`: the milliseconds that the lexer alone takes for all modules below a folder, in a
 * new process.
 */
import { readFileSync } from 'node:fs';
import { Source } from '../compiler/source/source.js';
import { lex } from '../compiler/syntax/lexer.js';
import { versionOneKeywords } from '../compiler/syntax/tokens.js';
import { modulesBelow } from './modules.js';

const sources = modulesBelow(process.argv[2]!).map((file) => new Source(file, readFileSync(file, 'utf8')));
const start = performance.now();
for (const source of sources) lex(source, versionOneKeywords);
process.stdout.write(String(performance.now() - start));
