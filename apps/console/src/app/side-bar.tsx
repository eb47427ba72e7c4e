import { Link } from '@tanstack/react-router';
import { ancestorsInScope, type Kind, type KindRegistry, preferredVersion } from '../api/kinds.ts';
import { type Caller, useKinds } from '../api/queries.ts';
import { Icon } from '../ui/icon.tsx';
import { navigation } from './navigation.ts';
import { useScope } from './scope.ts';

/** More kinds than this are found by the page of kinds or the palette. */
const mostKinds = 40;

export function SideBar({ caller, open }: { readonly caller: Caller; readonly open: boolean }) {
  const kinds = useKinds();
  const items = navigation.filter(({ operators }) => operators !== true || caller.operator);
  return (
    <nav className="side-bar" aria-label="Main" data-open={open}>
      <ul>
        {items.map(({ to, label, icon }) => (
          <li key={label}>
            <Link to={to} activeOptions={{ exact: to === '/', includeSearch: false }}>
              <Icon name={icon} />
              {label}
            </Link>
          </li>
        ))}
      </ul>
      {kinds.data === undefined || kinds.data.all.length === 0 ? null : <KindLinks registry={kinds.data} />}
    </nav>
  );
}

function KindLinks({ registry }: { readonly registry: KindRegistry }) {
  const shown = registry.all.slice(0, mostKinds);
  const groups = [...new Set(shown.map(({ group }) => group))];
  const sections = groups.map((group) => (
    <section key={group} aria-label={group}>
      <h2>{group}</h2>
      <ul>
        {shown
          .filter((kind) => kind.group === group)
          .map((kind) => (
            <li key={kind.plural}>
              <KindLink kind={kind} registry={registry} />
            </li>
          ))}
      </ul>
    </section>
  ));
  if (shown.length === registry.all.length) return sections;
  return (
    <>
      {sections}
      <ul>
        <li>
          <Link
            to="/kinds"
            activeOptions={{ exact: true, includeSearch: false }}
            activeProps={{ 'aria-current': undefined }}
          >
            All {registry.all.length.toLocaleString('en')} kinds
          </Link>
        </li>
      </ul>
    </>
  );
}

function KindLink({ kind, registry }: { readonly kind: Kind; readonly registry: KindRegistry }) {
  const scope = useScope();
  const { group, plural } = kind;
  const depth = registry.ancestorsOf(kind)?.length ?? 0;
  const params = { group, version: preferredVersion(kind), plural };
  const above = ancestorsInScope(depth, scope);
  if (above.length === 0)
    return (
      <Link to="/r/$group/$version/$plural" params={params}>
        {plural}
      </Link>
    );
  return (
    <Link to="/r/$group/$version/$plural/$" params={{ ...params, _splat: above.join('/') }}>
      {plural}
    </Link>
  );
}
