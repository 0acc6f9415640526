/** A thread that runs tests until there is none left. */
import { parentPort, workerData } from 'node:worker_threads';
import { createContext, PreparedProgram } from '../../engine/index.js';
import { unpackExecutable } from '../../runtime/index.js';
import { builtins, exactValue, type PlainObject, type Value, withDeclared, withRows } from '../../values/index.js';
import { nodeHost } from '../../values/node.js';
import { caseBuiltin } from './cases.js';
import { reportedError, type TestReport, type TestThreadData } from './messages.js';
import { TestProgram } from './test-program.js';

export async function runTests(): Promise<void> {
  const { program, data, env, capabilities, timeMs, tests, next, current } = workerData as TestThreadData;
  const cases: (readonly Value[])[] = [];
  const own = caseBuiltin((keys) => void cases.push(keys));
  const available = withRows(capabilities === undefined ? builtins : withDeclared(builtins, capabilities), [own]);
  const context = createContext(
    { host: nodeHost },
    { runtime: { env: { ...env } as PlainObject }, allowNet: capabilities?.allow_net },
  );
  const executable = await unpackExecutable(program, available);
  if (executable.builtins.includes('rego.parse_module'))
    context.parseModule = (await import('../../engine/policies/module-value.js')).parseModuleValue;
  const prepared = new PreparedProgram(executable, exactValue(data) as PlainObject, context);
  const testProgram = new TestProgram(prepared, cases, timeMs);
  for (let number = take(next); number < tests.length; number = take(next)) {
    Atomics.store(current, 0, number);
    const { error, ...outcome } = await testProgram.run(tests[number]!);
    parentPort?.postMessage({
      number,
      outcome,
      ...(error !== undefined && { error: reportedError(error) }),
    } satisfies TestReport);
  }
}

function take(next: Int32Array): number {
  return Atomics.add(next, 0, 1);
}
