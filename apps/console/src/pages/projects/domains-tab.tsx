import { useQuery } from '@tanstack/react-query';
import { useNavigate, useSearch } from '@tanstack/react-router';
import type { FormEvent } from 'react';
import { request } from '../../api/http.ts';
import { ChallengeList } from '../../typed/challenges.tsx';
import type { Schemas } from '../../typed/kind.ts';
import type { Project } from '../../typed/kinds/project.ts';
import { Card } from '../../ui/card.tsx';
import { StateBadge } from '../../ui/state-badge.tsx';
import { Failure, Loading } from '../../ui/states.tsx';

/** The addresses of a project, and the records that prove new ones. */
export function DomainsTab({ project }: { readonly project: Project }) {
  const { q: asked = '' } = useSearch({ strict: false });
  const navigate = useNavigate();
  const hosts = asked.split(/[\s,]+/).filter((host) => host !== '');
  const query = new URLSearchParams(hosts.map((host) => ['host', host]));
  const path = `/api/v1/projects/${encodeURIComponent(project.name)}/domain-challenges?${query}`;
  const challenges = useQuery({
    queryKey: ['typed', path],
    queryFn: ({ signal }) => request<Schemas['DomainChallengeList']>(path, { signal }),
  });
  const submit = (event: FormEvent<HTMLFormElement>) => {
    event.preventDefault();
    const q = String(new FormData(event.currentTarget).get('hosts') ?? '').trim();
    void navigate({ to: '.', search: (before) => ({ ...before, q }) });
  };
  return (
    <div className="cards">
      <Card title="Addresses" flush>
        <ul className="rows">
          {[project.url, ...project.custom_domains].map((address) => (
            <li key={address}>
              <code className="grow">{address}</code>
              {project.contested_addresses.includes(address) ? (
                <StateBadge state="warning">Belongs to an older project</StateBadge>
              ) : (
                <StateBadge state="ready">Its own</StateBadge>
              )}
            </li>
          ))}
        </ul>
      </Card>
      <Card title="Proof of a domain">
        <div className="stack">
          <p className="muted">
            A new domain is accepted once its host has this TXT record. It is asked for only when the domain
            is added, so the record may be removed afterwards.
          </p>
          <form className="toolbar" onSubmit={submit} key={asked}>
            <label className="field">
              <span className="label">Hosts</span>
              <input
                className="input mono"
                name="hosts"
                placeholder="shop.example.com"
                defaultValue={asked}
              />
            </label>
            <button type="submit" className="button">
              Show the records
            </button>
          </form>
          {challenges.error !== null ? (
            <Failure error={challenges.error} what="prove domains of this project" />
          ) : challenges.data === undefined ? (
            <Loading rows={2} />
          ) : (
            <ChallengeList challenges={challenges.data.items} />
          )}
        </div>
      </Card>
    </div>
  );
}
