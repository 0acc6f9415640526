/** The TypeScript declarations of a module of a package's rules. */
import type { Compiled, Diagnostic } from '../../../compiler/index.js';
import { type EntrypointTree, exportTree } from '../../../runtime/index.js';
import type { PackageRules } from '../package-rules.js';
import { dataText } from './data-types.js';
import { type EntrypointTypes, typesOf } from './entrypoint-types.js';
import {
  decisionDeclarations,
  errorDeclarations,
  fixedNames,
  packageModuleDeclarations,
} from './fixed-declarations.js';
import { DocumentSchemas } from './rule-schemas.js';
import { SchemaTypes } from './schema-types.js';
import { commentText, type MemberText, objectText, unknown } from './type-text.js';

/** @param title the comment in the first line */
export function packageDeclarations(exports: PackageRules, compiled: Compiled, title: string): string {
  const documents = new DocumentSchemas(compiled);
  const schemas = new SchemaTypes(fixedNames);
  const types = new Map(exports.entrypoints.map((one) => [one.name, typesOf(one, compiled, documents, schemas)]));
  const data = dataText(documents, schemas);
  const tree = exportTree(exports.entrypoints, exports.path);
  const named = new Map([...tree.children.keys()].map((name) => [name, localName(name)]));
  const exported = ruleMembers(tree, '(typeof $rules)');
  const others = [...types.values()].filter(({ entrypoint }) => !exported.some(({ name }) => name === entrypoint.name));
  const rules = [
    ...exported,
    ...others.map((one) => ({ name: one.entrypoint.name, type: ruleText(one), optional: false })),
  ];
  return [
    `// ${title}\n/* eslint-disable */`,
    ...[...exports.refused].map(
      ([name, { message }]: readonly [string, Diagnostic]) => `// ${name} is not exported: ${message}`,
    ),
    ...[...named].map(([name, local]) => exportText(name, local, tree.children.get(name)!, types)),
    ...schemas.declarations,
    `/** The rules by their paths. */\nexport interface Rules ${objectText(rules, undefined)}`,
    `/** All rules of the package by their names. */\ndeclare const $rules: ${objectText(namedMembers(named), undefined)};\nexport default $rules;`,
    `/** The base documents. */\nexport type Data = ${data};`,
    decisionDeclarations,
    errorDeclarations(''),
    `${packageModuleDeclarations}\n`,
  ].join('\n\n');
}

/** Declarations have names that hide nothing, and are no words of TypeScript. */
function localName(name: string): string {
  return /^[a-z_]/.test(name) && !reserved.has(name) ? name : `$${name}`;
}

const reserved = new Set(
  `arguments await break case catch class const continue debugger delete do else enum eval export extends false finally for function
  globalThis if implements import in instanceof interface let new null package private protected public return static super switch this
  throw true try typeof undefined var void while with yield`.split(/\s+/),
);

function exportText(
  name: string,
  local: string,
  node: EntrypointTree,
  types: ReadonlyMap<string, EntrypointTypes>,
): string {
  const own = node.entrypoint && types.get(node.entrypoint.name);
  const prefix = name === local ? 'export declare' : 'declare';
  const text =
    own !== undefined && node.children.size === 0
      ? `${prefix} function ${local}(${parametersText(own)}): ${own.result};`
      : `${prefix} const ${local}: ${treeText(node, types)};`;
  return `${commentText(own?.description)}${text}${name === local ? '' : `\nexport { ${local} as ${name} };`}`;
}

function parametersText({ input }: EntrypointTypes): string {
  return `input${input === unknown ? '?' : ''}: ${input}, options?: Options`;
}

function treeText({ children, entrypoint }: EntrypointTree, types: ReadonlyMap<string, EntrypointTypes>): string {
  const members = [...children].map(([name, child]) => {
    const description = child.entrypoint && types.get(child.entrypoint.name)?.description;
    return { name, type: treeText(child, types), optional: false, description };
  });
  const own = entrypoint && types.get(entrypoint.name);
  if (own === undefined) return objectText(members, undefined);
  return members.length === 0 ? ruleText(own) : `${ruleText(own)} & ${objectText(members, undefined)}`;
}

function ruleText({ input, result }: EntrypointTypes): string {
  return `Rule<${input}, ${result}>`;
}

function namedMembers(named: ReadonlyMap<string, string>): MemberText[] {
  return [...named].map(([name, local]) => ({ name, type: `typeof ${local}`, optional: false }));
}

/** The rules of a tree by their paths, as types of members of the default export. */
function ruleMembers({ children, entrypoint }: EntrypointTree, type: string): MemberText[] {
  const inner = [...children].flatMap(([name, child]) => ruleMembers(child, `${type}[${JSON.stringify(name)}]`));
  return entrypoint === undefined ? inner : [{ name: entrypoint.name, type, optional: false }, ...inner];
}
