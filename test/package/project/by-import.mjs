import * as writ from 'writ';
import * as compiler from 'writ/compiler';
import { runChecks } from './run.cjs';

await runChecks({ writ, compiler });
