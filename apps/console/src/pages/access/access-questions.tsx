import { useQuery } from '@tanstack/react-query';
import { type FormEvent, useState } from 'react';
import { write } from '../../api/change.ts';
import { useCaller } from '../../api/queries.ts';
import { resourcesPath } from '../../api/resource.ts';
import { Card } from '../../ui/card.tsx';
import { StateBadge } from '../../ui/state-badge.tsx';
import { Failure, Loading } from '../../ui/states.tsx';
import { WhoCan } from './who-can.tsx';

const verbs = ['get', 'list', 'watch', 'create', 'update', 'patch', 'delete', 'restore'];

interface Question {
  readonly verb: string;
  readonly path: string;
}

interface Decision {
  readonly allowed: boolean;
  readonly because?: Readonly<Record<string, unknown>>;
}

/** May I, and for operators: who may. The path is that of the request itself. */
export function AccessQuestions() {
  const { data: caller } = useCaller();
  const [question, setQuestion] = useState<Question | null>(null);
  const ask = (event: FormEvent<HTMLFormElement>) => {
    event.preventDefault();
    const data = new FormData(event.currentTarget);
    setQuestion({ verb: String(data.get('verb')), path: String(data.get('path')).trim() });
  };
  return (
    <div className="stack">
      <form className="toolbar filters" onSubmit={ask}>
        <label className="field">
          <span className="label">Verb</span>
          <select className="input" name="verb">
            {verbs.map((verb) => (
              <option key={verb}>{verb}</option>
            ))}
          </select>
        </label>
        <label className="field wide">
          <span className="label">Path of the request</span>
          <input className="input mono" name="path" required defaultValue={`${resourcesPath}/`} />
        </label>
        <button type="submit" className="button primary">
          Ask
        </button>
      </form>
      {question === null ? null : (
        <div className="cards">
          <MayI question={question} />
          {caller?.operator ? <WhoCan verb={question.verb} path={question.path} /> : null}
        </div>
      )}
    </div>
  );
}

function MayI({ question }: { readonly question: Question }) {
  const check = useQuery({
    queryKey: ['access-check', question],
    queryFn: ({ signal }) =>
      write<{ results: readonly Decision[] }>('/api/v1/access/check', {
        method: 'POST',
        body: { checks: [question] },
        signal,
      }),
    retry: false,
  });
  const decision = check.data?.results[0];
  return (
    <Card title="May I?">
      {check.error === null ? null : <Failure error={check.error} what="ask about this path" />}
      {check.isPending ? <Loading rows={1} /> : null}
      {decision === undefined ? null : (
        <p>
          <StateBadge state={decision.allowed ? 'ready' : 'failed'}>
            {decision.allowed ? 'Yes' : 'No'}
          </StateBadge>{' '}
          {reasonOf(decision.because)}
        </p>
      )}
    </Card>
  );
}

/** Why it is allowed, in words: the caller's part, and the names that go with it. */
function reasonOf(because: Decision['because']): string {
  if (because === undefined) return '';
  const { type, ...names } = because;
  const parts = Object.entries(names).map(([name, value]) => `${name} ${String(value)}`);
  return ['because of', String(type ?? ''), ...parts].filter((part) => part !== '').join(' ');
}
