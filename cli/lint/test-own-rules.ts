/** `regal test`: runs the tests of rules that users write. */

import { parseModule, schemaDocuments } from '../../compiler/index.js';
import { builtins, withRows } from '../../values/index.js';
import type { Command } from '../command.js';
import { runTestCommand, type TestSurroundings, testCommand } from '../commands/test.js';
import type { ParsedFile } from '../load-policies.js';
import { surroundings } from './own-rules.js';

/** The flags of `writ test` that do not go with the linter's packages. */
const left: ReadonlySet<string> = new Set([
  'capabilities',
  'fail-on-warn',
  'fixtures',
  'generate',
  'mutate',
  'parallel',
  'prove',
  'schema',
  'seed',
  'since',
  'snapshots',
  'update',
]);

export const regalTestCommand: Command = {
  ...testCommand,
  long: `Runs the tests of rules of your own: all rules whose names begin with "test_". They find the packages data.regal.… and the built-ins regal.… of the linter, and the schemas schema.regal.ast and schema.regal.aggregate.

It exits with 2 if a test fails.`,
  examples: [
    ['Run the tests of rules', 'regal test .regal/rules'],
    ['See the values where one fails', 'regal test --var-values .regal/rules'],
    ['Show which lines they cover', 'regal test --coverage .regal/rules'],
  ],
  flags: testCommand.flags.filter(({ name }) => !left.has(name)),
  run: (args, io) => runTestCommand(args, io, ruleSurroundings),
};

async function ruleSurroundings(parsed: readonly ParsedFile[]): Promise<TestSurroundings> {
  const { library, data, builtins: rows, schemas } = await surroundings(parsed.map(({ module }) => module));
  return {
    // No tests count the lines of the linter's packages.
    parsed: Object.entries(library).map(([name, text]) => {
      const file = { path: name, url: name, bundlePath: name, text, bytes: new TextEncoder().encode(text) };
      return { name, file, module: parseModule(name, text), isTable: true };
    }),
    data,
    compile: { builtins: withRows(builtins, rows), schemas: schemaDocuments(schemas), schemaAnnotations: true },
  };
}
