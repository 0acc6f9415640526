/** Tests replicas for long: `npm run -s resilience -- --minutes N [--seed N]`. */
import { spawnSync } from 'node:child_process';
import { join } from 'node:path';
import { parseArgs } from 'node:util';

const root = join(import.meta.dirname, '../..');
const { values } = parseArgs({
  options: { minutes: { type: 'string', default: '10' }, seed: { type: 'string', default: String(Date.now() % 1e6) } },
});
const env = { ...process.env, WRIT_POSTGRES: 'required', WRIT_RESILIENCE_MINUTES: values.minutes, WRIT_RESILIENCE_SEED: values.seed };
const { status } = spawnSync(join(root, 'node_modules/.bin/vitest'), ['run', 'test/resilience'], { cwd: root, env, stdio: 'inherit' });
process.exit(status ?? 1);
