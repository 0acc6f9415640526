import { testFiles } from './test/projects.js';
import { configOf } from './test/vitest-config.js';

export default configOf(testFiles());
