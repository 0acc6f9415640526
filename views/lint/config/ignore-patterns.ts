/** Patterns of files to leave out, as in a `.gitignore`. */

/**
 * A test for paths, relative to the project's root, that one of some patterns fits: a pattern
 * without a slash fits names anywhere, others begin at the root, and a directory stands for all
 * below it.
 */
export function ignoreTest(patterns: readonly string[]): (path: string) => boolean {
  const tests = patterns.map(patternOf);
  return (path) => tests.some((test) => test.test(path));
}

function patternOf(pattern: string): RegExp {
  const trimmed = pattern.replace(/\/$/, '');
  const isAnywhere = !trimmed.replace(/^\//, '').includes('/') && !trimmed.startsWith('/');
  const text = expressionOf(trimmed.replace(/^\//, ''));
  return new RegExp(`^${isAnywhere ? '(?:.*/)?' : ''}${text}(?:/.*)?$`, 's');
}

/** The regular expression of a pattern of files, or of names between other separators. */
export function expressionOf(pattern: string, separator = '/'): string {
  let depth = 0;
  const text = pattern.replace(/\*\*\/|\*\*|\*|\?|\[[^\]]*\]|[{},]|[.+^$()|\\\]]/g, (token) => {
    switch (token) {
      case '**/':
        return '(?:.*/)?';
      case '**':
        return '.*';
      case '*':
        return `[^${separator}]*`;
      case '?':
        return `[^${separator}]`;
      case '{':
        depth++;
        return '(?:';
      case '}':
        if (depth === 0) return '\\}';
        depth--;
        return ')';
      case ',':
        return depth > 0 ? '|' : ',';
      default:
        return token.startsWith('[') && token.length > 2 ? classOf(token) : `\\${token}`;
    }
  });
  // Braces that nothing closes end with the pattern.
  return text + ')'.repeat(depth);
}

/** A class of characters; the text itself where it is none, as `[b-a]`. */
function classOf(written: string): string {
  const text = written.replace(/^\[!/, '[^');
  try {
    return new RegExp(text).source;
  } catch {
    return written.replace(/[-[\]{}()*+?.\\^$|]/g, '\\$&');
  }
}
