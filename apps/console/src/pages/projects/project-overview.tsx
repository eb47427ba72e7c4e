import { Link } from '@tanstack/react-router';
import { ownerText, type Project } from '../../typed/kinds/project.ts';
import { ExternalLink } from '../../ui/external-link.tsx';
import { type Fact, ItemFacts } from './item-facts.tsx';

export function ProjectOverview({ project }: { readonly project: Project }) {
  const { organization, access_class, url, custom_domains, contested_addresses, owner, members } = project;
  const facts: readonly Fact[] = [
    [
      'Organization',
      <Link key="o" to="/tenants/organizations/$organization" params={{ organization }}>
        {organization}
      </Link>,
    ],
    ['Access', access_class === 'public' ? 'public: everybody who is logged in' : 'private: its people'],
    ['URL', <ExternalLink key="u" url={url} />],
    ['Domains', <List key="d" items={custom_domains} />],
    ...(contested_addresses.length === 0
      ? []
      : [['Not its own', `${contested_addresses.join(', ')} belong to an older project`] as const]),
    [
      'Owner',
      'team' in owner ? (
        <Link key="t" to="/tenants/teams/$team" params={{ team: owner.team }}>
          {ownerText(project)}
        </Link>
      ) : (
        owner.user
      ),
    ],
    ['Members', <List key="m" items={members} />],
  ];
  return <ItemFacts item={project} facts={facts} />;
}

function List({ items }: { readonly items: readonly string[] }) {
  return items.length === 0 ? <span className="muted">none</span> : items.join(', ');
}
