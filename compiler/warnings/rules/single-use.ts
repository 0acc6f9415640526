/** Variables that stand once, as a key: a loop, where a look-up may be meant. */

import type { Steps } from '../../../values/index.js';
import { isWildcard } from '../../ast/names.js';
import type { Module, RefTerm, Rule, VarTerm } from '../../ast/nodes.js';
import { printRef } from '../../ast/print.js';
import { walk } from '../../ast/walk.js';
import type { Warnings } from '../../diagnostics/warnings.js';
import { closest } from '../../hints/closest.js';
import type { Compiled } from '../../resolve/compiled.js';
import { addVars } from '../../resolve/expression-kinds.js';
import { importName, ruleNamesOf } from '../../resolve/imports.js';
import { elseChain } from '../../resolve/links.js';
import { modulesOf } from '../../resolve/tree.js';
import type { WarningSearch } from '../warning-search.js';

/** Names of one letter, and these, are written for loops. */
const loopNames = /^(?:.|idx\d*|index|ix|any|_.*)$/;

/** A variable as a key, and the ref up to it. */
interface Key {
  readonly variable: VarTerm;
  readonly ref: string;
}

export function* findSingleUse({ compiled, warnings }: WarningSearch): Steps {
  for (const { parsed: module } of compiled.modules.values()) {
    const globals = globalNames(module, compiled);
    for (const rule of module.rules) {
      const parameters = new Set<string>();
      for (const arg of rule.head.args ?? []) addVars(arg, parameters);
      for (const link of elseChain(rule)) findInLink(link, { parameters, globals, module }, warnings);
    }
    yield;
  }
}

/** The names of a module's imports, and of the rules of its package. */
function globalNames(module: Module, { moduleTree }: Compiled): ReadonlySet<string> {
  const names = new Set(module.imports.map(importName));
  for (const { parsed } of modulesOf(moduleTree, module.package))
    for (const name of ruleNamesOf(parsed)) names.add(name);
  return names;
}

interface Known {
  readonly parameters: ReadonlySet<string>;
  readonly globals: ReadonlySet<string>;
  readonly module: Module;
}

function findInLink(link: Rule, { parameters, globals, module }: Known, warnings: Warnings): void {
  const counts = new Map<string, number>();
  const keys: Key[] = [];
  // The chain behind a link is not a part of it.
  walk({ ...link, else: undefined }, (node) => {
    if (node.type === 'var') counts.set(node.name, (counts.get(node.name) ?? 0) + 1);
    else if (node.type === 'ref') keys.push(...keysOf(node));
  });
  for (const { variable, ref } of keys) {
    const { name, loc } = variable;
    if (isWildcard(name) || counts.get(name) !== 1 || parameters.has(name) || globals.has(name)) continue;
    const meant = closest(
      name,
      [...counts.keys(), ...parameters, ...globals].filter((other) => other !== name),
    );
    // Policies of version 0 write their loops so.
    const isMeant = meant === undefined && (loopNames.test(name) || module.regoVersion === 'v0');
    if (!isMeant) warnings.report('unusedOutputVariable', loc, { name, ref, meant });
  }
}

function keysOf({ terms }: RefTerm): readonly Key[] {
  return terms.flatMap((variable, i) =>
    i > 0 && variable.type === 'var' ? [{ variable, ref: printRef(terms.slice(0, i)) }] : [],
  );
}
