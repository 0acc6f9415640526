import { rego } from 'writ/vitest';

export default { plugins: [rego()] };
