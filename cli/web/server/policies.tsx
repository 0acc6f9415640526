/** The loaded policies and their texts. */
import { useState } from 'preact/hooks';
import { Answered, useAnswer } from './answered.js';
import type { ServerState } from './server-state.js';
import type { ServerView } from './server-view.js';
import { TextBlock } from './text-block.js';

export function PoliciesTab({ state, view }: { readonly state: ServerState; readonly view: ServerView }) {
  const [open, setOpen] = useState<string | undefined>(undefined);
  if (view.policies.length === 0) return <p class="soft">No policy is loaded from source.</p>;
  return (
    <div class="split">
      <section aria-label="Loaded policies" class="scroll">
        <table>
          <thead>
            <tr>
              <th scope="col">Policy</th>
              <th scope="col">Package</th>
              <th scope="col" class="aside">
                Rules
              </th>
              <th scope="col">Bundle</th>
            </tr>
          </thead>
          <tbody>
            {view.policies.map(({ id, package: name, rules, bundle }) => (
              <tr key={id}>
                <th scope="row">
                  <button type="button" class="link mono" aria-expanded={open === id} onClick={() => setOpen(id)}>
                    {id}
                  </button>
                </th>
                <td class="mono">{name}</td>
                <td class="aside">{rules}</td>
                <td>{bundle ?? '–'}</td>
              </tr>
            ))}
          </tbody>
        </table>
      </section>
      {open !== undefined && <PolicyText key={open} state={state} id={open} />}
    </div>
  );
}

function PolicyText({ state, id }: { readonly state: ServerState; readonly id: string }) {
  const path = `v1/policies/${id.split('/').map(encodeURIComponent).join('/')}`;
  const answer = useAnswer(() => state.ask<{ readonly result: { readonly raw: string } }>(path), [id]);
  return (
    <section aria-label={id} class="scroll">
      <h2 class="mono">{id}</h2>
      <Answered answer={answer}>{({ result }) => <TextBlock text={result.raw} />}</Answered>
    </section>
  );
}
