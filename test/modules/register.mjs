// Set-up of each test file: the hooks stay for the other files of a process. They are registered after
// those of vitest, whose own loader would tell its main process of every import.
import './hooks.mjs';
