/** The page about types: its commands are run, and its TypeScript is checked and run. */
import { execFileSync, spawnSync } from 'node:child_process';
import { mkdirSync, readFileSync, symlinkSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { expect, test } from 'vitest';
import { compileModule } from '../../library/modules/compile-module.js';
import { readModuleUnits } from '../../library/modules/units-file.js';
import { runCommand, withFiles } from '../../test/harness/command.js';

const root = join(import.meta.dirname, '../..');
const page = readFileSync(join(root, 'docs/types.md'), 'utf8');

function blocks(language: string): readonly string[] {
  return [...page.matchAll(new RegExp(`^\`\`\`${language}\\n(.*?)^\`\`\``, 'gms'))].map(([, text]) => text!);
}

const [policy] = blocks('rego');
const [schema] = blocks('json');
const programs = blocks('typescript');

/** Zod is no dependency: what the page uses of it. */
const zod = `interface Schema<Input> {
  readonly '~standard': { readonly types?: { readonly input: Input; readonly output: Input }; readonly jsonSchema: { input(options: object): object } };
}
export declare const z: {
  string(): Schema<string>;
  enum<const Values extends readonly string[]>(values: Values): Schema<Values[number]>;
  object<Members>(members: { [Name in keyof Members]: Schema<Members[Name]> }): Schema<Members>;
};
`;

async function inProject(use: (directory: string) => Promise<void>): Promise<void> {
  const files = { 'policies/authz.rego': policy!, 'schemas/request.json': schema!, 'node_modules/zod/index.d.ts': zod };
  await withFiles(files, async (directory) => {
    symlinkSync(root, join(directory, 'node_modules/writ'));
    writeFileSync(join(directory, 'package.json'), '{ "type": "module" }');
    await use(directory);
  });
}

/** The commands of the page, in the folder of its files. */
async function runCommands(directory: string): Promise<void> {
  for (const [, command, output] of page.matchAll(/^ {4}\$ writ (.*)\n {4}(.*)\n/gm)) {
    const args = command!.split(' ').map((word) => (/^-|^types$/.test(word) ? word : join(directory, word)));
    expect(await runCommand(...args)).toEqual({ exit: 0, stdout: `${join(directory, output!)}\n`, stderr: '' });
  }
}

test('its commands write what they say, and TypeScript takes its programs', async () => {
  expect(programs).toHaveLength(4);
  await inProject(async (directory) => {
    await runCommands(directory);
    for (const [i, text] of programs.entries()) writeFileSync(join(directory, `program-${i}.ts`), text);
    const compilerOptions = { strict: true, noEmit: true, target: 'ES2022', module: 'ESNext', moduleResolution: 'Bundler', types: [] };
    const settings = { compilerOptions: { ...compilerOptions, allowArbitraryExtensions: true }, include: ['*.ts'] };
    writeFileSync(join(directory, 'tsconfig.json'), JSON.stringify(settings));
    const compiler = join(root, 'node_modules/typescript/bin/tsc');
    const { stdout } = spawnSync(process.execPath, [compiler, '-p', directory], { encoding: 'utf8' });
    expect(stdout).toBe('');
    for (const [i, text] of programs.entries())
      writeFileSync(join(directory, `program-${i}.ts`), text.replaceAll(/\/\/ @ts-expect-error.*/g, ''));
    const wrong = spawnSync(process.execPath, [compiler, '-p', directory, '--pretty', 'false'], { encoding: 'utf8' }).stdout;
    const codes = programs.map((text) => [...text.matchAll(/@ts-expect-error (TS\d+)/g)].map(([, code]) => code!));
    const found = programs.map((_, i) =>
      [...wrong.matchAll(new RegExp(`^.*program-${i}\\.ts.*error (TS\\d+)`, 'gm'))].map(([, code]) => code!),
    );
    expect(found).toEqual(codes);
  });
});

test('its validator gives the stated issues', async () => {
  await inProject(async (directory) => {
    const sources = { policies: new Map([['authz.rego', policy!]]) };
    const { module } = compileModule(sources, { file: 'authz.rego', units: readModuleUnits() });
    const path = join(directory, 'policies/authz.js');
    mkdirSync(dirname(path), { recursive: true });
    writeFileSync(path, module!.text);
    const [program] = programs.filter((text) => text.includes('validator(deny)'));
    const script = program!.replace('./policies/authz.rego', './policies/authz.js');
    writeFileSync(join(directory, 'main.js'), script.replaceAll(' as const', ''));
    const printed = execFileSync(process.execPath, ['main.js'], { cwd: directory, encoding: 'utf8' });
    expect(program).toContain(`console.log(checked.issues); // ${printed.trim()}`);
  });
});

test('its schema of zod has the stated error', async () => {
  const { Engine } = await import('../../library/index.js');
  const properties = {
    user: { type: 'object', properties: { role: { enum: ['admin', 'user'] } }, additionalProperties: false },
    action: {},
  };
  const input = { type: 'object', properties };
  const opened = Engine.open({ policies: { 'policies/authz.rego': policy! } }, { schemas: { input, request: input } });
  const [, stated] = /^\/\/ CompileErrors: (.*)$/m.exec(page)!;
  await expect(opened).rejects.toThrow(stated!);
});
