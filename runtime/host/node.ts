/** The host functions of Node. */
import type { Host } from '../builtins/host.js';

export const nodeHost: Host = {};
