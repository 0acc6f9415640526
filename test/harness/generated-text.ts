import type { Program } from '../../runtime/bytecode/program.js';
import { JavaScriptListing } from '../../runtime/codegen/javascript-listing.js';

/** The generated JavaScript of all functions and plans of a program. */
export function generatedText(program: Program): string {
  const listing = new JavaScriptListing(program);
  return program.functions
    .map(
      ({ kind, name }, i) =>
        `// ${kind} ${name}\n${listing
          .lines(i)
          .map(({ text }) => `${text}\n`)
          .join('')}`,
    )
    .join('\n');
}
