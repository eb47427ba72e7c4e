import { useNavigate, useSearch } from '@tanstack/react-router';
import type { HistoryEntry } from '../../api/resource.ts';

/** Narrows the changes that were read by operation and actor; the URL keeps both. */
export function HistoryFilters({ entries }: { readonly entries: readonly HistoryEntry[] }) {
  const { operation = '', actor = '' } = useSearch({ strict: false });
  const navigate = useNavigate();
  const change = (part: { operation?: string; actor?: string }) =>
    void navigate({
      to: '.',
      search: (before) => ({ ...before, ...part }),
      replace: true,
      resetScroll: false,
    });
  const operations = [...new Set([...entries.map((one) => one.operation), operation])].filter(Boolean);
  return (
    <search className="toolbar history-filters">
      <select
        className="input"
        aria-label="Operation"
        value={operation}
        onChange={({ target }) => change({ operation: target.value })}
      >
        <option value="">Every operation</option>
        {operations.map((one) => (
          <option key={one}>{one}</option>
        ))}
      </select>
      <input
        className="input"
        type="search"
        aria-label="Actor"
        placeholder="Actor"
        value={actor}
        onChange={({ target }) => change({ actor: target.value })}
      />
    </search>
  );
}
