import { Link } from '@tanstack/react-router';
import { useAccess } from '../../api/access.ts';
import { resourcesPath } from '../../api/resource.ts';
import { Icon } from '../../ui/icon.tsx';

const place = { group: 'platform.dev', version: 'v1alpha1', _splat: '' };

/** The way to a new role or binding, for callers who may create one. */
export function NewLink({
  plural,
  noun,
}: {
  readonly plural: 'roles' | 'rolebindings';
  readonly noun: string;
}) {
  const may = useAccess([{ verb: 'create', path: `${resourcesPath}/platform.dev/v1alpha1/${plural}` }]);
  if (may('create') !== true) return null;
  return (
    <Link
      className="button"
      to="/new/$group/$version/$plural/$"
      params={{ ...place, plural }}
      search={{ as: 'form' }}
    >
      <Icon name="plus" />
      New {noun}
    </Link>
  );
}
