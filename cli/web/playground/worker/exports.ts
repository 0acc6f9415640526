/** The project in other forms: a bundle, the data of the inspector's views. */

import { debugInfo } from '../../../../compiler/index.js';
import { buildInfo, emptyBundle, type ModuleFile, writeBundle } from '../../../../engine/index.js';
import { inspectedPlan } from '../../data/inspected-plan.js';
import type { PageData } from '../../data/page-data.js';
import type { OpenProjects } from './opened-project.js';
import { plannedQuery } from './planned-query.js';
import type { PlaygroundProject, ProjectQuestion } from './protocol.js';

/** Rejects with CompileErrors: a bundle that does not compile is none. */
export async function exportedBundle(
  projects: OpenProjects,
  project: PlaygroundProject,
): Promise<Uint8Array<ArrayBuffer>> {
  const { data } = await projects.open(project);
  const modules = project.files.map(({ file, text }): ModuleFile => {
    const path = `/${file}`;
    return { path, url: path, bundlePath: path, text, bytes: new TextEncoder().encode(text) };
  });
  return new Uint8Array(await writeBundle({ ...emptyBundle, data, modules }));
}

/** Rejects with CompileErrors. */
export async function inspected(projects: OpenProjects, asked: ProjectQuestion): Promise<PageData> {
  const project = await projects.open(asked);
  const { policy } = plannedQuery(project, asked.query);
  return {
    version: buildInfo.version,
    title: asked.query,
    sources: asked.files,
    plan: inspectedPlan(policy, debugInfo(policy, project.compiled)),
    documents: { input: asked.input, data: asked.data },
  };
}
