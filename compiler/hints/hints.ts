/** Suggestions for errors: for terminals, never for JSON. */

import type { Module, Rule } from '../ast/nodes.js';
import { walk } from '../ast/walk.js';
import type { Diagnostic, Hint } from '../diagnostics/diagnostics.js';
import type { Compiled } from '../resolve/compiled.js';
import { addVars, isAssignment } from '../resolve/declared.js';
import { closest } from './closest.js';
import { alternatives, habitHint } from './habits.js';
import { functionNames, namesAt, packagePath, ruleAt } from './scope.js';

/** The policies that an error is about, as far as they were read. */
interface HintContext {
  readonly modules: Iterable<Module>;
  /** The names of the built-ins. */
  readonly builtins: Iterable<string>;
}

/** Hints for the errors of compiled modules, and of queries over them. */
export function hintsOf({ modules, builtins }: Compiled): (diagnostic: Diagnostic) => Hint {
  let context: HintContext | undefined;
  return (diagnostic) => {
    context ??= { modules: [...modules.values()].map(({ parsed }) => parsed), builtins: [...builtins.all].map(({ name }) => name) };
    return hintOf(diagnostic, context);
  };
}

const nothing: HintContext = { modules: [], builtins: [] };

export function hintOf(diagnostic: Diagnostic, context: HintContext = nothing): Hint {
  const { name, holes, code } = diagnostic;
  const named = (holes as { readonly name?: unknown } | undefined)?.name;
  if (typeof named === 'string') {
    if (name === 'unsafeVar') return unsafeVar(diagnostic, named, context);
    if (name === 'undefinedFunction') return asHint(undefinedFunction(diagnostic, named, context));
    if (name === 'assignedAbove') return { text: 'a variable is assigned once; `=` and `==` compare' };
  }
  if (name === 'elseOnVariableHead')
    return { text: 'the rule makes entries of an object: choose their value by a function that has the `else`' };
  if (name === 'elseOnMultiValue') return { text: alternatives };
  if (name === 'undefinedRef') return asHint(undefinedRef(diagnostic));
  if (name === 'importRoot') return asHint(importRoot(diagnostic, context));
  if (name === 'ifRequired' || name === 'containsRequired')
    return {
      text: 'Rego v0 is read with --v0-compatible, and converted by `writ fmt --write --v0-v1`',
      cause: `${diagnostic.span?.file} v0`,
    };
  return code === 'rego_parse_error' ? asHint(habitHint(diagnostic)) : {};
}

function asHint(text: string | undefined): Hint {
  return text === undefined ? {} : { text };
}

function didYouMean(name: string | undefined): string | undefined {
  return name && `did you mean \`${name}\`?`;
}

/** Constants of other languages. */
const constants: Readonly<Record<string, string>> = {
  none: 'null',
  nil: 'null',
  null: 'null',
  undefined: 'null',
  true: 'true',
  false: 'false',
};

/** One unbound variable of a rule is one cause, however often the rule has it. */
function unsafeVar({ span }: Diagnostic, name: string, { modules, builtins }: HintContext): Hint {
  const place = span && ruleAt(modules, span);
  const cause = `${span?.file}:${place?.rule?.loc.start} ${name}`;
  // An assigned variable is no misspelt name: its value lacks another variable.
  if (place?.rule && isAssigned(name, place.rule)) return { cause, isConsequence: true };
  const constant = Object.hasOwn(constants, name.toLowerCase()) ? constants[name.toLowerCase()] : undefined;
  const text =
    didYouMean(constant ?? closest(name, namesAt(modules, place?.module, place?.rule, name))) ??
    (place === undefined ? documentOf(name, modules) : importOf(name, modules)) ??
    ([...builtins].includes(name) ? `\`${name}\` is a built-in function: call it, \`${name}(…)\`` : undefined);
  return { ...asHint(text), cause };
}

function isAssigned(name: string, rule: Rule): boolean {
  let found = false;
  walk(rule, (node) => {
    if (node.type !== 'expr' || !isAssignment(node)) return;
    const names = new Set<string>();
    addVars(node.args[0]!, names);
    found ||= names.has(name);
  });
  return found;
}

/** A query that leaves out `data`, or the beginning of a package. */
function documentOf(name: string, modules: Iterable<Module>): string | undefined {
  const paths = [...modules].map(packagePath);
  const found = paths.find((path) => path.startsWith(`data.${name}.`)) === undefined ? undefined : `data.${name}`;
  return didYouMean(found ?? paths.find((path) => path.endsWith(`.${name}`)));
}

/** A package whose last name it is can be imported. */
function importOf(name: string, modules: Iterable<Module>): string | undefined {
  for (const module of modules) {
    const path = packagePath(module);
    if (path.endsWith(`.${name}`)) return `\`import ${path}\` makes the package known by this name`;
  }
  return undefined;
}

/** Functions of other languages. */
const functions: Readonly<Record<string, string>> = {
  append: 'array.concat',
  int: 'to_number',
  join: 'concat',
  keys: 'object.keys',
  len: 'count',
  length: 'count',
  number: 'to_number',
  parse_json: 'json.unmarshal',
  size: 'count',
  str: 'sprintf',
  string: 'sprintf',
  substr: 'substring',
  tolower: 'lower',
  toupper: 'upper',
  typeof: 'type_name',
};

function undefinedFunction({ span }: Diagnostic, name: string, { modules, builtins }: HintContext): string | undefined {
  const module = span && ruleAt(modules, span)?.module;
  const own = module && packagePath(module);
  const inPolicies = functionNames(modules);
  // A function of the same package is written without the package.
  const written = (path: string): string => {
    const found = inPolicies.find((each) => each.path === path);
    return found && found.package === own ? found.name : path;
  };
  const ofOthers = functions[name.toLowerCase()];
  const candidates = new Set([
    ...builtins,
    ...inPolicies.map(({ path }) => path),
    ...inPolicies.filter((each) => each.package === own).map((each) => each.name),
  ]);
  const found = ofOthers !== undefined && candidates.has(ofOthers) ? ofOthers : closest(name, candidates);
  if (found !== undefined) return didYouMean(written(found));
  const elsewhere = inPolicies.find((each) => each.name === name);
  return didYouMean(elsewhere?.path);
}

/** A key that a schema or a rule's type does not have. */
function undefinedRef({ details }: Diagnostic): string | undefined {
  const { ref, pos, oneOf } = (details ?? {}) as { readonly ref?: unknown; readonly pos?: unknown; readonly oneOf?: unknown };
  if (!Array.isArray(ref) || typeof pos !== 'number' || !Array.isArray(oneOf)) return undefined;
  const key = (ref[pos] as { readonly value?: unknown } | undefined)?.value;
  if (typeof key !== 'string') return undefined;
  return didYouMean(
    closest(
      key,
      oneOf.filter((each) => typeof each === 'string'),
    ),
  );
}

function importRoot({ holes }: Diagnostic, { modules }: HintContext): string | undefined {
  const { root } = holes as { readonly root: string };
  const known = closest(root, ['data', 'input', 'future', 'rego']);
  if (known !== undefined) return didYouMean(known);
  const packages = [...modules].map(packagePath);
  return packages.some((path) => path.startsWith(`data.${root}`)) || packages.length === 0
    ? `packages are imported as \`data.${root}\``
    : undefined;
}
