/** What a thread of the library runs: the build puts it beside the library's entry. */
import { serveEvaluations } from './threads/worker.js';

serveEvaluations();
