import { useNavigate } from '@tanstack/react-router';
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
import { KindRegistry } from '../api/kinds.ts';
import { useCaller, useKinds } from '../api/queries.ts';
import { Icon } from '../ui/icon.tsx';
import { kindLink } from './links.ts';
import { navigation } from './navigation.ts';
import { useScope } from './scope.ts';

/** Go anywhere by typing: pages and kinds. */
export function Palette({ open, onClose }: { readonly open: boolean; readonly onClose: () => void }) {
  return (
    <ModalOverlay
      className="overlay"
      isOpen={open}
      onOpenChange={(isOpen) => !isOpen && onClose()}
      isDismissable
    >
      <Modal>
        <Dialog className="dialog palette" aria-label="Go to">
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
  const go = (leave: () => Promise<void>) => {
    onClose();
    void leave();
  };
  return (
    <Autocomplete filter={contains}>
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
      </Menu>
    </Autocomplete>
  );
}
