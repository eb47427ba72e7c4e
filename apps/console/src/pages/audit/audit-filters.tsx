import { useNavigate, useSearch } from '@tanstack/react-router';
import type { FormEvent } from 'react';
import type { ViewSearch } from '../../app/root.tsx';

const fields = [
  { name: 'actor', label: 'Actor', example: 'ann@example.dev' },
  { name: 'action', label: 'Action', example: 'token.issued' },
  { name: 'kind', label: 'Kind', example: 'Project' },
  { name: 'project', label: 'Project', example: 'shop' },
  { name: 'since', label: 'Since', example: '2026-01-01T00:00:00Z' },
  { name: 'until', label: 'Until', example: '2026-02-01T00:00:00Z' },
  { name: 'requestId', label: 'Request', example: 'id of a request' },
] as const satisfies readonly { name: keyof ViewSearch; label: string; example: string }[];

/** The filters of the audit; they go to the URL on Enter. */
export function AuditFilters() {
  const search = useSearch({ strict: false });
  const navigate = useNavigate();
  const change = (part: ViewSearch) =>
    void navigate({ to: '.', search: (before) => ({ ...before, ...part }) });
  const submit = (event: FormEvent<HTMLFormElement>) => {
    event.preventDefault();
    const data = new FormData(event.currentTarget);
    change(Object.fromEntries(fields.map(({ name }) => [name, String(data.get(name) ?? '').trim()])));
  };
  return (
    <search>
      <form className="toolbar filters" onSubmit={submit} key={JSON.stringify(search)}>
        {fields.map(({ name, label, example }) => (
          <label key={name} className="field">
            <span className="label">{label}</span>
            <input className="input" name={name} placeholder={example} defaultValue={search[name] ?? ''} />
          </label>
        ))}
        <label className="field">
          <span className="label">Outcome</span>
          <select
            className="input"
            value={search.outcome ?? ''}
            onChange={({ target }) => change({ outcome: target.value })}
          >
            <option value="">any</option>
            <option value="allowed">allowed</option>
            <option value="denied">denied</option>
            <option value="failed">failed</option>
          </select>
        </label>
        <button type="submit" className="button">
          Apply
        </button>
      </form>
    </search>
  );
}
