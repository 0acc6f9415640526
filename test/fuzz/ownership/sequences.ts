/** Sequences of writes and activations on a server, held against the model of ownership. */
import { type Bundle, emptyBundle } from '../../../engine/bundle/bundle.js';
import { emptyManifest } from '../../../engine/bundle/manifest.js';
import type { PlainObject } from '../../../values/value.js';
import { Choices } from '../../generators/choices.js';
import { type TestServer, testServer } from '../../harness/server/app.js';
import { type ModelBundle, type ModelPolicy, type Operation, OwnershipModel, type Path, type Tree } from './model.js';
import { randomOperations } from './operations.js';

/** Undefined where the server is as the model. */
async function ownershipDifference(operations: readonly Operation[]): Promise<string | undefined> {
  const server = await testServer();
  const model = new OwnershipModel();
  let files: readonly string[] = [];
  for (const [i, operation] of operations.entries()) {
    const wanted = model.apply(operation);
    const done = await perform(server, operation, files);
    if (operation.kind === 'reload') files = Object.keys(operation.files);
    const differs = (what: string, found: unknown, right: unknown) =>
      `after operation ${i + 1}, ${what}: the server ${JSON.stringify(found)}, the model ${JSON.stringify(right)}`;
    if (done !== wanted) return differs('done', done, wanted);
    const [ids, document] = [await policyIds(server), await documentOf(server)];
    const [wantedIds, wantedDocument] = [[...model.policies.keys()].sort(), sorted(model.document())];
    if (JSON.stringify(ids) !== JSON.stringify(wantedIds)) return differs('policies', ids, wantedIds);
    if (JSON.stringify(document) !== JSON.stringify(wantedDocument)) return differs('data', document, wantedDocument);
  }
  return undefined;
}

/** Some random operations that show a difference, as few as possible. */
export async function ownershipFailure(seed: number): Promise<{ readonly evaluations: number; readonly text?: string }> {
  let operations = randomOperations(new Choices(seed));
  const evaluations = operations.length;
  let found = await ownershipDifference(operations);
  if (found === undefined) return { evaluations };
  for (let i = 0; i < operations.length; ) {
    const fewer = operations.toSpliced(i, 1);
    const again = await ownershipDifference(fewer);
    if (again === undefined) i++;
    else [operations, found] = [fewer, again];
  }
  return { evaluations, text: `${operations.map((operation) => JSON.stringify(operation)).join('\n')}\n${found}` };
}

async function perform({ ask, context: { engine } }: TestServer, operation: Operation, files: readonly string[]): Promise<boolean> {
  const isDone = async (response: Promise<{ readonly status: number }>) => (await response).status < 300;
  switch (operation.kind) {
    case 'put policy':
      return await isDone(ask('PUT', `/v1/policies/${operation.id}`, textOf(operation.policy)));
    case 'delete policy':
      return await isDone(ask('DELETE', `/v1/policies/${operation.id}`));
    case 'put data':
      return await isDone(ask('PUT', urlOf(operation.path), JSON.stringify(operation.value)));
    case 'patch data': {
      const patch = [{ op: 'add', path: `/${operation.path.join('/')}`, value: operation.value }];
      return await isDone(ask('PATCH', '/v1/data', JSON.stringify(patch)));
    }
    case 'delete data':
      return await isDone(ask('DELETE', urlOf(operation.path)));
    case 'activate': {
      const bundles = new Map(Object.entries(operation.bundles).map(([name, bundle]) => [name, bundle && bundleOf(bundle)]));
      return await engine.commit({ bundles, bundlesTransferred: true }, { ignoreRoots: true }).then(
        () => true,
        () => false,
      );
    }
    case 'reload': {
      // As `run --watch` does with the files of the command line.
      const gone = files.filter((id) => engine.policy(id) !== undefined).map((id) => [id, undefined] as const);
      const policies = new Map([...gone, ...Object.entries(operation.files).map(([id, policy]) => [id, textOf(policy)] as const)]);
      await engine.commit({ policies }, { skipsRoots: true, ignoreRoots: true });
      return true;
    }
  }
}

function urlOf(path: Path): string {
  return `/v1/data/${path.join('/')}`;
}

function textOf({ package: path, tag }: ModelPolicy): string {
  return `package ${path.join('.')}\n\nv contains "${tag}"\n`;
}

function bundleOf({ roots, policies, documents }: ModelBundle): Bundle {
  const data: Tree = {};
  for (const { path, value } of documents) {
    let at = data;
    for (const key of path.slice(0, -1)) at = (at[key] ??= {}) as Tree;
    at[path.at(-1)!] = value;
  }
  const modules = policies.map((policy) => {
    const [path, text] = [`/${policy.tag}.rego`, textOf(policy)];
    return { path, url: path, bundlePath: path, text, bytes: new TextEncoder().encode(text) };
  });
  return { ...emptyBundle, manifest: { ...emptyManifest, roots }, data: data as PlainObject, modules };
}

async function policyIds({ ask }: TestServer): Promise<readonly string[]> {
  const { result = [] } = JSON.parse((await ask('GET', '/v1/policies')).text) as { result?: { id: string }[] };
  return result.map(({ id }) => id).sort();
}

async function documentOf({ ask }: TestServer): Promise<Tree> {
  const { result = {} } = JSON.parse((await ask('GET', '/v1/data')).text) as { result?: Tree };
  return sorted(result);
}

/** Keys in order; sets as texts, as in the model. */
function sorted(tree: Tree): Tree {
  const entries = Object.entries(tree).map(([key, value]): [string, Tree | string] => {
    if (Array.isArray(value)) return [key, [...value].sort().join()];
    return [key, typeof value === 'string' ? value : sorted(value)];
  });
  return Object.fromEntries(entries.sort(([a], [b]) => (a < b ? -1 : 1)));
}
