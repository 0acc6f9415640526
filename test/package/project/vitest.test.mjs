import * as writ from 'writ';
import * as compiler from 'writ/compiler';
import { checks } from './checks.cjs';

// The runner is not installed beside the package, so its functions are global.
for (const [title, check] of checks) test(title, () => check({ writ, compiler }));
