/** Texts that must mean the same: those that `fmt` writes, with keywords imported one by one. */
import { formatText } from '../../../compiler/format/format.js';
import { subjectOf } from '../policy-case.js';
import { vm } from './programs.js';
import type { Way } from './way.js';

export const rewritten: Way = {
  name: 'rewritten',
  isProgram: true,
  share: 50,
  prepare: async (subject) => {
    const { regoVersion } = subject;
    const texts = new Map<string, string>();
    for (const [name, text] of subject.modules) {
      try {
        texts.set(name, apart(formatText(name, text, { regoVersion }, regoVersion === 'v0' ? { to: 'v0v1' } : {})));
      } catch (error) {
        // Some of version 0 has no form in version 1.
        if (regoVersion === 'v0') return undefined;
        return { problem: `fmt refuses the policy: ${(error as Error).message}` };
      }
    }
    const other = subjectOf({ ...subject, modules: texts });
    if (other === undefined) return { problem: `what fmt writes does not compile:\n${[...texts.values()].join('\n')}` };
    return vm.prepare(other);
  },
};

/** The import of all words makes `and` and `or` keywords, and has no other meaning. */
function apart(text: string): string {
  const words = ['and', 'or'].map((word) => `import future.keywords.${word}`).filter((line) => !text.includes(`${line}\n`));
  return text.replace(/^import future\.keywords$/m, words.join('\n'));
}
