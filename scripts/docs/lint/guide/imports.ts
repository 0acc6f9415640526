import type { CategoryGuide } from './example.js';

export const imports: CategoryGuide = {
  'avoid-importing-input': {
    why: 'The input is known everywhere. Its parts read best by their whole path. An alias for all of it is allowed.',
    bad: 'import input.user\n\nallow if user.admin',
    good: 'allow if input.user.admin',
  },
  'circular-import': {
    why: 'Packages that import each other cannot be understood, tested or reused one by one.',
    bad: '-- a/a.rego\npackage a\n\nimport data.b\n\nx := b.y\n-- b/b.rego\npackage b\n\nimport data.a\n\ny if a.z',
    good: '-- a/a.rego\npackage a\n\nimport data.b\n\nx := b.y\n-- b/b.rego\npackage b\n\ny if input.ready',
  },
  'confusing-alias': {
    why: 'Two names for one path in a file look like two documents.',
    bad: 'import data.users\nimport data.users as people\n\nallow if users[people.first]',
    good: 'import data.users\n\nallow if users[users.first]',
  },
  'ignored-import': {
    why: 'A path that is imported has a name. To write it whole makes readers look for the difference.',
    bad: 'import data.users\n\nallow if data.users[input.id]',
    good: 'import data.users\n\nallow if users[input.id]',
  },
  'implicit-future-keywords': {
    why: 'An import of all keywords brings those of later releases too, which then are no names any more.',
    bad: 'import future.keywords\n\nallow if input.ticket',
    good: 'import future.keywords.if\n\nallow if input.ticket',
  },
  'import-after-rule': {
    why: 'An import holds in the whole file, wherever it stands. Readers look for it at the top.',
    bad: 'allow if users[input.id]\n\nimport data.users',
    good: 'import data.users\n\nallow if users[input.id]',
  },
  'import-shadows-builtin': {
    why: 'The built-in of this name, or all of its namespace, is out of reach in the file.',
    bad: 'import data.http\n\nallow if http[input.id]',
    good: 'import data.http as requests\n\nallow if requests[input.id]',
  },
  'import-shadows-import': {
    why: 'Only one of two imports with the same name has an effect. Version 1 of the language refuses them.',
    bad: 'import data.a.users\nimport data.b.users\n\nallow {\n\tusers[input.id]\n}',
    good: 'import data.a.users\nimport data.b.users as guests\n\nallow {\n\tusers[guests.first]\n}',
  },
  'pointless-import': {
    why: 'The rules of the own package are known by their names.',
    bad: 'import data.example.admins\n\nadmins contains "alice"',
    good: 'admins contains "alice"\n\nallow if input.user in admins',
  },
  'prefer-package-imports': {
    why: 'A rule that is imported alone looks like one of the own package. The name of its package says where it is from.',
    bad: '-- a/a.rego\npackage a\n\nimport data.b.open\n\nallow if open\n-- b/b.rego\npackage b\n\nopen if input.ready',
    good: '-- a/a.rego\npackage a\n\nimport data.b\n\nallow if b.open\n-- b/b.rego\npackage b\n\nopen if input.ready',
  },
  'redundant-alias': {
    why: 'Without an alias an import has the name of its last part.',
    bad: 'import data.users as users\n\nallow if users[input.id]',
    good: 'import data.users\n\nallow if users[input.id]',
  },
  'redundant-data-import': {
    why: 'The document `data` is known everywhere.',
    bad: 'import data\n\nallow if data.users[input.id]',
    good: 'allow if data.users[input.id]',
  },
  'unresolved-import': {
    why: 'An import that no file answers is misspelt, or its file is missing. Documents from elsewhere stand in `except-imports`.',
    bad: '-- a/a.rego\npackage a\n\nimport data.bb\n\nallow if bb.open\n-- b/b.rego\npackage b\n\nopen if input.ready',
    good: '-- a/a.rego\npackage a\n\nimport data.b\n\nallow if b.open\n-- b/b.rego\npackage b\n\nopen if input.ready',
  },
  'unresolved-reference': {
    why: 'A ref that no file answers is undefined. It is misspelt, or its document is from elsewhere: name that in `except-paths`.',
    bad: '-- a/a.rego\npackage a\n\nallow if data.b.opne\n-- b/b.rego\npackage b\n\nopen if input.ready',
    good: '-- a/a.rego\npackage a\n\nallow if data.b.open\n-- b/b.rego\npackage b\n\nopen if input.ready',
  },
  'use-rego-v1': {
    why: 'With `import rego.v1` a file of version 0 is one of version 1 too, and is checked like one.',
    bad: 'allow {\n\tinput.ticket\n}',
    good: 'import rego.v1\n\nallow if input.ticket',
  },
};
