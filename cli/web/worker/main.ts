/** The engine of the page, in a worker: answers the page's questions. */
import { answers } from './answers.js';
import { answerBy } from './worker-client.js';

answerBy(answers, (error) => (error instanceof Error ? error.message : String(error)));
