/** In the place of `@open-policy-agent/opa-wasm`, in browsers, workers and edge runtimes. */
import { webPlatform } from '../../web/web-platform.js';
import type { CustomBuiltins } from './custom-builtins.js';
import type { MemoryDescriptor, PolicyBytes, PolicyModule, PolicySource } from './load-policy.js';
import { PolicyLoader } from './load-policy.js';
import type { LoadedPolicy } from './loaded-policy.js';

export * from './door.js';

const loader = new PolicyLoader(webPlatform);

/**
 * Loads a policy. That of a bundle is compiled from its Rego, and the WebAssembly beside it is not
 * used; a bare `policy.wasm` is run as it is.
 * @param memory pages with which the policy's memory begins, or limits for it. Default: 5, or more
 * where the policy needs them. Bundles have none
 * @param customBuiltins functions for built-ins that are not among ours
 * @example
 * const policy = await loadPolicy(fetch('/bundle.tar.gz'));
 * const [{ result } = { result: false }] = policy.evaluate({ user: 'alice' }, 'authz/allow');
 * @throws OpaWasmError; BundleError and CompileErrors for a bundle
 */
export async function loadPolicy(
  source: PolicySource,
  memory?: MemoryDescriptor,
  customBuiltins: CustomBuiltins = {},
): Promise<LoadedPolicy> {
  return await loader.load(source, memory, customBuiltins);
}

/**
 * Loads without waiting, the WebAssembly alone; pages allow it for small modules only, and
 * workers for all. Built-ins are loaded meanwhile: called before, they end with `not_loaded`. See
 * `loadBuiltins`.
 * @throws OpaWasmError
 */
export function loadPolicySync(
  source: PolicyBytes | PolicyModule,
  memory?: MemoryDescriptor,
  customBuiltins: CustomBuiltins = {},
): LoadedPolicy {
  return loader.loadAtOnce(source, memory, customBuiltins);
}

/** Loads all built-ins: then policies of `loadPolicySync` can call each at once. */
export async function loadBuiltins(): Promise<void> {
  await loader.loadBuiltins();
}

export default { loadPolicy, loadPolicySync, loadBuiltins };
