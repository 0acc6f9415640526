/**
 * Programs that check deployment files. Tests that need one are skipped where it is not installed.
 */
import { spawnSync } from 'node:child_process';

const versions = {
  hadolint: ['--version'],
  helm: ['version', '--short'],
  'kubernetes-validate': ['--version'],
} as const;
type DeployTool = keyof typeof versions;

/** Throws where `.ci/run` says that it has installed the program. */
export function hasDeployTool(tool: DeployTool): boolean {
  const isThere = spawnSync(tool, versions[tool], { stdio: 'ignore' }).status === 0;
  if (!isThere && process.env.WRIT_DEPLOY_TOOLS === 'required') throw new Error(`${tool} is not installed`);
  if (!isThere) console.log(`tests with ${tool} are skipped: it is not installed`);
  return isThere;
}

/** The exit code, and what the program printed. */
export function runDeployTool(
  tool: DeployTool,
  args: readonly string[],
): { readonly status: number | null; readonly text: string; readonly errors: string } {
  const { status, stdout, stderr } = spawnSync(tool, args, { encoding: 'utf8' });
  return { status, text: stdout, errors: stderr };
}
