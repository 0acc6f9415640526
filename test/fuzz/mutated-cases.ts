/** Cases of the conformance suites with small changes in their policies. */
import { join } from 'node:path';
import type { Module } from '../../compiler/ast/nodes.js';
import { printModule } from '../../compiler/ast/print.js';
import { toJson } from '../../values/json/json.js';
import { isObject, type PlainObject, type Value } from '../../values/value.js';
import { type Case, conformanceFolder, readCases } from '../conformance/cases.js';
import { Choices } from '../generators/choices.js';
import type { RegoVersion } from '../generators/dialects.js';
import { mutated } from '../generators/mutations.js';
import { type PolicyCase, pathsOf } from '../generators/random-case.js';
import { isPlannable } from '../generators/random-policy.js';
import { parsedModule, repaired } from '../generators/repair.js';

/** Answers that change, or that a network must give. */
const unsteady = /http\.|net\.|time\.|rand\.|uuid|opa\.runtime|rego\.|io\.jwt|crypto\.x509|providers|sleep|print\(|trace\(/;

interface Suite {
  readonly case: Case;
  readonly regoVersion: RegoVersion;
}

let cases: readonly Suite[] | undefined;

/** The cases whose policies can be changed; none where there are no suites. */
function suites(): readonly Suite[] {
  const folder = conformanceFolder();
  if (folder === undefined) return [];
  return readCases(join(folder, 'rego'))
    .map(({ family, case: one }): Suite => ({ case: one, regoVersion: family === 'v0' ? 'v0' : 'v1' }))
    .filter(({ case: { modules, data = {}, input_term: term }, regoVersion }) => {
      if (modules === undefined || modules.length === 0 || term !== undefined || !isObject(data)) return false;
      return !unsteady.test(modules.join('\n')) && modules.every((text) => parsedModule('', text, regoVersion) !== undefined);
    });
}

/** Undefined where nothing is left that compiles. */
export function mutatedCase(seed: number): PolicyCase | undefined {
  cases ??= suites();
  if (cases.length === 0) return undefined;
  const choices = new Choices(seed);
  const { case: suite, regoVersion } = choices.one(cases);
  const { modules: texts = [], data = {}, input } = suite;
  const given = new Map(
    texts
      .map((text, i): [string, Module] => [`${i}.rego`, mutated(parsedModule(`${i}.rego`, text, regoVersion)!, choices)])
      .filter(([, { rules }]) => rules.length > 0),
  );
  const isTyped = choices.chance(70);
  const modules = repaired(given, isTyped ? (all) => all.length === 0 : isPlannable);
  const paths = modules && pathsOf(modules);
  if (modules === undefined || paths === undefined || paths.length === 0) return undefined;
  // JSON alone: the case may have sets.
  const inputs = input === undefined ? [undefined] : [JSON.parse(toJson(input)) as Value];
  return {
    modules: new Map([...modules].map(([name, module]) => [name, printModule(module)])),
    regoVersion,
    data: data as PlainObject,
    inputs,
    paths: paths.slice(0, 6),
  };
}
