import { useQuery } from '@tanstack/react-query';
import { useNavigate } from '@tanstack/react-router';
import { useState } from 'react';
import {
  Autocomplete,
  Button,
  Header,
  Input,
  Menu,
  MenuItem,
  MenuSection,
  MenuTrigger,
  SearchField,
} from 'react-aria-components';
import { request } from '../api/http.ts';
import { type Resource, resourcesPath } from '../api/resource.ts';
import { Icon } from '../ui/icon.tsx';
import { MenuPopover } from '../ui/menu-popover.tsx';
import { useScope } from './scope.ts';
import { fewestLetters, useFound } from './use-found.ts';

/** Those that are offered at once; others are found by typing. */
const organizations = `${resourcesPath}/platform.dev/v1alpha1/organizations?view=metadata&limit=200`;

/** The organization or project that the user works in. Tables and links follow it; a refusal never changes it. */
export function ScopeMenu() {
  const scope = useScope();
  const navigate = useNavigate();
  const list = useQuery({
    queryKey: ['organizations'],
    queryFn: ({ signal }) =>
      request<{ items: Resource[]; metadata: { continue?: string } }>(organizations, { signal }),
    staleTime: 30_000,
    retry: false,
  });
  const [typed, setTyped] = useState('');
  const hasMore = list.data?.metadata.continue !== undefined;
  const found = useFound(typed, 'Organization.platform.dev');
  const offered = typed.trim().length < fewestLetters ? (list.data?.items ?? []) : found;
  const names = offered.map(({ metadata }) => metadata.name);
  const choose = (name: string) =>
    void navigate({ to: '.', search: (before) => ({ ...before, in: name === '' ? undefined : name }) });
  const shown = scope.length === 0 ? 'Everything' : scope.join(' / ');
  const menu = (
    <Menu
      className={hasMore ? 'menu-list' : ''}
      onAction={(key) => choose(String(key).slice(1))}
      selectionMode="single"
      selectedKeys={[`/${scope.join('/')}`]}
    >
      {typed.trim() === '' ? <MenuItem id="/">Everything</MenuItem> : null}
      <MenuSection>
        <Header>{names.length === 0 ? 'No organization to choose' : 'Organizations'}</Header>
        {names.map((name) => (
          <MenuItem key={name} id={`/${name}`}>
            {name}
          </MenuItem>
        ))}
      </MenuSection>
    </Menu>
  );
  return (
    <MenuTrigger onOpenChange={() => setTyped('')}>
      <Button className="button quiet scope" aria-label={`Scope: ${shown}`}>
        <Icon name="tenants" />
        <span className="scope-name">{shown}</span>
        <Icon name="chevron" />
      </Button>
      <MenuPopover placement="bottom start">
        {hasMore ? (
          <Autocomplete inputValue={typed} onInputChange={setTyped}>
            <SearchField aria-label="Find an organization" autoFocus>
              <Input className="input" placeholder="Find an organization" />
            </SearchField>
            {menu}
          </Autocomplete>
        ) : (
          menu
        )}
      </MenuPopover>
    </MenuTrigger>
  );
}
