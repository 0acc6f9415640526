import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { doors, readDoors, throughDoors } from './doors.js';

const files: Readonly<Record<string, string>> = {
  'values/index.ts': [
    "export { type Host, parseHost } from './builtins/host.js';",
    "export {\n  equal,\n  type Value,\n} from './value.js';",
    "export * as types from './type.js';",
    "export { string } from './type.js';",
    "export type { Json } from './json/json.js';",
  ].join('\n'),
};
const exported = readDoors((path) => files[path] ?? '');

test.each([
  ['a name', "import { equal } from '../values/index.js';", "import { equal } from '../values/value.js';"],
  ['a type', "import type { Json } from '../values/index.js';", "import type { Json } from '../values/json/json.js';"],
  ['another name', "import { equal as same } from '../values/index.js';", "import { equal as same } from '../values/value.js';"],
  [
    'names of several files',
    "import { equal, type Host, type Value } from '../values/index.js';",
    "import { equal, type Value } from '../values/value.js'; import type { Host } from '../values/builtins/host.js';",
  ],
  ['a module', "export { types } from '../values/index.js';", "export * as types from '../values/type.js';"],
  ['a module by another name', "import { types as kinds } from '../values/index.js';", "import * as kinds from '../values/type.js';"],
  [
    'a module and names of its file',
    "import { string, types } from '../values/index.js';",
    "import { string } from '../values/type.js'; import * as types from '../values/type.js';",
  ],
  [
    'names on several lines, which keep their number',
    "import {\n  equal,\n  parseHost,\n} from '../values/index.js';\nnext();",
    "import { equal } from '../values/value.js'; import { parseHost } from '../values/builtins/host.js';\n\n\n\nnext();",
  ],
  ['a file of the room', "import { equal } from './value.js';", "import { equal } from './value.js';"],
  ['a name that the door lacks', "import { no } from '../values/index.js';", "import { no } from '../values/index.js';"],
  ['an import on demand', "await import('../values/index.js');", "await import('../values/index.js');"],
])('%s', (_title, text, expected) => {
  expect(throughDoors(text, 'compiler/a.ts', exported)).toBe(expected);
});

test('every line of the doors of this project is read', () => {
  const real = readDoors();
  for (const door of doors) {
    const text = readFileSync(join(import.meta.dirname, '..', door), 'utf8');
    const specifiers = new Set(text.match(/(?<= from ')[^']+/g));
    expect(specifiers.size, door).toBeGreaterThan(0);
    expect(new Set([...real.get(door)!.values()].map(({ file }) => file)).size, door).toBe(specifiers.size);
  }
});
