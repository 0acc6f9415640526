/** `regal parse`: the syntax tree of a file as rules in Rego read it. */

import { readFileSync } from 'node:fs';
import { resolve } from 'node:path';
import { CompileErrors } from '../../compiler/index.js';
import { textOfFile, toIndentedJson } from '../../values/index.js';
import { systemProblem } from '../../values/node.js';
import { compactTree, readModule } from '../../views/index.js';
import type { Command } from '../command.js';
import { exitCodes, usageError } from '../exit.js';
import type { Io } from '../io.js';
import { errorText } from '../output/error-output.js';

export const regalParseCommand: Command = {
  name: 'parse',
  use: '<path>',
  long: 'Prints the syntax tree of a file as rules in Rego read it, as JSON. - is standard input.',
  examples: [
    ['Print the tree of a policy', 'regal parse policy.rego'],
    ['Print the tree of a text', "echo 'package a' | regal parse -"],
  ],
  flags: [],
  async run({ positionals }, io) {
    const [path, ...more] = positionals;
    if (path === undefined || more.length > 0) throw usageError('parse takes one file');
    return printTree(path, io);
  },
};

function printTree(path: string, io: Io): number {
  try {
    const text = textOfFile(path === '-' ? io.stdin() : readFileSync(path));
    const module = readModule(path, text, undefined);
    const tree = compactTree(module, { name: path, text, absolute: resolve(path), operations: ['lint'] });
    io.stdout(`${toIndentedJson(tree)}\n`);
    return exitCodes.ok;
  } catch (error) {
    if (error instanceof CompileErrors) return fail(io, errorText(error, io));
    if ((error as NodeJS.ErrnoException).syscall === undefined) throw error;
    return fail(io, `open ${path}: ${systemProblem(error)}`);
  }
}

function fail(io: Io, message: string): number {
  io.stderr(`Error: ${message}\n`);
  return exitCodes.failure;
}
