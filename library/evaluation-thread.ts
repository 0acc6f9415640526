/** Entry of the library's threads. The build puts it beside the library's entry. */
import { serveEvaluations } from '../engine/node.js';

serveEvaluations();
