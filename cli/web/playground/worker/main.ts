/** The engine of the playground, in a worker. The inspector's views ask it, too. */
import { answers as inspectorAnswers } from '../../worker/answers.js';
import { describe } from '../../worker/shown-results.js';
import { answerBy } from '../../worker/worker-client.js';
import { evaluate } from './evaluate.js';
import { exportedBundle, inspected } from './exports.js';
import { OpenProjects } from './opened-project.js';
import type { PlaygroundRequest, PlaygroundRequests } from './protocol.js';
import { trace, why } from './reasons.js';
import { filterOfProject, partial } from './residuals.js';
import { testProject } from './test-run.js';

const answers: {
  readonly [name in PlaygroundRequest]: (
    projects: OpenProjects,
    ask: PlaygroundRequests[name]['ask'],
  ) => Promise<PlaygroundRequests[name]['answer']>;
} = {
  evaluate,
  why,
  trace,
  tests: testProject,
  partial,
  filter: filterOfProject,
  inspect: inspected,
  bundle: exportedBundle,
};

const projects = new OpenProjects();
const asked = Object.entries(answers).map(([name, answer]) => [name, (ask: never) => answer(projects, ask)]);

answerBy({ ...inspectorAnswers, ...Object.fromEntries(asked) }, describe);
