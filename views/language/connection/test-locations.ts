/** Tells an editor where the tests of policies are: a private message of Regal's server. */

import { documentText } from '../../../compiler/index.js';
import { testsOf } from '../evaluation/tests.js';
import type { RequestContext } from '../requests/request.js';
import type { PolicyFile } from '../workspace/policy-file.js';
import { pathOfUri } from '../workspace/uris.js';

export class TestLocations {
  readonly #context: RequestContext;
  /** The policies whose tests were told, by URI. */
  readonly #told = new Map<string, PolicyFile>();

  constructor(context: RequestContext) {
    this.#context = context;
  }

  /** Tells the tests of policies that changed, if the editor wants to know them. */
  tell(): void {
    const { workspace, client } = this.#context;
    if (client.initializationOptions.enableServerTesting !== true) return;
    const left = new Set(this.#told.keys());
    for (const policy of workspace.policies) {
      const uri = workspace.editorUri(policy.uri);
      left.delete(uri);
      if (this.#told.get(uri) === policy) continue;
      this.#told.set(uri, policy);
      client.notify('regal/testLocations', { uri, locations: locationsOf(policy, this.#context) });
    }
    for (const uri of left) {
      this.#told.delete(uri);
      client.notify('regal/testLocations', { uri, locations: [] });
    }
  }
}

function locationsOf(policy: PolicyFile, { workspace }: RequestContext): readonly object[] {
  const [root = ''] = workspace.folders.filter((folder) => policy.uri.startsWith(`${folder}/`));
  return testsOf(policy).map(({ name, packagePath, rule }) => {
    const { source } = rule.loc;
    const { row, col } = source.position(rule.head.ref[0].loc.start);
    const end = source.position(rule.head.ref.at(-1)!.loc.end);
    return {
      name,
      package: documentText(packagePath),
      package_path: packagePath,
      root: pathOfUri(root),
      location: { file: policy.name, row, col, end, text: policy.source.line(row) },
    };
  });
}
