import { useState } from 'react';
import {
  Autocomplete,
  Dialog,
  Input,
  Menu,
  Modal,
  ModalOverlay,
  SearchField,
  useFilter,
} from 'react-aria-components';
import { KindRegistry, kindsNamed } from '../api/kinds.ts';
import { useKinds } from '../api/queries.ts';
import { Layer } from '../ui/layers.tsx';
import { mostKinds } from './palette-actions.ts';
import {
  ActionChoices,
  type Go,
  KindChoices,
  KindsLeftOut,
  PageChoices,
  ResourceChoices,
} from './palette-choices.tsx';

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

/** The field, and everything that matches its text. */
function Choices({ onClose }: { readonly onClose: () => void }) {
  const { contains } = useFilter({ sensitivity: 'base' });
  const kinds = useKinds();
  const registry = kinds.data ?? new KindRegistry([]);
  const [typed, setTyped] = useState('');
  const named = kindsNamed(registry.all, typed);
  const go: Go = (leave) => {
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
        <PageChoices go={go} />
        <KindChoices registry={registry} kinds={named.slice(0, mostKinds)} go={go} />
        <ActionChoices registry={registry} typed={typed} go={go} />
        {/* The last ones: they come later than the others, and must not move those under the pointer or the keys. */}
        <ResourceChoices registry={registry} typed={typed} go={go} />
      </Menu>
      <KindsLeftOut found={named.length} />
    </Autocomplete>
  );
}
