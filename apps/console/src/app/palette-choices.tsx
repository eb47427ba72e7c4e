import { useNavigate } from '@tanstack/react-router';
import { Header, MenuItem, MenuSection } from 'react-aria-components';
import { type Kind, type KindRegistry, namesOf } from '../api/kinds.ts';
import { useCaller } from '../api/queries.ts';
import { visibleText } from '../logic/visible-text.ts';
import { Icon } from '../ui/icon.tsx';
import { kindLink, resourceLink } from './links.ts';
import { navigation } from './navigation.ts';
import { mostKinds, usePaletteActions } from './palette-actions.ts';
import { useScope } from './scope.ts';
import { useFound } from './use-found.ts';

/** Leaves the palette for the place of a choice. */
export type Go = (leave: () => unknown) => void;

/** The pages of the menu. */
export function PageChoices({ go }: { readonly go: Go }) {
  const navigate = useNavigate();
  const caller = useCaller();
  return (
    <MenuSection>
      <Header>Pages</Header>
      {navigation
        .filter(({ operators }) => operators !== true || caller.data?.operator)
        .map(({ to, label, icon }) => (
          <MenuItem key={label} textValue={label} onAction={() => go(() => navigate({ to }))}>
            <Icon name={icon} />
            {label}
          </MenuItem>
        ))}
    </MenuSection>
  );
}

/** The tables of kinds. */
export function KindChoices({
  registry,
  kinds,
  go,
}: {
  readonly registry: KindRegistry;
  readonly kinds: readonly Kind[];
  readonly go: Go;
}) {
  const navigate = useNavigate();
  const scope = useScope();
  return (
    <MenuSection>
      <Header>Kinds</Header>
      {kinds.map((kind) => (
        <MenuItem
          key={`${kind.group}/${kind.plural}`}
          textValue={namesOf(kind).join(' ')}
          onAction={() => go(() => navigate(kindLink(registry, kind, scope)))}
        >
          <Icon name="table" />
          {kind.plural} <span className="muted">{kind.group}</span>
        </MenuItem>
      ))}
    </MenuSection>
  );
}

/** Says that a list of kinds has only the first of those that were found. */
export function KindsLeftOut({ found }: { readonly found: number }) {
  if (found <= mostKinds) return null;
  return (
    <p className="hint">
      {mostKinds} of {found.toLocaleString('en')} kinds. Type more to find the others.
    </p>
  );
}

/** The actions that are possible here. */
export function ActionChoices({
  registry,
  typed,
  go,
}: {
  readonly registry: KindRegistry;
  readonly typed: string;
  readonly go: Go;
}) {
  return (
    <MenuSection>
      <Header>Actions</Header>
      {usePaletteActions(registry, typed).map(({ label, icon, run }) => (
        <MenuItem key={label} textValue={label} onAction={() => go(run)}>
          <Icon name={icon} />
          {label}
        </MenuItem>
      ))}
    </MenuSection>
  );
}

/** The resources whose name or uid matches the text. */
export function ResourceChoices({
  registry,
  typed,
  go,
}: {
  readonly registry: KindRegistry;
  readonly typed: string;
  readonly go: Go;
}) {
  const navigate = useNavigate();
  // Kinds that are not known yet, or not to this user, have no page to go to.
  const found = useFound(typed).flatMap((resource) => {
    const link = resourceLink(registry, resource);
    return link === null ? [] : { resource, link };
  });
  if (found.length === 0) return null;
  return (
    <MenuSection>
      <Header>Resources</Header>
      {found.map(({ resource: { kind, metadata }, link }) => (
        <MenuItem
          key={metadata.uid}
          textValue={`${metadata.name} ${metadata.uid}`}
          onAction={() => go(() => navigate(link))}
        >
          <Icon name="kinds" />
          {visibleText(metadata.name)}{' '}
          <span className="muted">{[kind, ...metadata.ancestors].join(', ')}</span>
        </MenuItem>
      ))}
    </MenuSection>
  );
}
