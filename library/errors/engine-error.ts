/** Errors in the use of the library. */
export type EngineErrorCode =
  | 'invalid_source' // an engine was opened with a value that is no source
  | 'invalid_option' // an unknown option, or a value that it cannot have
  | 'invalid_path' // a path that cannot be read, or at which nothing can be written
  | 'invalid_input' // the input is no JSON
  | 'invalid_data' // documents that are no JSON
  | 'undefined_path' // with `strict`: nothing can answer the path
  | 'undefined_entrypoint' // there is no such plan
  | 'undefined_policy' // a policy to remove that is not there
  | 'entrypoint_conflict' // two plans of one name
  | 'policy_conflict' // two policies of one name
  | 'data_conflict' // several sources have the same document
  | 'builtin_conflict' // a built-in of the host has a name that is taken
  | 'forbidden_builtin' // a plan calls a built-in that the capabilities do not list
  | 'no_files' // the platform reads no files
  | 'no_threads' // the platform has no threads, or the evaluation cannot leave this one
  | 'invalid_config' // a service configuration that cannot be read, or is wrong
  | 'no_config' // the engine was opened without a configuration
  | 'not_ready' // bundles of the configuration were not activated in time
  | 'closed'; // the engine was closed

/** An engine could not be opened, or cannot answer a question. */
export class EngineError extends Error {
  readonly code: EngineErrorCode;

  constructor(code: EngineErrorCode, message: string) {
    super(message);
    this.name = 'EngineError';
    this.code = code;
  }
}
