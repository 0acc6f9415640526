// Runs the checks with the library in a bundle: by-bundle.mjs FILE
import { runChecks } from './run.cjs';

const { compiler, writ } = await import(process.argv[2]);
await runChecks({ writ, compiler });
