/** A query over the policies and documents of the server. */
import { useState } from 'preact/hooks';
import { Answered, type Waited } from './answered.js';
import { askServerText } from './ask-server.js';
import { TextBlock } from './text-block.js';

export function QueryBox() {
  const [answer, setAnswer] = useState<Waited<string> | undefined>(undefined);
  const ask = async (form: HTMLFormElement) => {
    const fields = new FormData(form);
    setAnswer({});
    setAnswer(await answerOf(String(fields.get('query')), String(fields.get('input')).trim()));
  };
  return (
    <form
      class="query"
      onSubmit={(event) => {
        event.preventDefault();
        void ask(event.currentTarget);
      }}
      onKeyDown={(event) => {
        if (event.key === 'Enter' && (event.ctrlKey || event.metaKey)) event.currentTarget.requestSubmit();
      }}
    >
      <label>
        Query
        <textarea name="query" rows={3} class="mono" spellcheck={false} required>
          x := data
        </textarea>
      </label>
      <label>
        Input, as JSON
        <textarea name="input" rows={6} class="mono" spellcheck={false} />
      </label>
      <p>
        <button type="submit">Ask</button> <span class="soft">Ctrl+Enter</span>
      </p>
      <output aria-live="polite">
        {answer !== undefined && <Answered answer={answer}>{(text) => <TextBlock text={text} />}</Answered>}
      </output>
    </form>
  );
}

async function answerOf(query: string, input: string): Promise<Waited<string>> {
  try {
    if (input !== '') JSON.parse(input);
  } catch (error) {
    return { problem: `The input is no JSON: ${(error as Error).message}` };
  }
  // The input is sent as it was written: numbers keep all digits.
  const body = `{"query": ${JSON.stringify(query)}${input === '' ? '' : `, "input": ${input}`}}`;
  try {
    const text = await askServerText('v1/query?pretty=true', { method: 'POST', body });
    return { value: text.trim() === '{}' ? 'undefined' : text };
  } catch (error) {
    return { problem: (error as Error).message };
  }
}
