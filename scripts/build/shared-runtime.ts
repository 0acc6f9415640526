/**
 * The runtime of modules as one ES module, which the policies of a bundle share. It exports all
 * declarations. Bundlers leave out those that nothing imports: initializers are calls marked pure.
 */
import {
  giveRe2,
  type ModuleDeclaration,
  type ModuleUnits,
  re2Of,
  type StoredUnits,
} from '../../runtime/codegen/module/module-units.js';

export function sharedRuntime(units: ModuleUnits): string {
  const groups = groupsOf(units.declarations);
  return units.declarations
    .map((one, i) => (i === units.re2 ? withGivenRe2(units) : statementText(one, groups.get(i))))
    .join('\n');
}

/** Units beside the shared runtime, which has almost all of their texts. */
export function unitsBeside(shared: string, units: ModuleUnits): StoredUnits {
  let last = 0;
  const declarations = units.declarations.map((one) => {
    // Most stand in the order of the declarations.
    const after = shared.indexOf(one.text, last);
    const start = after === -1 ? shared.indexOf(one.text) : after;
    if (start === -1) return one;
    last = start + one.text.length;
    return { ...one, text: [start, last] as const };
  });
  return { ...units, declarations };
}

/** Declarations that statements without a name change, with these. */
type Group = readonly ModuleDeclaration[];

/**
 * By the number of their last statement. The others have an empty one: what a statement changes is
 * whole once it has run.
 */
function groupsOf(declarations: readonly ModuleDeclaration[]): ReadonlyMap<number, Group> {
  const groupOf = new Map<number, Set<number>>();
  for (const [i, { names, uses }] of declarations.entries()) {
    if (names.length === 0) continue;
    for (const effect of uses.filter((use) => declarations[use]!.names.length === 0)) {
      const all = new Set([i, effect, ...(groupOf.get(i) ?? []), ...(groupOf.get(effect) ?? [])]);
      for (const member of all) groupOf.set(member, all);
    }
  }
  return new Map(
    [...groupOf].map(([i, members]) => [
      i,
      i === Math.max(...members) ? [...members].sort((a, b) => a - b).map((j) => declarations[j]!) : [],
    ]),
  );
}

function statementText(declaration: ModuleDeclaration, group: Group | undefined): string {
  const { text, names } = declaration;
  if (group !== undefined) return group.length === 0 ? '' : groupText(group);
  if (names.length === 0) throw new Error(`nothing of the runtime uses ${text}`);
  if (!text.startsWith('var') || /^var \$\w+;?$/.test(text)) return `export ${text}`;
  return groupText([declaration]);
}

function groupText(group: Group): string {
  const names = group.flatMap((one) => one.names);
  const made = group.map(({ text }) => text).join('');
  const [name] = names;
  if (names.length === 1) return `export var ${name}=/*#__PURE__*/(()=>{${made}return ${name}})();`;
  const together = `${name}$`;
  const members = names.map((one) => `export var ${one}=/*#__PURE__*/(()=>${together}.${one})();`);
  return `var ${together}=/*#__PURE__*/(()=>{${made}return{${names.join()}}})();${members.join('')}`;
}

/** The function that loads RE2 takes what a policy that needs it has given. */
function withGivenRe2(units: ModuleUnits): string {
  const { text } = units.declarations[units.re2]!;
  return `var $$re2;export const ${giveRe2}=re2=>{$$re2=re2};export ${text.split(re2Of(units)).join('$$re2')}`;
}
