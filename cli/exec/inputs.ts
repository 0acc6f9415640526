/** The input files of `exec`. */

import { readdirSync, readFileSync, statSync } from 'node:fs';
import { joinPath } from '../../engine/index.js';
import type { Value } from '../../values/index.js';
import { lenientTextOfFile, parseJson, parseJsonOrYaml } from '../../values/index.js';
import { systemProblem } from '../../values/node.js';
import type { Arguments } from '../args.js';
import type { Io } from '../io.js';
export interface Input {
  readonly name: string;
  /** Reads the input; rejects with the reason on failure. */
  readonly input: () => Promise<Value>;
}

/** The inputs that a command line names: files, the files in directories, standard input. */
export function* execInputs({ flags, positionals }: Arguments, io: Io): IterableIterator<Input> {
  if (flags.on('stdin-input')) yield { name: '--stdin-input', input: () => parse(lenientTextOfFile(io.stdin()), true) };
  for (const path of positionals) {
    for (const name of filesAt(path)) {
      if (/\.(?:json|yaml|yml)$/.test(name))
        yield { name, input: () => parse(lenientTextOfFile(readFileSync(name)), !name.endsWith('.json')) };
    }
  }
}

function* filesAt(given: string): IterableIterator<string> {
  let isDirectory: boolean;
  try {
    isDirectory = statSync(given).isDirectory();
  } catch (error) {
    throw new Error(`exec error: lstat ${given}: ${systemProblem(error)}`);
  }
  if (!isDirectory) {
    yield given;
    return;
  }
  for (const name of readdirSync(given).sort()) yield* filesAt(joinPath(given, name));
}

async function parse(text: string, orYaml: boolean): Promise<Value> {
  return orYaml ? await parseJsonOrYaml(text) : parseJson(text);
}
