/** The process of the solver: answers questions in SMT-LIB, each in a context of its own. */
import { createRequire } from 'node:module';
import { createInterface } from 'node:readline';

type Z3 = Awaited<ReturnType<typeof import('z3-solver')['init']>>['Z3'];

/**
 * Reads questions as lines of JSON, and prints the answers so. The argument behind that of the work
 * is the path of the package.
 */
export function answerSolver(): void {
  const path = process.argv[3]!;
  const { init } = createRequire(path)(path) as typeof import('z3-solver');
  const ready = init();
  createInterface({ input: process.stdin }).on('line', async (line) => {
    let answer: string;
    try {
      const { Z3 } = await ready;
      answer = await answerOf(Z3, JSON.parse(line) as string);
    } catch (error) {
      answer = `(error ${(error as Error).message})`;
    }
    process.stdout.write(`${JSON.stringify(answer)}\n`);
  });
}

async function answerOf(z3: Z3, question: string): Promise<string> {
  const config = z3.mk_config();
  const context = z3.mk_context(config);
  z3.del_config(config);
  const answer = await z3.eval_smtlib2_string(context, question);
  z3.del_context(context);
  return answer;
}
