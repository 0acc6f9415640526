import { readFileSync } from 'node:fs';
import { moduleToJson } from '../../compiler/index.js';
import { cleanPath } from '../../engine/index.js';
import { filePath, moduleAt } from '../../engine/node.js';
import { textOfFile } from '../../values/index.js';
import { systemProblem } from '../../values/node.js';
import type { Command } from '../command.js';
import { languageVersion, v0Flag, v1Flag } from '../compile-flags.js';
import { exitCodes, usageError } from '../exit.js';
import { parseFile } from '../load-policies.js';
import { errorsJson, errorsText } from '../output/error-output.js';
import { outputErrors, PolicyLoadError } from '../output/failures.js';
import { writeOrdered } from '../output/ordered-json.js';
import { treeText } from '../output/tree-text.js';

export const parseCommand: Command = {
  name: 'parse',
  use: '<path>',
  long: 'Shows the syntax tree of a policy.',
  examples: [
    ['Show the tree of a policy', 'writ parse policies/authz.rego'],
    [
      'The same as JSON, with places and without comments',
      'writ parse -f json --json-include locations,-comments policies/authz.rego',
    ],
  ],
  flags: [
    { name: 'format', short: 'f', type: ['pretty', 'json'], usage: 'form of the output', default: 'pretty' },
    {
      name: 'json-include',
      type: 'string',
      usage: 'parts of the tree: locations, comments; a minus leaves one out (default comments)',
    },
    v0Flag,
    v1Flag,
  ],
  async run({ flags, positionals }, io) {
    const [given] = positionals;
    if (given === undefined) throw usageError('no source file specified');
    try {
      const { locations, comments } = included(flags.text('json-include') ?? '');
      const module = parseFile(readModule(given), languageVersion(flags));
      const shown = comments ? module : { ...module, comments: [] };
      if (flags.text('format') !== 'json') io.stdout(treeText(shown));
      else writeOrdered(moduleToJson(shown, { locations, locationText: locations }), io.stdout);
      return exitCodes.ok;
    } catch (error) {
      const errors = outputErrors(error);
      io.stderr(errorsJson(errors));
      // Beside the document, a person at a terminal is told, too.
      if (io.isTerminal?.('stderr')) io.stderr(`${errorsText(errors, io)}\n`);
      return exitCodes.failure;
    }
  },
};

/** Parses `locations,-comments`: a dash before a word excludes it. */
function included(list: string): { readonly locations: boolean; readonly comments: boolean } {
  let locations = false;
  let comments = true;
  for (const word of list.split(',')) {
    if (word.endsWith('locations')) locations = !word.startsWith('-');
    if (word.endsWith('comments')) comments = !word.startsWith('-');
  }
  return { locations, comments };
}

function readModule(given: string) {
  const path = filePath(given);
  try {
    const bytes = readFileSync(path);
    return moduleAt(cleanPath(path), textOfFile(bytes), bytes);
  } catch (error) {
    const text = `open ${path}: ${systemProblem(error)}`;
    throw new PolicyLoadError([{ message: text, text }]);
  }
}
