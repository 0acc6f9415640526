/**
 * Exports of a chunk as properties. esbuild exports names of CommonJS by getters that call getters,
 * and calls from one chunk to another are a tenth of a decision. Functions and classes keep their
 * value, so a property of the same value does; any other name may be assigned later.
 */

/**
 * The text that replaces the exports at the end of a chunk.
 * @param module the chunk as an ES module, as esbuild lays it out
 */
export function plainExports(module: string): string {
  const clause = /^export \{\n([^}]*)\n\};/m.exec(module)?.[1];
  if (clause === undefined) return '';
  const names = clause.split(',').map((name) => {
    const [local, exported = local] = name.trim().split(' as ') as [string, string?];
    return { local, exported };
  });
  const constants = new Set(
    [...module.matchAll(/^(?:(?:async )?function\*? |var (?=[\w$]+ = class\b))([\w$]+)/gm)].map(([, name]) => name),
  );
  const isConstant = ({ local }: { local: string }) => constants.has(local);
  if (!names.some(isConstant)) return '';
  const [plain, others] = [names.filter(isConstant), names.filter((name) => !isConstant(name))];
  const properties = plain.map(({ exported }) => `${exported}:e.${exported}`).join(',\n');
  // A literal with getters in it would be an object whose properties V8 looks up in a table. Each
  // getter has a text of its own: V8 inlines no function of which a loop makes many.
  const getters = others.map(
    ({ exported }) => `Object.defineProperty(o,${JSON.stringify(exported)},{get:()=>e.${exported},enumerable:!0});\n`,
  );
  return `{const e=module.exports,o={${properties}};
${getters.join('')}module.exports=Object.defineProperty(o,"__esModule",{value:!0})}
`;
}
