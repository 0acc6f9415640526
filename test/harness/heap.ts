/**
 * Decides many times over the example bundle and prints the bytes in use after each fifth. Run with
 * --expose-gc, the number of decisions and the folder of the bundle.
 */
import { Engine, EvaluationError } from '../../library/index.js';

const decisions = Number(process.argv[2]);
const engine = await Engine.open([process.argv[3]!]);
const [path] = engine.entrypoints;

function decide(from: number, to: number): void {
  for (let i = from; i < to; i++) {
    const input = { user: `user${i}`, method: i % 3 === 0 ? 'GET' : 'POST', path: ['orders', `${i}`] };
    if (i % 3 === 0) engine.decideText(path!, JSON.stringify(input));
    else engine.decide(path!, input, i % 3 === 1 ? { timeMs: 1000, instructions: 1_000_000 } : {});
    if (i % 100 === 0) {
      try {
        engine.decide(path!, input, { instructions: 0, callDepth: 0 });
      } catch (error) {
        if (!(error instanceof EvaluationError)) throw error;
      }
    }
  }
}

const used: number[] = [];
for (let i = 0; i < 5; i++) {
  decide((i * decisions) / 5, ((i + 1) * decisions) / 5);
  globalThis.gc!();
  used.push(process.memoryUsage().heapUsed);
}
process.stdout.write(JSON.stringify(used));
