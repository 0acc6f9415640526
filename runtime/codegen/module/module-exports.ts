/** The exports of a module. */
import { stringText } from './value-text.js';

/** ES modules are imported, CommonJS modules are required. */
export type ModuleFormat = 'es' | 'commonjs';

export interface ModuleEntrypoint {
  readonly name: string;
  readonly path: readonly string[];
}

export interface ModuleExports {
  readonly entrypoints: readonly ModuleEntrypoint[];
  readonly revision: string | undefined;
  readonly format: ModuleFormat;
  /** The package whose rules are exported by their names; all entrypoints are in it. */
  readonly package?: readonly string[] | undefined;
}

/** Entrypoints by the segments of their paths; one may have others below it. */
export interface EntrypointTree {
  readonly children: Map<string, EntrypointTree>;
  entrypoint: ModuleEntrypoint | undefined;
}

/** The tree below a path. */
export function entrypointTree(
  entrypoints: readonly ModuleEntrypoint[],
  below: readonly string[] = [],
): EntrypointTree {
  const root: EntrypointTree = { children: new Map(), entrypoint: undefined };
  for (const entrypoint of entrypoints) {
    let tree = root;
    for (const segment of entrypoint.path.slice(below.length)) {
      let child = tree.children.get(segment);
      if (child === undefined) tree.children.set(segment, (child = { children: new Map(), entrypoint: undefined }));
      tree = child;
    }
    tree.entrypoint = entrypoint;
  }
  return root;
}

const ownExports = ['decide', 'policy', 'entrypoints', 'revision', 'EvaluationError', 'ModuleError'];

const reserved = new Set(
  `arguments await break case catch class const continue debugger default delete do else enum eval export extends false finally for
  function if implements import in instanceof interface let new null package private protected public return static super switch this
  throw true try typeof var void while with yield exports module require ${ownExports.join(' ')}`.split(/\s+/),
);

/** The first segments of paths that are exported by their names: all are in the default export. */
export function namedExports({ children }: EntrypointTree): readonly string[] {
  return [...children.keys()].filter((name) => /^[A-Za-z_]\w*$/.test(name) && !reserved.has(name));
}

/**
 * The rules of a package as a tree, without those that no export can be named after: `default` is
 * taken, `then` would make a promise of the module, and `__esModule` another format.
 */
export function exportTree(entrypoints: readonly ModuleEntrypoint[], below: readonly string[]): EntrypointTree {
  const tree = entrypointTree(entrypoints, below);
  for (const name of ['default', 'then', '__esModule']) tree.children.delete(name);
  return tree;
}

export function exportsText({ entrypoints, revision, format, package: below }: ModuleExports): string {
  const tree = below === undefined ? entrypointTree(entrypoints) : exportTree(entrypoints, below);
  const own: readonly (readonly [string, string])[] =
    below === undefined
      ? [
          ['decide', '$decide'],
          ['policy', '$policy'],
          ['entrypoints', `Object.freeze(${JSON.stringify(entrypoints.map(({ name }) => name))})`],
          ['revision', revision === undefined ? 'undefined' : stringText(revision)],
          ['EvaluationError', '$evaluationError'],
          ['ModuleError', '$moduleError'],
        ]
      : [
          // Rules have no such names.
          ['$policy', '$policy'],
          ['$EvaluationError', '$evaluationError'],
          ['$ModuleError', '$moduleError'],
        ];
  const names = below === undefined ? namedExports(tree) : [...tree.children.keys()];
  const rules = names.map((name) => [name, `$rules[${stringText(name)}]`] as const);
  const all = [...own, ...rules, ['default', '$rules'] as const];
  const lines = [
    'const $decide=(entrypoint,input,options)=>$policy.decide(entrypoint,input,options);',
    'const $rule=(name,inner)=>Object.defineProperties((input,options)=>$policy.decide(name,input,options),{name:{value:name},...Object.getOwnPropertyDescriptors(inner)});',
    `const $rules=${treeText(tree)};`,
  ];
  if (format === 'es') {
    // Names of their own: one such as Map or delete would hide what the module uses.
    const bindings = all.map(([, text], i) => `$${i}=${text}`).join();
    return [...lines, `const ${bindings};`, `export{${all.map(([name], i) => `$${i} as ${name}`).join()}};`, ''].join(
      '\n',
    );
  }
  const exported = all.map(([name, text]) => `exports.${name}=${text};`);
  return ['"use strict";', ...lines, 'Object.defineProperty(exports,"__esModule",{value:true});', ...exported, ''].join(
    '\n',
  );
}

function treeText({ children, entrypoint }: EntrypointTree): string {
  const inner = `{${[...children].map(([name, child]) => `[${stringText(name)}]:${treeText(child)}`).join()}}`;
  return entrypoint === undefined ? inner : `$rule(${stringText(entrypoint.name)},${inner})`;
}
