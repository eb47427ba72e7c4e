import { useState } from 'react';
import { Autocomplete, Button, Input, Menu, MenuItem, MenuTrigger, SearchField } from 'react-aria-components';
import { definitionName, type Kind, type KindRegistry, kindsNamed } from '../api/kinds.ts';
import { Icon } from '../ui/icon.tsx';
import { MenuPopover } from '../ui/menu-popover.tsx';
import { mostKinds } from './palette-actions.ts';
import { KindsLeftOut } from './palette-choices.tsx';

/** The choice of one kind: there may be thousands, so it is found by typing. */
export function KindMenu({
  registry,
  chosen,
  onChoose,
}: {
  readonly registry: KindRegistry;
  readonly chosen: Kind | undefined;
  readonly onChoose: (kind: Kind) => void;
}) {
  const [typed, setTyped] = useState('');
  const named = kindsNamed(registry.all, typed);
  const shown = chosen === undefined ? 'none' : definitionName(chosen);
  return (
    <MenuTrigger onOpenChange={() => setTyped('')}>
      <Button className="button kind-choice" aria-label={`Kind: ${shown}`}>
        <span className="scope-name">{shown}</span>
        <Icon name="chevron" />
      </Button>
      <MenuPopover placement="bottom start">
        <Autocomplete inputValue={typed} onInputChange={setTyped}>
          <SearchField aria-label="Find a kind" autoFocus>
            <Input className="input" placeholder="Find a kind" />
          </SearchField>
          <Menu
            className="menu-list"
            aria-label="Kinds"
            renderEmptyState={() => <p className="hint">No kind matches</p>}
          >
            {named.slice(0, mostKinds).map((kind) => (
              <MenuItem
                key={definitionName(kind)}
                textValue={definitionName(kind)}
                onAction={() => onChoose(kind)}
              >
                {kind.plural} <span className="muted">{kind.group}</span>
              </MenuItem>
            ))}
          </Menu>
          <KindsLeftOut found={named.length} />
        </Autocomplete>
      </MenuPopover>
    </MenuTrigger>
  );
}
