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
  /**
   * The package whose rules are exported by their names; without it, the first segments of all
   * paths are.
   */
  readonly package?: readonly string[] | undefined;
  readonly revision: string | undefined;
  readonly format: ModuleFormat;
}

/** Entrypoints by the segments of their paths; one may have others below it. */
export interface EntrypointTree {
  readonly children: Map<string, EntrypointTree>;
  entrypoint: ModuleEntrypoint | undefined;
}

export function entrypointTree(entrypoints: readonly ModuleEntrypoint[]): EntrypointTree {
  const root: EntrypointTree = { children: new Map(), entrypoint: undefined };
  for (const entrypoint of entrypoints) {
    let tree = root;
    for (const segment of entrypoint.path) {
      let child = tree.children.get(segment);
      if (child === undefined) tree.children.set(segment, (child = { children: new Map(), entrypoint: undefined }));
      tree = child;
    }
    tree.entrypoint = entrypoint;
  }
  return root;
}

/** The entrypoints below a path. */
export function below(tree: EntrypointTree, path: readonly string[]): EntrypointTree {
  return path.reduce((found: EntrypointTree, segment) => found.children.get(segment) ?? empty, tree);
}

const empty: EntrypointTree = { children: new Map(), entrypoint: undefined };

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

export function exportsText({ entrypoints, package: path = [], revision, format }: ModuleExports): string {
  const tree = below(entrypointTree(entrypoints), path);
  const own = [
    ['decide', '$decide'],
    ['policy', '$policy'],
    ['entrypoints', `Object.freeze(${JSON.stringify(entrypoints.map(({ name }) => name))})`],
    ['revision', revision === undefined ? 'undefined' : stringText(revision)],
    ['EvaluationError', '$evaluationError'],
    ['ModuleError', '$moduleError'],
    ...namedExports(tree).map((name) => [name, `$rules[${stringText(name)}]`]),
  ] as const;
  const lines = [
    'const $decide=(entrypoint,input,options)=>$policy.decide(entrypoint,input,options);',
    'const $rule=(name,inner)=>Object.defineProperties((input,options)=>$policy.decide(name,input,options),Object.getOwnPropertyDescriptors(inner));',
    `const $rules=${treeText(tree)};`,
  ];
  if (format === 'es')
    return [...lines, ...own.map(([name, text]) => `export const ${name}=${text};`), 'export default $rules;', ''].join('\n');
  const exported = [...own, ['default', '$rules'] as const].map(([name, text]) => `exports.${name}=${text};`);
  return ['"use strict";', ...lines, 'Object.defineProperty(exports,"__esModule",{value:true});', ...exported, ''].join('\n');
}

function treeText({ children, entrypoint }: EntrypointTree): string {
  const inner = `{${[...children].map(([name, child]) => `[${stringText(name)}]:${treeText(child)}`).join()}}`;
  return entrypoint === undefined ? inner : `$rule(${stringText(entrypoint.name)},${inner})`;
}
