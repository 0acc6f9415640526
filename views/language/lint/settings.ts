/** The settings of a project: the linter's configuration, in the folders of a workspace. */

import { type LintConfig, noConfig, readLintConfig } from '../../lint/config/lint-config.js';
import type { WorkspaceHost } from '../workspace/host.js';

export interface ProjectSettings {
  readonly config: LintConfig;
  /** Why the configuration could not be read. */
  readonly problem: string | undefined;
}

/** Files of a folder that may hold the configuration. */
const configFiles = ['.regal/config.yaml', '.regal.yaml'];

/** Whether a file holds the configuration of a project. */
export function isConfig(uri: string): boolean {
  return configFiles.some((name) => uri.endsWith(`/${name}`));
}

/** The configuration of a folder without a rule; undefined where it cannot be changed. */
export async function withoutRule(
  host: WorkspaceHost,
  folder: string,
  rule: { readonly category: string; readonly name: string },
): Promise<{ readonly uri: string; readonly before: string | undefined; readonly text: string } | undefined> {
  const uris = configFiles.map((name) => `${folder.replace(/\/$/, '')}/${name}`);
  const texts = await Promise.all(uris.map((uri) => host.read(uri)));
  const at = Math.max(
    0,
    texts.findIndex((text) => text !== undefined),
  );
  const { parseDocument } = await import('yaml');
  const document = parseDocument(texts[at] ?? '');
  if (document.errors.length > 0) return undefined;
  document.setIn(['rules', rule.category, rule.name, 'level'], 'ignore');
  return { uri: uris[at]!, before: texts[at], text: document.toString() };
}

/** Reads the first configuration that some folders have. */
export async function readSettings(host: WorkspaceHost, folders: readonly string[]): Promise<ProjectSettings> {
  for (const folder of folders) {
    for (const name of configFiles) {
      const text = await host.read(`${folder.replace(/\/$/, '')}/${name}`);
      if (text === undefined) continue;
      try {
        const { parseYaml } = await import('../../../values/yaml/yaml.js');
        return { config: readLintConfig(parseYaml(text)), problem: undefined };
      } catch (error) {
        return { config: noConfig, problem: `${name}: ${(error as Error).message}` };
      }
    }
  }
  return { config: noConfig, problem: undefined };
}

/** The version of the language of a file, by its path from the workspace's folder. */
export function versionBy({ roots, regoVersion }: LintConfig): (name: string) => 'v0' | 'v1' {
  return (name) => {
    if (name.endsWith('_v0.rego')) return 'v0';
    const root = roots
      .filter(({ path }) => path === '.' || name.startsWith(`${path.replace(/\/$/, '')}/`))
      .sort((a, b) => b.path.length - a.path.length)
      .find((each) => each.regoVersion !== undefined);
    return root?.regoVersion ?? regoVersion ?? 'v1';
  };
}
