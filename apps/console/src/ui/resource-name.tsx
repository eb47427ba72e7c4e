import { Link } from '@tanstack/react-router';
import type { KindRegistry } from '../api/kinds.ts';
import type { Identity } from '../api/resource.ts';
import { identityLink } from '../app/links.ts';
import { visibleText } from '../logic/visible-text.ts';

/** Kind and name of a resource, as a link where its kind is listed. */
export function ResourceName({
  registry,
  identity,
  tab,
  tabIndex,
}: {
  readonly registry: KindRegistry;
  readonly identity: Pick<Identity, 'apiVersion' | 'kind' | 'name' | 'uid'>;
  readonly tab?: string;
  readonly tabIndex?: number | undefined;
}) {
  const link = identityLink(registry, identity);
  const name = visibleText(identity.name);
  return (
    <span>
      <span className="muted">{identity.kind}</span>{' '}
      {link === null ? (
        name
      ) : (
        <Link {...link} search={tab === undefined ? {} : { tab }} tabIndex={tabIndex}>
          {name}
        </Link>
      )}
    </span>
  );
}
