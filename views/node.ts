/** The door of views on Node: configuration files on disk, and commands that parse them. */
export {
  type ConfigFile,
  ConfigFileError,
  type ConfigReadOptions,
  documentsOfFile,
  filesOf,
  NoFilesError,
  readConfigFile,
} from './verify/files.js';
export { parseBuiltins } from './verify/parse-builtins.js';
