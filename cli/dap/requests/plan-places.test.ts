/** Plans of any compiler in an editor: breakpoints and frames at the places that the plan names. */
import { rmSync } from 'node:fs';
import { afterAll, afterEach, beforeAll, beforeEach, expect, test } from 'vitest';
import { DapClient } from '../../../test/harness/dap/dap-client.js';
import { launchFiles } from '../../../test/harness/dap/dap-launch.js';
import { planAlone } from '../../../test/harness/dap/dap-plan.js';
import { rowOf, shopFolder } from '../../../test/harness/dap/dap-policy.js';

let shop: ReturnType<typeof shopFolder>;
let dap: DapClient;

beforeAll(() => {
  shop = shopFolder();
});
afterAll(() => rmSync(shop.folder, { recursive: true }));
beforeEach(() => {
  dap = new DapClient({ launch: launchFiles });
});
afterEach(() => dap.end());

interface Body {
  readonly breakpoints: readonly { verified: boolean; line?: number; source?: object; message?: string }[];
}

interface Frames {
  readonly stackFrames: readonly { line: number; source?: { name?: string; path?: string; sourceReference?: number } }[];
}

/** The breakpoint at the first condition of `allow`, and the frame in which it stops. */
async function stopsIn(plan: string, path: string, settings: object = {}) {
  await dap.get('initialize', { adapterID: 'writ' });
  await dap.get('launch', { ...shop.launch, query: undefined, command: 'plan', plan, ...settings });
  await dap.event('initialized');
  const { breakpoints } = await dap.get<Body>('setBreakpoints', { source: { path }, breakpoints: [{ line }] });
  await dap.get('configurationDone');
  const { event } = await dap.eventOf('stopped', 'terminated');
  if (event !== 'stopped') return { breakpoint: breakpoints[0], frame: undefined };
  const { stackFrames } = await dap.get<Frames>('stackTrace', { threadId: 1 });
  return { breakpoint: breakpoints[0], frame: stackFrames[0] };
}

const line = rowOf('some role in roles');

test('a file that is there is the source', async () => {
  const plan = await planAlone(shop.folder, shop.policy, (name) => name);
  const { breakpoint, frame } = await stopsIn(plan, shop.policy);
  expect(breakpoint).toMatchObject({ verified: true, line, source: { path: shop.policy } });
  expect(frame).toMatchObject({ line, source: { path: shop.policy } });
});

test('a file below a root of the launch is the source', async () => {
  const plan = await planAlone(shop.folder, shop.policy, () => '/ci/src/shop.rego');
  for (const sourceRoots of [[`/ci/src=${shop.folder}`], { '/ci/src': shop.folder }]) {
    const { breakpoint, frame } = await stopsIn(plan, shop.policy, { sourceRoots });
    expect(breakpoint).toMatchObject({ verified: true, line });
    expect(frame).toMatchObject({ line, source: { path: shop.policy } });
    dap.end();
    dap = new DapClient({ launch: launchFiles });
  }
});

test('a file that is not found by its name is the one of the editor that ends alike', async () => {
  const plan = await planAlone(shop.folder, shop.policy, () => 'pol/gone.rego');
  const path = '/home/someone/pol/gone.rego';
  const { breakpoint, frame } = await stopsIn(plan, path);
  expect(breakpoint).toMatchObject({ verified: true, line, source: { path } });
  expect(frame).toMatchObject({ line, source: { path } });
});

test('frames have lines where nobody has the file', async () => {
  const plan = await planAlone(shop.folder, shop.policy, () => 'pol/gone.rego');
  const { breakpoint, frame } = await stopsIn(plan, '/home/someone/pol/other.rego', { stopOnEntry: true });
  expect(breakpoint).toMatchObject({ verified: false });
  expect(frame).toMatchObject({ source: { name: 'gone.rego' } });
  expect(frame!.line).toBeGreaterThan(0);
});
