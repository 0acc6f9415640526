/** Imports by themselves. */

import type { Import, RefTerm } from '../../../../compiler/index.js';
import { importName, isRootName, leadingKeys, nameOfKey, printRef } from '../../../../compiler/index.js';
import { beginsWith } from '../../../../values/index.js';
import type { LintRule } from '../../frame/lint-rule.js';

/** The path of an import, as a list of its names. */
export function importPath({ path }: Import): readonly string[] {
  return [nameOfKey(path.terms[0]), ...leadingKeys(path.terms.slice(1))];
}

function isDocument(path: readonly string[]): boolean {
  return path[0] === 'data' || path[0] === 'input';
}

export const importRules: readonly LintRule[] = [
  {
    name: 'avoid-importing-input',
    category: 'imports',
    finds: 'The input is there without an import',
    visit: ({ report }) => ({
      import: (node) => {
        const path = importPath(node);
        if (path[0] === 'input' && !(path.length === 1 && node.alias !== undefined)) report(node.path.terms[0].loc);
      },
    }),
  },
  {
    name: 'confusing-alias',
    category: 'imports',
    finds: 'The same path is imported under another name too',
    visit: ({ file, report }) => ({
      file: () => {
        for (const group of Map.groupBy(file.module.imports, ({ path }) => printRef(path.terms)).values())
          for (const node of group) if (group.length > 1 && node.alias !== undefined) report(node.loc);
      },
    }),
  },
  {
    name: 'implicit-future-keywords',
    category: 'imports',
    finds: 'Name the keywords that are imported',
    unless: ({ features }) => (features.has('rego_v1_import') ? 'import rego.v1 has all keywords' : undefined),
    isLeftOutSilently: true,
    visit: ({ report }) => ({
      import: (node) => {
        if (importPath(node).join('.') === 'future.keywords') report(node.path.terms[0].loc);
      },
    }),
  },
  {
    name: 'import-after-rule',
    category: 'imports',
    finds: 'Imports stand above the rules',
    visit: ({ file, report }) => ({
      import: (node) => {
        const [first] = file.module.rules;
        if (first && node.loc.start > first.loc.start) report(node.loc);
      },
    }),
  },
  {
    name: 'import-shadows-builtin',
    category: 'imports',
    finds: 'The import has the name of a built-in, or of its namespace',
    visit: ({ file, report }) => ({
      import: (node) => {
        if (isDocument(importPath(node)) && file.builtinNames.first.has(importName(node))) report(node.loc);
      },
    }),
  },
  {
    name: 'import-shadows-import',
    category: 'imports',
    finds: 'Another import has the same name',
    visit: ({ file, report }) => {
      const names = new Set<string>();
      return {
        import: (node) => {
          const name = importName(node);
          if (file.module.regoVersion === 'v0' && names.has(name)) report(node.path.loc);
          names.add(name);
        },
      };
    },
  },
  {
    name: 'pointless-import',
    category: 'imports',
    finds: 'What is imported is known in its own package',
    visit: ({ file, report }) => {
      const own = ['data', ...file.packagePath];
      const rulePaths = file.module.rules.map(({ head }) => [
        ...own,
        nameOfKey(head.ref[0]),
        ...leadingKeys(head.ref.slice(1)),
      ]);
      return {
        import: (node) => {
          const path = importPath(node);
          const isOwn = path.length === own.length && beginsWith(own, path);
          if (isOwn || rulePaths.some((rule) => beginsWith(rule, path))) report(node.path.loc);
        },
      };
    },
  },
  {
    name: 'redundant-alias',
    category: 'imports',
    finds: 'The alias is the name that the import has without it',
    visit: ({ report }) => ({
      import: (node) => {
        if (node.alias !== undefined && node.alias === importName({ ...node, alias: undefined }))
          report(node.path.terms[0].loc);
      },
    }),
  },
  {
    name: 'redundant-data-import',
    category: 'imports',
    finds: 'The document data is there without an import',
    visit: ({ report }) => ({
      import: (node) => {
        if (importPath(node).join('.') === 'data') report(node.path.loc);
      },
    }),
  },
  {
    name: 'use-rego-v1',
    category: 'imports',
    finds: 'Import rego.v1 to write the language of today',
    isFixable: true,
    unless: ({ features }) =>
      features.has('rego_v1_import') || features.has('rego_v1') ? undefined : 'there is no import rego.v1',
    visit: ({ file, report }) => ({
      package: (node) => {
        const isImported = file.module.imports.some((each) => importPath(each).join('.') === 'rego.v1');
        if (file.isOld && !isImported) report(node.loc);
      },
    }),
  },
  {
    name: 'ignored-import',
    category: 'imports',
    finds: 'The path is imported: use its name',
    visit: ({ file, report }) => {
      const imported = file.module.imports.map(importPath).filter((path) => isDocument(path) && path.length > 1);
      const check = (path: readonly string[], ref: RefTerm): void => {
        const longest = imported.filter((each) => beginsWith(path, each)).sort((a, b) => b.length - a.length)[0];
        if (longest) report(ref, `The path is imported: use the name of the import, not ${longest.join('.')}`);
      };
      return {
        ref: (ref) => {
          const name = nameOfKey(ref.terms[0]);
          if (isRootName(name)) check([name, ...leadingKeys(ref.terms.slice(1))], ref);
        },
        call: ({ operator }) => {
          if (nameOfKey(operator.terms[0]) === 'data')
            check(['data', ...leadingKeys(operator.terms.slice(1))], operator);
        },
      };
    },
  },
];
