import { useQuery } from '@tanstack/react-query';
import { useId } from 'react';
import { request } from '../../api/http.ts';
import { type Kind, preferredVersion } from '../../api/kinds.ts';
import { collectionPath, type Resource } from '../../api/resource.ts';

/** Names that are offered at most; others can be typed. */
const mostNames = 200;

/** The parents of a new resource, root first, each with the names that the caller may list. */
export function ParentFields({
  ancestors,
  names,
  onChange,
}: {
  readonly ancestors: readonly Kind[];
  readonly names: readonly string[];
  readonly onChange: (names: string[]) => void;
}) {
  return ancestors.map((kind, index) => (
    <ParentField
      key={kind.plural}
      kind={kind}
      above={names.slice(0, index)}
      name={names[index] ?? ''}
      onChange={(name) => onChange(names.map((one, at) => (at === index ? name : one)))}
    />
  ));
}

function ParentField({
  kind,
  above,
  name,
  onChange,
}: {
  readonly kind: Kind;
  readonly above: readonly string[];
  readonly name: string;
  readonly onChange: (name: string) => void;
}) {
  const id = useId();
  const { group, plural } = kind;
  const path = collectionPath({ group, version: preferredVersion(kind), plural, ancestors: above });
  const list = useQuery({
    queryKey: ['parents', path],
    queryFn: ({ signal }) =>
      request<{ items: Resource[] }>(`${path}?view=metadata&limit=${mostNames}`, { signal }),
    enabled: above.every((one) => one !== ''),
    retry: false,
    staleTime: 30_000,
  });
  return (
    <label className="field">
      <span className="label">{kind.kind}</span>
      <input
        className="input mono"
        list={id}
        autoComplete="off"
        required
        value={name}
        onChange={({ target }) => onChange(target.value)}
      />
      <datalist id={id}>
        {(list.data?.items ?? []).map(({ metadata }) => (
          <option key={metadata.uid} value={metadata.name} />
        ))}
      </datalist>
    </label>
  );
}
