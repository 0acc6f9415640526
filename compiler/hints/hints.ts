/** Suggestions for errors: for terminals, never for JSON. */

import type { Module, Rule } from '../ast/nodes.js';
import { walk } from '../ast/walk.js';
import type { ComplaintName } from '../diagnostics/complaints.js';
import type { Diagnostic, Hint } from '../diagnostics/diagnostics.js';
import { markedSpan } from '../diagnostics/excerpt.js';
import type { Compiled } from '../resolve/compiled.js';
import { addVars, isAssignment } from '../resolve/expression-kinds.js';
import type { Span } from '../source/location.js';
import { closest } from './closest.js';
import { alternatives, habitHint, lineBefore, missingIf } from './habits.js';
import { functionNames, headName, namesAt, packagePath, ruleAt } from './names-in-scope.js';
import { headHint, inputField } from './unbound-names.js';

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
    context ??= {
      modules: [...modules.values()].map(({ parsed }) => parsed),
      builtins: [...builtins.all].map(({ name }) => name),
    };
    return hintOf(diagnostic, context);
  };
}

const nothing: HintContext = { modules: [], builtins: [] };

export function hintOf(diagnostic: Diagnostic, context: HintContext = nothing): Hint {
  return findHint(diagnostic, context) ?? {};
}

function findHint(diagnostic: Diagnostic, context: HintContext): Hint | undefined {
  const { name, holes, code } = diagnostic;
  const named = (holes as { readonly name?: unknown } | undefined)?.name;
  if (typeof named === 'string') {
    if (name === 'unsafeVar') return unsafeVar(diagnostic, named, context);
    if (name === 'undefinedFunction') return undefinedFunction(diagnostic, named, context);
    if (name === 'assignedAbove') return { text: 'a variable is assigned once; `=` and `==` compare' };
  }
  if (name === 'containsRequired' || name === 'ifRequired') return bodyHint(diagnostic);
  const known = name && advice[name];
  if (known !== undefined) return { text: known };
  if (name === 'invalidArguments' || name === 'matchError') return asHint(joinedStrings(diagnostic));
  if (name === 'undefinedRef') return undefinedRef(diagnostic);
  if (name === 'packageExpected') return { text: packageHint(diagnostic) };
  if (name === 'importRoot') return importRoot(diagnostic, context);
  return code === 'rego_parse_error' ? asHint(habitHint(diagnostic)) : undefined;
}

