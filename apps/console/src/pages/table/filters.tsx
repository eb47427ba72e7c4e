import { useNavigate, useSearch } from '@tanstack/react-router';
import { type FormEvent, type ReactNode, useEffect, useId, useState } from 'react';
import type { Problem } from '../../api/http.ts';
import { Icon } from '../../ui/icon.tsx';

/** The selectors, which go to the URL as they are on Enter, and the text that rows must contain, which applies at once. */
export function Filters({
  faulty,
  children,
}: {
  readonly faulty: Problem | null;
  /** More of the bar, at its end. */
  readonly children: ReactNode;
}) {
  const { labels = '', fields = '', find = '' } = useSearch({ strict: false });
  const navigate = useNavigate();
  const change = (part: { labels?: string; fields?: string; find?: string }) =>
    void navigate({
      to: '.',
      search: (before) => ({ ...before, ...part }),
      replace: true,
      resetScroll: false,
    });
  const isFiltered = labels !== '' || fields !== '' || find !== '';
  return (
    <search className="toolbar">
      <input
        className="input"
        type="search"
        aria-label="Find in the rows"
        placeholder="Find in the rows"
        value={find}
        onChange={(event) => change({ find: event.target.value })}
      />
      <Selector
        label="Labels"
        example="app=shop,tier!=dev"
        value={labels}
        fault={labels === '' ? undefined : faulty?.detail}
        onChange={(value) => change({ labels: value })}
      />
      <Selector
        label="Fields"
        example="spec.color=red"
        value={fields}
        fault={fields === '' ? undefined : faulty?.detail}
        onChange={(value) => change({ fields: value })}
      />
      {isFiltered ? (
        <button
          type="button"
          className="button quiet"
          onClick={() => change({ labels: '', fields: '', find: '' })}
        >
          <Icon name="close" />
          Clear filters
        </button>
      ) : null}
      <span className="spring" />
      {children}
    </search>
  );
}

function Selector({
  label,
  example,
  value,
  fault,
  onChange,
}: {
  readonly label: string;
  readonly example: string;
  readonly value: string;
  readonly fault: string | undefined;
  readonly onChange: (value: string) => void;
}) {
  const id = useId();
  const [typed, setTyped] = useState(value);
  useEffect(() => setTyped(value), [value]);
  const submit = (event: FormEvent) => {
    event.preventDefault();
    onChange(typed.trim());
  };
  return (
    <form className="field" onSubmit={submit}>
      <input
        className="input mono"
        aria-label={`${label}, Enter applies`}
        aria-invalid={fault !== undefined}
        aria-describedby={fault === undefined ? undefined : id}
        placeholder={`${label}: ${example}`}
        value={typed}
        onChange={(event) => setTyped(event.target.value)}
      />
      {fault === undefined ? null : (
        <span id={id} className="fault">
          {fault}
        </span>
      )}
    </form>
  );
}
