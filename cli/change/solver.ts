/** The solver: the package `z3-solver`, in a process of its own, which can be ended. */
import { type ChildProcess, spawn } from 'node:child_process';
import { createRequire } from 'node:module';
import { join } from 'node:path';
import { CommandError } from '../exit.js';

/** Reads questions as lines of JSON, and prints the answers so. Each has a context of its own. */
const script = `
const { init } = require(process.argv[1]);
const lines = require('node:readline').createInterface({ input: process.stdin });
const ready = init();
lines.on('line', async (line) => {
  try {
    const { Z3 } = await ready;
    const config = Z3.mk_config();
    const context = Z3.mk_context(config);
    Z3.del_config(config);
    const said = await Z3.eval_smtlib2_string(context, JSON.parse(line));
    Z3.del_context(context);
    process.stdout.write(JSON.stringify(said) + '\\n');
  } catch (error) {
    process.stdout.write(JSON.stringify('(error ' + String(error && error.message) + ')') + '\\n');
  }
});
`;

/** Milliseconds for its start, beside those of the first question. */
const startMs = 20_000;

export class Solver {
  readonly #path: string;
  #child: ChildProcess | undefined;

  /** @param folder of the project in which the package is looked up */
  constructor(folder: string) {
    this.#path = pathOfPackage(folder);
  }

  /** Answers one question, the others before it being answered. */
  readonly solve = async (question: string, ms: number): Promise<string> => {
    const isNew = this.#child === undefined;
    const child = (this.#child ??= this.#started());
    return await new Promise<string>((resolve) => {
      let text = '';
      const end = (answer: string) => {
        clearTimeout(timer);
        child.stdout!.off('data', hear);
        child.off('exit', ended);
        resolve(answer);
      };
      const hear = (chunk: Buffer) => {
        text += chunk.toString();
        if (text.endsWith('\n')) end(JSON.parse(text) as string);
      };
      const ended = () => {
        this.#child = undefined;
        end('(error the process of the solver has ended)');
      };
      const timer = setTimeout(
        () => {
          this.close();
          end('timeout');
        },
        ms + (isNew ? startMs : 0),
      );
      child.stdout!.on('data', hear);
      child.on('exit', ended);
      child.stdin!.write(`${JSON.stringify(question)}\n`);
    });
  };

  #started(): ChildProcess {
    const child = spawn(process.execPath, ['-e', script, this.#path], { stdio: ['pipe', 'pipe', 'ignore'] });
    // Writing to a process that has ended is told by its exit.
    child.stdin.on('error', () => undefined);
    child.on('error', () => undefined);
    return child;
  }

  close(): void {
    this.#child?.removeAllListeners('exit');
    this.#child?.kill('SIGKILL');
    this.#child = undefined;
  }
}

function pathOfPackage(folder: string): string {
  for (const from of [join(folder, 'package.json'), join(import.meta.dirname, 'package.json')]) {
    try {
      return createRequire(from).resolve('z3-solver');
    } catch {
      // It may be beside the command.
    }
  }
  throw new CommandError('error: --prove needs a solver: npm install z3-solver', 2);
}
