import { launcher } from '../../../cli/debug/launch.js';

/** Launches what the settings of an editor name, as the command does. */
export const launchFiles = launcher({ stdin: () => new Uint8Array(), stdout: () => {}, stderr: () => {}, env: {}, color: false });
