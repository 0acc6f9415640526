/** The last decisions, and why each was so. */
import { useState } from 'preact/hooks';
import { Answered, useAnswer } from './answered.js';
import { askServer } from './ask-server.js';
import { ageText } from './durations.js';
import { PlanLink } from './plan-link.js';
import type { DecisionDetail, DecisionView, ServerView } from './server-view.js';
import { TextBlock } from './text-block.js';

export function DecisionsTab({ view }: { readonly view: ServerView }) {
  const [open, setOpen] = useState<string | undefined>(undefined);
  const [wanted, setWanted] = useState('');
  const shown = view.decisions.filter((decision) => matches(decision, wanted));
  return (
    <div class="split">
      <section aria-label="Last decisions" class="scroll">
        <label class="filter">
          Filter <input type="search" value={wanted} onInput={(event) => setWanted(event.currentTarget.value)} />
        </label>
        {shown.length === 0 ? (
          <p class="soft">No decision was made since the start{wanted === '' ? '' : ' that matches'}.</p>
        ) : (
          <table>
            <thead>
              <tr>
                <th scope="col">Question</th>
                <th scope="col">Answer</th>
                <th scope="col" class="aside">
                  Time
                </th>
                <th scope="col">When</th>
                <th scope="col" class="aside">
                  Client
                </th>
              </tr>
            </thead>
            <tbody>
              {shown.map((decision) => (
                <tr key={decision.id}>
                  <th scope="row">
                    <button
                      type="button"
                      class="link mono"
                      aria-expanded={open === decision.id}
                      onClick={() => setOpen(decision.id)}
                    >
                      {decision.question}
                    </button>
                  </th>
                  <td class={`mono ${decision.outcome}`}>{decision.text || 'undefined'}</td>
                  <td class="aside">
                    {decision.milliseconds === undefined ? '–' : `${decision.milliseconds.toFixed(2)} ms`}
                  </td>
                  <td>{ageText(decision.timeMs, view.nowMs)}</td>
                  <td class="mono aside">{decision.by ?? '–'}</td>
                </tr>
              ))}
            </tbody>
          </table>
        )}
      </section>
      {open !== undefined && <Detail key={open} id={open} />}
    </div>
  );
}

function matches({ question, text, id, by = '' }: DecisionView, wanted: string): boolean {
  const lower = wanted.toLowerCase();
  return [question, text, id, by].some((part) => part.toLowerCase().includes(lower));
}

function Detail({ id }: { readonly id: string }) {
  const answer = useAnswer(() => askServer<DecisionDetail>(`ui/decisions/${encodeURIComponent(id)}`), [id]);
  return (
    <section aria-label="Decision" class="scroll">
      <h2 class="mono">{id}</h2>
      <Answered answer={answer}>
        {({ why, note, event, path }) => (
          <>
            {path !== undefined && <PlanLink name="decision" value={id} />}
            {note !== undefined && <p class="note">{note}</p>}
            {why !== undefined && (
              <>
                <h3>Why</h3>
                <TextBlock text={why} isWrapped />
              </>
            )}
            <h3>Event</h3>
            <TextBlock text={event} />
          </>
        )}
      </Answered>
    </section>
  );
}
