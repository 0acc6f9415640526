/** Writes the picture of a terminal: `npm run -s terminal-picture`. */
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { picturePath, terminalPicture } from './picture.js';

writeFileSync(join(import.meta.dirname, '../../..', picturePath), await terminalPicture());