/** A body without `if`: of version 0, or in a file of version 1 a word that is left out. */
function bodyHint(diagnostic: Diagnostic): Hint {
  const { name, span } = diagnostic;
  const isVersionOne = name === 'containsRequired' || /^[^#\n"`]*\S\s+if\s/m.test(span?.source.text ?? '');
  const hint = isVersionOne ? missingIf(diagnostic) : undefined;
  if (hint !== undefined) return { text: hint };
  if (name === 'containsRequired') return { text: 'a set is written `roles contains x if { … }`' };
  return {
    text: 'Rego v0 is read with --v0-compatible, and converted by `writ fmt --write --v0-v1`',
    cause: `${span?.file} v0`,
  };
}

/** The text to write instead, for errors with one cause. */
const advice: Partial<Record<ComplaintName, string>> = {
  elseOnVariableHead: 'the rule makes entries of an object: choose their value by a function that has the `else`',
  elseOnMultiValue: alternatives,
  rulesShadow: 'input and data are given with each question: a value of your own has a name of its own',
  cannotAssign: 'only a new variable gets a value, `x := …`; `==` compares; documents cannot be changed',
  assignNegated: 'give the variable its value before `not`',
  assignedUnused: 'use the variable, leave it out, or name it `_`',
  declaredUnused: 'use the variable, or leave it out',
  importUnused: 'use the import, or leave it out',
  defaultValue: 'a default is a constant: give other values by rules, `allow := x if { … }`',
  functionAsValue: 'it is a function: call it with its arguments',
  recursion:
    'a rule cannot read itself, also not through other rules: follow relations with `graph.reachable`, trees with `walk`',
};

function packageHint({ span }: Diagnostic): string {
  const lines = span?.source.text.slice(0, longestSearched).split('\n') ?? [];
  const row = lines.findIndex((line) => /^\s*package\s+\w/.test(line)) + 1;
  return row > 0
    ? `the package stands before all rules and imports: move line ${row} up`
    : 'a policy begins with the name of its package: `package authz`';
}

/** A package that is not at the top stands near it. */
const longestSearched = 10_000;

/** `+` is for numbers. */
function joinedStrings({ holes, details }: Diagnostic): string | undefined {
  if ((holes as { readonly name?: unknown } | undefined)?.name !== 'plus') return undefined;
  const { have } = (details ?? {}) as { readonly have?: readonly ({ readonly type?: unknown } | null)[] };
  return have?.some((operand) => operand?.type === 'string')
    ? 'texts are joined by a template, `$"{a}{b}"`, or by `concat("", [a, b])`'
    : undefined;
}

function asHint(text: string | undefined): Hint | undefined {
  return text === undefined ? undefined : { text };
}

function didYouMean(name: string | undefined): Hint | undefined {
  return name === undefined ? undefined : { text: `did you mean \`${name}\`?`, meant: name };
}

/** Constants of other languages. */
const constants: Readonly<Record<string, string>> = {
  none: 'null',
  nil: 'null',
  null: 'null',
  true: 'true',
  false: 'false',
};

/** One unbound variable of a rule is one cause, however often the rule has it. */
function unsafeVar(diagnostic: Diagnostic, name: string, { modules, builtins }: HintContext): Hint {
  const { span } = diagnostic;
  const place = span && ruleAt(modules, span);
  const cause = `${span?.file}:${place?.rule?.loc.start} ${name}`;
  // An assigned variable is no misspelt name: its value lacks another variable.
  if (place?.rule && isAssigned(name, place.rule)) return { cause, isConsequence: true };
  const constant = Object.hasOwn(constants, name.toLowerCase()) ? constants[name.toLowerCase()] : undefined;
  const hint =
    (constant === undefined ? asHint(placeHint(markedSpan(diagnostic), name)) : undefined) ??
    didYouMean(constant ?? closest(name, namesAt(modules, place?.module, place?.rule, name))) ??
    didYouMean(inputField(name, place?.module)) ??
    (place === undefined ? queried(span, name, modules) : undefined) ??
    // A name of one letter is a variable rather than a rule of another package.
    asHint(name.length === 1 ? negationHint(markedSpan(diagnostic), name) : undefined) ??
    asHint(place && importOf(name, modules)) ??
    asHint(negationHint(markedSpan(diagnostic), name)) ??
    asHint(headHint(name, markedSpan(diagnostic), place?.rule)) ??
    asHint([...builtins].includes(name) ? `\`${name}\` is a built-in function: call it, \`${name}(…)\`` : undefined);
  return { ...hint, cause };
}

/** A hint by the text around an unbound variable. */
function placeHint(span: Span | undefined, name: string): string | undefined {
  if (span === undefined) return undefined;
  const { text } = span.source;
  const before = lineBefore(span);
  if (before === undefined) return undefined;
  const after = text.slice(span.end, span.end + 80).split('\n', 1)[0]!;
  const [, object, key] = /([\w.[\]"]*[\w\]])\.(\w+)-$/.exec(before) ?? [];
  if (key !== undefined) return `a key with a hyphen stands in brackets: \`${object}["${key}-${name}"]\``;
  if (name === 'undefined') return 'a value that may be undefined is tested by itself: `input.x`, `not input.x`';
  if (/^\s+in\b/.test(after)) return `\`some ${name} in …\` goes through the elements`;
  if (/^\s*:(?!=)/.test(after) && /[{,]\s*$/.test(before))
    return `a key that is a text stands in quotes: \`"${name}"\``;
  return undefined;
}

/** A variable under `not`, which gives it no value. */
function negationHint(span: Span | undefined, name: string): string | undefined {
  if (span === undefined || !/\bnot\s+\S*[^;}]*$/.test(lineBefore(span) ?? '')) return undefined;
  return `\`not\` binds no variables: give \`${name}\` a value before it`;
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

/** The document that a query means: its names with slashes between them, or some of them alone. */
function queried(span: Span | undefined, name: string, modules: Iterable<Module>): Hint | undefined {
  const names = span?.source.text.trim() ?? '';
  if (/^\/?\w+(?:\/\w+)+$/.test(names))
    return didYouMean(`data.${names.replace(/^\/?(?:data\/)?/, '').replaceAll('/', '.')}`);
  return documentOf(name, modules) ?? ruleNamed(name, modules);
}

/** The rule of a package that a query names without the package. */
function ruleNamed(name: string, modules: Iterable<Module>): Hint | undefined {
  for (const module of modules) if (hasRule(module, name)) return didYouMean(`${packagePath(module)}.${name}`);
  return undefined;
}

/** A query that leaves out `data`, or the beginning of a package. */
function documentOf(name: string, modules: Iterable<Module>): Hint | undefined {
  const paths = [...modules].map(packagePath);
  const found = paths.find((path) => path.startsWith(`data.${name}.`)) === undefined ? undefined : `data.${name}`;
  return didYouMean(found ?? paths.find((path) => path.endsWith(`.${name}`)));
}

/** A package whose last name it is can be imported, and a rule of another package. */
function importOf(name: string, modules: Iterable<Module>): string | undefined {
  const all = [...modules];
  const path = all.map(packagePath).find((each) => each.endsWith(`.${name}`));
  if (path !== undefined) return `\`import ${path}\` makes the package known by this name`;
  const owners = new Set(all.filter((module) => hasRule(module, name)).map(packagePath));
  if (owners.size === 0 || owners.size > mostOwners) return undefined;
  const [owner, ...others] = owners;
  const also = others.length === 0 ? '' : `, and so do ${others.map((other) => `\`${other}\``).join(', ')}`;
  return `the package \`${owner}\` has a rule of this name${also}: \`import ${owner}.${name}\` makes it known`;
}

/** In more packages than these a name is none of them in particular. */
const mostOwners = 3;

function hasRule({ rules }: Module, name: string): boolean {
  return rules.some(({ head }) => headName(head.ref) === name);
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
  'time.now': 'time.now_ns',
  typeof: 'type_name',
};

/** Built-ins in the place of other languages' methods, of a value `x`. */
const methods: Readonly<Record<string, string>> = {
  contains: '… in x',
  endswith: 'endswith(x, …)',
  every: 'every … in x { … }',
  filter: '[… | some … in x]',
  has: '… in x',
  hasownproperty: 'x.key',
  includes: '… in x',
  indexof: 'indexof(x, …)',
  join: 'concat(…, x)',
  keys: 'object.keys(x)',
  length: 'count(x)',
  map: '[… | some … in x]',
  match: 'regex.match(…, x)',
  replace: 'replace(x, …, …)',
  some: 'some … in x',
  split: 'split(x, …)',
  startswith: 'startswith(x, …)',
  substring: 'substring(x, …, …)',
  tolowercase: 'lower(x)',
  tostring: 'sprintf("%v", [x])',
  touppercase: 'upper(x)',
  trim: 'trim_space(x)',
};

function undefinedFunction({ span }: Diagnostic, name: string, { modules, builtins }: HintContext): Hint | undefined {
  const module = span && ruleAt(modules, span)?.module;
  const own = module && packagePath(module);
  const inPolicies = functionNames(modules);
  // A function of the same package is written without the package.
  const written = (path: string): string => {
    const found = inPolicies.find((each) => each.path === path);
    return found && found.package === own ? found.name : path;
  };
  const method = /^(.+?)(?:\.(\w+)|\["(\w+)"\])$/.exec(name);
  if (method !== null && /^(?:input|data)\b/.test(name)) {
    const [, object = '', dotted, bracketed = ''] = method;
    const meant = methods[(dotted ?? bracketed).toLowerCase()];
    if (meant !== undefined) return { text: `values have no methods: \`${meant.replace('x', () => object)}\`` };
  }
  const ofOthers = functions[name.toLowerCase()];
  const candidates = new Set([
    ...builtins,
    ...inPolicies.map(({ path }) => path),
    ...inPolicies.filter((each) => each.package === own).map((each) => each.name),
  ]);
  const found = ofOthers !== undefined && candidates.has(ofOthers) ? ofOthers : closest(name, candidates);
  if (found !== undefined) return didYouMean(written(found));
  const rule = name.slice(name.lastIndexOf('.') + 1);
  if (name === `${own}.${rule}` && module?.rules.some(({ head }) => headName(head.ref) === rule))
    return { text: `\`${rule}\` has no arguments: write it without parentheses` };
  const elsewhere = inPolicies.find((each) => each.name === name);
  return didYouMean(elsewhere?.path);
}

/** A key that a schema or a rule's type does not have. */
function undefinedRef({ details }: Diagnostic): Hint | undefined {
  const { ref, pos, oneOf } = (details ?? {}) as {
    readonly ref?: unknown;
    readonly pos?: unknown;
    readonly oneOf?: unknown;
  };
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

function importRoot({ holes, span }: Diagnostic, { modules }: HintContext): Hint | undefined {
  const { root } = holes as { readonly root: string };
  const [, from] =
    /^from\s+(?:data\.)?([\w.]+)\s+import\s+$/.exec(span === undefined ? '' : (lineBefore(span) ?? '')) ?? [];
  if (from !== undefined) return { text: `write \`import data.${from}.${root}\`` };
  const known = closest(root, ['data', 'input', 'future', 'rego']);
  if (known !== undefined) return didYouMean(known);
  const packages = [...modules].map(packagePath);
  return packages.some((path) => path.startsWith(`data.${root}`)) || packages.length === 0
    ? { text: `packages are imported as \`data.${root}\`` }
    : undefined;
}
