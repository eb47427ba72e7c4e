import { keepPreviousData, useQuery } from '@tanstack/react-query';
import { useNavigate } from '@tanstack/react-router';
import { useEffect, useState } from 'react';
import { Header, MenuItem, MenuSection } from 'react-aria-components';
import { request } from '../api/http.ts';
import { type Kind, type KindRegistry, namesOf } from '../api/kinds.ts';
import { useCaller } from '../api/queries.ts';
import type { Resource } from '../api/resource.ts';
import { visibleText } from '../logic/visible-text.ts';
import { Icon } from '../ui/icon.tsx';
import { kindLink, resourceLink } from './links.ts';
import { navigation } from './navigation.ts';
import { usePaletteActions } from './palette-actions.ts';
import { useScope } from './scope.ts';

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
  const found = useResources(typed).flatMap((resource) => {
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

/** A search waits until the typing rests. */
const restMs = 200;
const mostFound = 20;

/** Resources of every kind by name or uid, from two letters on. */
function useResources(typed: string): readonly Resource[] {
  const [asked, setAsked] = useState('');
  useEffect(() => {
    const rest = setTimeout(() => setAsked(typed.trim()), restMs);
    return () => clearTimeout(rest);
  }, [typed]);
  const query = new URLSearchParams({ q: asked, limit: String(mostFound) });
  const found = useQuery({
    queryKey: ['search', asked],
    queryFn: ({ signal }) => request<{ items: Resource[] }>(`/api/v1/search?${query}`, { signal }),
    enabled: asked.length >= 2,
    placeholderData: keepPreviousData,
    retry: false,
  });
  return typed.trim().length >= 2 ? (found.data?.items ?? []) : [];
}
