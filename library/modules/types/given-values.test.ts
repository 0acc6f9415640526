/** Values of projects that TypeScript takes as inputs of a module's rules. */
import { spawnSync } from 'node:child_process';
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { runCommand, withFiles } from '../../../test/harness/command.js';

const policy = `package p

# METADATA
# scope: document
# schemas:
#   - input: schema.request
default allow := false

allow if input.user.name == "ann"
`;

const text = { type: 'string' };
const target = (kind: string, name: string, type: object) => ({
  type: 'object',
  properties: { kind: { const: kind }, [name]: type },
  required: ['kind', name],
  additionalProperties: false,
});
const user = { type: 'object', properties: { name: text, role: { enum: ['admin', 'user'] }, email: text }, required: ['name'] };
const schema = {
  type: 'object',
  properties: {
    user,
    users: { type: 'array', items: user },
    tags: { type: 'array', items: text },
    labels: { type: 'object', additionalProperties: text },
    point: { prefixItems: [{ type: 'number' }, { type: 'number' }], items: false, minItems: 2 },
    target: { oneOf: [target('file', 'path', text), target('user', 'id', { type: 'integer' })] },
    options: { type: 'object', properties: { dryRun: { type: 'boolean' } }, additionalProperties: { type: 'number' } },
  },
  required: ['user'],
  additionalProperties: false,
};

const declared = `import { allow } from './p.rego';

interface User { name: string; role?: 'admin' | 'user'; email?: string | undefined }
interface Member extends User { readonly since: number }
class Account implements User {
  name = 'ann';
  role = 'user' as const;
  readonly #secret = 1;
  get upper() { return this.name.toUpperCase() + this.#secret; }
}
enum Role { admin = 'admin', user = 'user' }
type Target = { kind: 'file'; path: string } | { kind: 'user'; id: number };
interface File { readonly kind: 'file'; readonly path: string }
interface Labels { team: string }
declare const user: User;
declare const branded: string & { readonly __brand: 'id' };
declare const maybe: string | undefined;
declare const target: Target;
declare const file: File;
declare const labels: Labels;
declare const frozen: readonly string[];
declare const record: Record<string, string>;
declare const partial: Partial<Record<string, string>>;
declare const members: ReadonlyArray<Member>;
declare const pair: readonly [number, number];
`;

const taken: readonly (readonly [what: string, input: string])[] = [
  ['a value of an interface', '{ user }'],
  ['one with more members', '{ user: members[0]! }'],
  ['an array of them', '{ user, users: members }'],
  ['an instance of a class', '{ user: new Account() }'],
  ['an enumeration', "{ user: { name: 'ann', role: Role.admin } }"],
  ['a branded text', '{ user: { name: branded } }'],
  ['a readonly array', '{ user, tags: frozen }'],
  ['an array', '{ user, tags: [...frozen] }'],
  ['a member that may be undefined', "{ user: { name: 'ann', email: maybe } }"],
  ['an array that may be undefined', '{ user, tags: maybe === undefined ? undefined : [maybe] }'],
  ['an object that may be undefined', '{ user, target: maybe === undefined ? undefined : target }'],
  ['a union', '{ user, target }'],
  ['one of its interfaces', '{ user, target: file }'],
  ['a record', '{ user, labels: record }'],
  ['a record of some members', '{ user, labels: partial }'],
  ['a record with a member that may be undefined', '{ user, labels: { team: maybe } }'],
  ['the members of an interface as a record', '{ user, labels: { ...labels } }'],
  ['members beside others that may be undefined', '{ user, options: { dryRun: undefined, depth: maybe === undefined ? undefined : 1 } }'],
  ['a pair', '{ user, point: pair }'],
  ['a pair as it is written', '{ user, point: [1, 2] }'],
  ['the time as a text', '{ user, tags: [new Date().toISOString()] }'],
];

const refused: readonly (readonly [what: string, input: string])[] = [
  ['a Date for a text', '{ user, tags: [new Date()] }'],
  ['a member of another type', '{ user, labels: { team: 1 } }'],
  ['an undefined member that is required', '{ user: undefined }'],
  ['an undefined element', '{ user, tags: [maybe] }'],
  ['numbers that are no pair', '{ user, point: [1, 2, 3] }'],
  ['an array for an object', '{ user: [] }'],
];

test.each([true, false])('with exactOptionalPropertyTypes %s', async (exactOptionalPropertyTypes) => {
  await withFiles({ 'p.rego': policy, 'schemas/request.json': JSON.stringify(schema) }, async (directory) => {
    const made = await runCommand('types', '--schema', join(directory, 'schemas'), directory);
    expect(made.exit).toBe(0);
    const lines = [
      ...taken.map(([, input]) => `allow(${input});`),
      ...refused.flatMap(([what, input]) => [`// @ts-expect-error ${what}`, `allow(${input});`]),
    ];
    writeFileSync(join(directory, 'use.mts'), `${declared}${lines.join('\n')}\n`);
    writeFileSync(join(directory, 'package.json'), '{ "type": "module" }');
    const compilerOptions = {
      ...{ strict: true, noEmit: true, target: 'ES2022', module: 'NodeNext', types: [], pretty: false },
      allowArbitraryExtensions: true,
      exactOptionalPropertyTypes,
    };
    writeFileSync(join(directory, 'tsconfig.json'), JSON.stringify({ compilerOptions, files: ['use.mts'] }));
    const compiler = join(import.meta.dirname, '../../../node_modules/typescript/bin/tsc');
    const { stdout } = spawnSync(process.execPath, [compiler, '-p', directory], { encoding: 'utf8' });
    const source = readFileSync(join(directory, 'use.mts'), 'utf8').split('\n');
    const wrong = [...stdout.matchAll(/use\.mts\((\d+),\d+\): error (.*)/g)].map(
      ([, line, error]) => `${source[Number(line) - 1]} ${error}`,
    );
    expect(wrong).toEqual([]);
    expect(stdout).toBe('');
  });
});
