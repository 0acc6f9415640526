/** The engine of the playground, in a worker. The inspector's views ask it, too. */
import { answers as inspectorAnswers } from '../../worker/answers.js';
import { describe } from '../../worker/shown-results.js';
import { answerBy } from '../../worker/worker-client.js';
import { evaluate } from './evaluate.js';
import { bundleOf, inspected } from './exports.js';
import { OpenProjects } from './opened-project.js';
import type { PlaygroundRequest, PlaygroundRequests } from './protocol.js';
import { trace, why } from './reasons.js';
import { filter, partial } from './residuals.js';
import { runTests } from './test-run.js';

const answers: {
  readonly [name in PlaygroundRequest]: (
    projects: OpenProjects,
    ask: PlaygroundRequests[name]['ask'],
  ) => Promise<PlaygroundRequests[name]['answer']>;
} = { evaluate, why, trace, tests: runTests, partial, filter, inspect: inspected, bundle: bundleOf };

const projects = new OpenProjects();
const asked = Object.entries(answers).map(([name, answer]) => [name, (ask: never) => answer(projects, ask)]);

answerBy({ ...inspectorAnswers, ...Object.fromEntries(asked) }, describe);
