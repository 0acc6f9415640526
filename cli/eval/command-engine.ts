/** An engine over the policies and documents that a command has loaded. */

import type { CompileOptions } from '../../compiler/index.js';
import { createContext, Engine, type PolicyRecord } from '../../engine/index.js';
import type { PlainObject } from '../../values/index.js';
import { nodeHost } from '../../values/node.js';
import type { Io } from '../io.js';
import type { ParsedFile } from '../load-policies.js';

/** Compiles the policies. Rejects with CompileErrors. */
export async function openCommandEngine(
  parsed: readonly ParsedFile[],
  data: PlainObject,
  { builtins, ...compile }: CompileOptions,
  { env, stderr }: Pick<Io, 'env'> & Partial<Pick<Io, 'stderr'>>,
): Promise<Engine> {
  const runtime = { env: { ...env } as PlainObject };
  const context = createContext(
    { host: nodeHost },
    {
      runtime,
      allowNet: compile.capabilities?.allow_net,
      onFault: stderr && ((fault) => stderr(`warning: ${fault}\n`)),
    },
  );
  const engine = new Engine({ context, builtins, compile, data });
  await engine.commit({ parsed: new Map(parsed.map((file) => [file.name, recordOf(file)])) });
  return engine;
}

function recordOf({ name, file, module }: ParsedFile): PolicyRecord {
  return { id: name, raw: file.text, module, bundle: undefined };
}
