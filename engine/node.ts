/** The door of the engine on Node: bundles on disk, and threads. */
export { fileErrorText, filePath } from './bundle/disk/file-path.js';
export { type DiskOptions, FileSource, readBundle, readBundleBytes, readBytes } from './bundle/disk/file-source.js';
export { ignoring } from './bundle/disk/file-tree.js';
export { FileWatch } from './bundle/disk/file-watch.js';
export { inflateByZlib } from './bundle/disk/gunzip.js';
export { filePlaces, LoadError, type LoadedFiles, type LoadProblem, loadFiles } from './bundle/disk/load-files.js';
export { looseFile, moduleAt } from './bundle/disk/loose-file.js';
export { isDirectory, makeDirectory } from './bundle/disk/make-directory.js';
export { readPolicyFile } from './bundle/disk/policy-file.js';
export { nodeThreads } from './threads/node-threads.js';
export { queriesIn } from './threads/query-thread.js';
export { ChoreError, SideThread } from './threads/side-thread.js';
export { serveEvaluations } from './threads/worker.js';
