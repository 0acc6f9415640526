/** One script with the helpers that esbuild writes into each script of a bundle. */
import { dirname, relative } from 'node:path';
import { topStatements } from '../module-syntax.js';

interface Script {
  readonly path: string;
  readonly contents: string;
}

/**
 * Scripts whose helpers come from a script beside them, and this one.
 * @param scripts in CommonJS, as esbuild lays them out: helpers come first
 * @param path of the script with the helpers
 */
export function withSharedHelpers<One extends Script>(
  scripts: readonly One[],
  path: string,
): readonly [...One[], Script] {
  const parts = scripts.map((script) => ({ script, ...partsOf(script.contents) }));
  // Helpers that use others come after them: the longest list has all.
  const [longest] = parts.toSorted((a, b) => b.names.length - a.names.length);
  const { helpers, names } = longest!;
  const shortened = parts.map(({ script, names: own, rest }) => {
    const unknown = own.filter((name) => !names.includes(name));
    if (unknown.length > 0)
      throw new Error(`${script.path} has helpers that ${longest!.script.path} lacks: ${unknown.join(', ')}`);
    const used = own.filter((name) => rest.includes(`${name}(`));
    if (used.length === 0) return script;
    const from = relative(dirname(script.path), path);
    const imported = `var { ${used.join(', ')} } = require("${from.startsWith('.') ? from : `./${from}`}");`;
    return { ...script, contents: `${strict}${imported}\n${rest}` };
  });
  return [...shortened, { path, contents: `${strict}${helpers}module.exports = { ${names.join(', ')} };\n` }];
}

const strict = '"use strict";\n';

interface Parts {
  readonly helpers: string;
  readonly names: readonly string[];
  readonly rest: string;
}

function partsOf(script: string): Parts {
  const start = script.startsWith(strict) ? strict.length : 0;
  const end = script.search(/^var \w+_exports = \{\};$/m);
  const helpers = end === -1 ? '' : script.slice(start, end);
  const names = topStatements(helpers).flatMap((statement) => statement.names);
  const areHelpers = names.every((name) => /^__\w+$/.test(name));
  return areHelpers
    ? { helpers, names, rest: script.slice(start + helpers.length) }
    : { helpers: '', names: [], rest: script };
}
