import { keepPreviousData, useQuery } from '@tanstack/react-query';
import { useNavigate } from '@tanstack/react-router';
import { useEffect, useState } from 'react';
import {
  Autocomplete,
  Dialog,
  Header,
  Input,
  Menu,
  MenuItem,
  MenuSection,
  Modal,
  ModalOverlay,
  SearchField,
  useFilter,
} from 'react-aria-components';
import { request } from '../api/http.ts';
import { KindRegistry } from '../api/kinds.ts';
import { useCaller, useKinds } from '../api/queries.ts';
import type { Resource } from '../api/resource.ts';
import { visibleText } from '../logic/visible-text.ts';
import { Icon } from '../ui/icon.tsx';
import { Layer } from '../ui/layers.tsx';
import { kindLink, resourceLink } from './links.ts';
import { navigation } from './navigation.ts';
import { usePaletteActions } from './palette-actions.ts';
import { useScope } from './scope.ts';

/** Go anywhere and do much by typing: pages, resources, kinds and actions. */
export function Palette({ open, onClose }: { readonly open: boolean; readonly onClose: () => void }) {
  return (
    <ModalOverlay
      className="overlay"
      isOpen={open}
      onOpenChange={(isOpen) => !isOpen && onClose()}
      isDismissable
    >
      <Modal className="modal">
        <Dialog className="dialog palette" aria-label="Go to">
          <Layer />
          <Choices onClose={onClose} />
        </Dialog>
      </Modal>
    </ModalOverlay>
  );
}

function Choices({ onClose }: { readonly onClose: () => void }) {
  const { contains } = useFilter({ sensitivity: 'base' });
  const navigate = useNavigate();
  const caller = useCaller();
  const kinds = useKinds();
  const registry = kinds.data ?? new KindRegistry([]);
  const scope = useScope();
  const [typed, setTyped] = useState('');
  // Kinds that are not known yet, or not to this user, have no page to go to.
  const found = useResources(typed).flatMap((resource) => {
    const link = resourceLink(registry, resource);
    return link === null ? [] : { resource, link };
  });
  const actions = usePaletteActions(registry);
  const go = (leave: () => unknown) => {
    onClose();
    void leave();
  };
  return (
    <Autocomplete filter={contains} inputValue={typed} onInputChange={setTyped}>
      <SearchField aria-label="Page, kind or resource" autoFocus>
        <Input className="input" placeholder="Page, kind or resource" />
      </SearchField>
      <Menu
        className="popover palette-list"
        aria-label="Results"
        renderEmptyState={() => <p className="hint">Nothing matches</p>}
      >
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
        <MenuSection>
          <Header>Kinds</Header>
          {registry.all.map((kind) => (
            <MenuItem
              key={`${kind.group}/${kind.plural}`}
              textValue={[kind.plural, kind.kind, kind.group, ...(kind.shortNames ?? [])].join(' ')}
              onAction={() => go(() => navigate(kindLink(registry, kind, scope)))}
            >
              <Icon name="table" />
              {kind.plural} <span className="muted">{kind.group}</span>
            </MenuItem>
          ))}
        </MenuSection>
        <MenuSection>
          <Header>Actions</Header>
          {actions.map(({ label, icon, run }) => (
            <MenuItem key={label} textValue={label} onAction={() => go(run)}>
              <Icon name={icon} />
              {label}
            </MenuItem>
          ))}
        </MenuSection>
        {/* The last ones: they come later than the others, and must not move those under the pointer or the keys. */}
        {found.length === 0 ? null : (
          <MenuSection>
            <Header>Resources</Header>
            {found.map(({ resource, link }) => {
              const { uid, name, ancestors } = resource.metadata;
              return (
                <MenuItem key={uid} textValue={`${name} ${uid}`} onAction={() => go(() => navigate(link))}>
                  <Icon name="kinds" />
                  {visibleText(name)}{' '}
                  <span className="muted">{[resource.kind, ...ancestors].join(', ')}</span>
                </MenuItem>
              );
            })}
          </MenuSection>
        )}
      </Menu>
    </Autocomplete>
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
