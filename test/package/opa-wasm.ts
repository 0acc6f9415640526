/** The entry in the place of `@open-policy-agent/opa-wasm`, as users load it. */
import { readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { archiveOf } from '../harness/archives.js';
import { chromiumPath } from '../harness/chromium.js';
import { outcomeOfPage } from '../harness/served-page.js';
import { wasmPolicy } from '../harness/wasm/wasm-policy.js';
import { own, run, withNode } from './project.js';

const node = own('node/bin/node');

const policy = `package a

parts := regex.split("a", input.text)

read := yaml.unmarshal("a: [1]")
`;
const entrypoints = ['a/parts', 'a/read'];
const manifest = { roots: [''], wasm: entrypoints.map((entrypoint) => ({ entrypoint, module: '/policy.wasm' })) };
const wasm = wasmPolicy({ rules: { 'a/upper': { builtin: 'upper', operands: [{ document: 'input' }] } } });

const bundled = `const policy = await loadPolicy(bundle);
const found = [policy.entrypoints, policy.evaluate({ text: 'bac' }), policy.evaluate({}, 'a/read')];`;
const wanted = [{ 'a/parts': 0, 'a/read': 1 }, [{ result: ['b', 'c'] }], [{ result: { a: [1] } }]];

export function testOpaWasm(project: string): void {
  const archive = archiveOf({ '/a.rego': policy, '/.manifest': JSON.stringify(manifest), '/policy.wasm': wasm });

  describe('writ/opa-wasm', () => {
    const asked = `${bundled}
found.push((await loadPolicy(wasm)).evaluate('x'), loadPolicySync(wasm).evaluate('y'));
console.log(JSON.stringify(found));`;

    test.each([
      [
        'import',
        'opa.mjs',
        "import { readFileSync } from 'node:fs';\nimport opa, { loadPolicy, loadPolicySync } from 'writ/opa-wasm';",
        asked,
      ],
      [
        'require',
        'opa.cjs',
        "const { readFileSync } = require('node:fs');\nconst { loadPolicy, loadPolicySync, default: opa } = require('writ/opa-wasm');",
        `(async () => {\n${asked}\n})();`,
      ],
    ])('loads bundles and WebAssembly on Node by %s', async (_form, file, head, body) => {
      writeFileSync(join(project, 'opa-bundle.tar.gz'), await archive);
      writeFileSync(join(project, 'opa-policy.wasm'), wasm);
      const read = "const [bundle, wasm] = [readFileSync('opa-bundle.tar.gz'), readFileSync('opa-policy.wasm')];";
      writeFileSync(join(project, file), `${head}\nif (opa.loadPolicy !== loadPolicy) throw new Error('two functions');\n${read}\n${body}`);
      const { stdout, stderr } = await run(node, [file], project, withNode(node));
      expect({ stdout: stdout && (JSON.parse(stdout) as unknown), stderr }).toEqual({
        stdout: [...wanted, [{ result: 'X' }], [{ result: 'Y' }]],
        stderr: '',
      });
    });

    test.skipIf(chromiumPath === undefined)("loads bundles in Chromium under default-src 'self', which forbids WebAssembly", async () => {
      const browser = join(project, 'node_modules/writ/dist/browser');
      const script = `import opa, { loadPolicy } from '/writ/opa-wasm.js';
const post = (path, body) => fetch(path, { method: 'POST', body });
addEventListener('unhandledrejection', ({ reason }) => post('/failed', String(reason?.stack ?? reason)));
const bundle = fetch('/bundle.tar.gz');
${bundled}
found.push(await opa.loadPolicy(fetch('/policy.wasm')).then(() => 'loaded', (error) => error.name + ' ' + error.code));
await post('/done', JSON.stringify(found));`;
      const files = new Map<string, string | Uint8Array>([
        ['/', '<!doctype html><script type="module" src="/page.mjs"></script>'],
        ['/page.mjs', script],
        ['/bundle.tar.gz', await archive],
        ['/policy.wasm', wasm],
        ...readdirSync(browser).map((name) => [`/writ/${name}`, readFileSync(join(browser, name))] as const),
      ]);
      expect(JSON.parse(await outcomeOfPage(files))).toEqual([...wanted, 'OpaWasmError invalid_policy']);
    });
  });
}
