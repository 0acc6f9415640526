/** Cases of the generator of policies. */
import type { Module } from '../../compiler/ast/nodes.js';
import { printModule, reserved } from '../../compiler/ast/print.js';
import type { PlainObject, Value } from '../../values/value.js';
import type { RegoVersion } from './dialects.js';
import { randomData, randomInput } from './documents.js';
import { type GeneratedPolicy, PolicyGenerator } from './policy-generator.js';
import { isPlannable } from './random-policy.js';
import { parsedModule, repaired } from './repair.js';

/** All that a decision depends on, and the paths of the documents that are asked for. */
export interface PolicyCase {
  /** Texts by name. */
  readonly modules: ReadonlyMap<string, string>;
  /** How the texts are read. */
  readonly regoVersion: RegoVersion;
  readonly data: PlainObject;
  readonly inputs: readonly (Value | undefined)[];
  readonly paths: readonly (readonly string[])[];
}

/** Undefined where nothing is left that compiles. */
export function randomCase(seed: number): PolicyCase | undefined {
  const generator = new PolicyGenerator(seed);
  const policy = generator.policy();
  // Commands refuse policies with errors of types; the evaluation has a meaning for them, too.
  const isTyped = generator.below(4) > 0;
  const modules = repaired(modulesOf(policy, generator.below(5) === 0), isTyped ? (all) => all.length === 0 : isPlannable);
  if (modules === undefined) return undefined;
  const { regoVersion } = policy;
  const functions = functionNames(modules);
  return {
    modules: new Map([...modules].map(([name, module]) => [name, printModule(module)])),
    regoVersion,
    data: randomData(generator) as PlainObject,
    inputs: generator.times(4, () => randomInput(generator, functions)),
    paths: pathsOf(modules).slice(0, 7),
  };
}

function functionNames(modules: ReadonlyMap<string, Module>): readonly string[] {
  const names = [...modules.values()].flatMap(({ rules }) =>
    rules.flatMap(({ head: { args, ref } }) => (args !== undefined && ref.length === 1 && ref[0].type === 'var' ? [ref[0].name] : [])),
  );
  return [...new Set(names)];
}

/** In one module per package, or one per rule; rules that cannot be read are left out. */
function modulesOf({ imports, rules, query, regoVersion }: GeneratedPolicy, apart: boolean): ReadonlyMap<string, Module> {
  const asked = /\bdata(?:\.t)?$/.test(query)
    ? []
    : [{ package: 't', text: regoVersion === 'v0' ? `asked[x] { ${query} }` : `asked contains x if ${query}` }];
  const readable = [...rules, ...asked].filter(({ package: name, text }) =>
    parsedModule('', `package ${name}\n${imports}\n${text}`, regoVersion),
  );
  const groups = apart ? readable.map((rule) => [rule.package, [rule]] as const) : Map.groupBy(readable, (rule) => rule.package);
  const texts = [...groups].map(([name, all]) => `package ${name}\n${imports}\n${all.map(({ text }) => text).join('\n')}`);
  return new Map(texts.map((text, i) => [`${i}.rego`, parsedModule(`${i}.rego`, text, regoVersion)!]));
}

/** The documents of the rules, and of the packages. */
export function pathsOf(modules: ReadonlyMap<string, Module>): readonly (readonly string[])[] {
  const paths = new Map<string, readonly string[]>();
  const add = (path: readonly string[]) => paths.set(path.join('/'), path);
  for (const {
    package: { path },
    rules,
  } of modules.values()) {
    const own = path.slice(1).map((term) => (term.type === 'string' ? term.value : ''));
    for (const { head } of rules) {
      const [first] = head.ref;
      if (head.args === undefined && first?.type === 'var') add([...own, first.name]);
    }
  }
  for (const {
    package: { path },
  } of modules.values())
    add(path.slice(1).map((term) => (term.type === 'string' ? term.value : '')));
  return [...paths.values()].filter((one) => one.every((key) => /^\w+$/.test(key) && !reserved.has(key)));
}
