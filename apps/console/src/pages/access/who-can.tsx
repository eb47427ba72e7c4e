import { useQuery } from '@tanstack/react-query';
import { request } from '../../api/http.ts';
import { Card } from '../../ui/card.tsx';
import { Failure, Loading } from '../../ui/states.tsx';

interface Subject {
  readonly kind: string;
  readonly name: string;
  /** The binding that grants it, as the API names it. */
  readonly binding?: unknown;
}

/** Everybody who may send a request, with the binding that says so. */
export function WhoCan({ verb, path }: { readonly verb: string; readonly path: string }) {
  const query = new URLSearchParams({ path, verb });
  const subjects = useQuery({
    queryKey: ['access-subjects', path, verb],
    queryFn: ({ signal }) =>
      request<{ subjects: readonly Subject[] }>(`/api/v1/access/subjects?${query}`, { signal }),
    retry: false,
  });
  const items = subjects.data?.subjects ?? [];
  return (
    <Card title="Who may?" flush>
      {subjects.error === null ? null : <Failure error={subjects.error} what="ask who may" />}
      {subjects.isPending ? <Loading rows={2} /> : null}
      {subjects.isSuccess && items.length === 0 ? (
        <p className="state muted">No binding grants it. Operators may.</p>
      ) : null}
      <ul className="rows">
        {items.map(({ kind, name, binding }) => (
          <li key={`${kind} ${name} ${JSON.stringify(binding)}`}>
            <span className="grow">
              <span className="muted">{kind}</span> {name}
            </span>
            <span className="muted">{nameOf(binding)}</span>
          </li>
        ))}
      </ul>
    </Card>
  );
}

function nameOf(binding: unknown): string {
  if (typeof binding === 'string') return binding;
  if (typeof binding === 'object' && binding !== null && 'name' in binding) return String(binding.name);
  return '';
}
