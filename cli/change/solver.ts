/** The solver: the package `z3-solver`, in a process of its own, which can be ended. */
import { createRequire } from 'node:module';
import { join } from 'node:path';
import { CommandError } from '../exit.js';
import { solverArgument } from '../helpers/helper-arguments.js';
import { type HelperProcess, startHelper } from '../helpers/helper-process.js';
import type { Io } from '../io.js';

/** Milliseconds for its start, beside those of the first question. */
const startMs = 20_000;

export class Solver {
  readonly #path: string;
  readonly #entry: string;
  #child: HelperProcess | undefined;

  /**
   * Throws a CommandError where the package is not installed.
   * @param folder of the project in which the package is looked up
   */
  constructor(folder: string, { entry }: Pick<Io, 'entry'>) {
    this.#path = pathOfPackage(folder);
    this.#entry = entry!;
  }

  /** Answers one question, the others before it being answered. */
  readonly solve = async (question: string, ms: number): Promise<string> => {
    const isNew = this.#child === undefined;
    const child = (this.#child ??= startHelper(this.#entry, solverArgument, this.#path));
    return await new Promise<string>((resolve) => {
      let text = '';
      const end = (answer: string) => {
        clearTimeout(timer);
        child.stdout.off('data', hear);
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
      child.stdout.on('data', hear);
      child.on('exit', ended);
      child.stdin.write(`${JSON.stringify(question)}\n`);
    });
  };

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
