import { useNavigate } from '@tanstack/react-router';
import { Button, Menu, MenuItem, MenuTrigger } from 'react-aria-components';
import { Icon } from '../../ui/icon.tsx';
import { MenuPopover } from '../../ui/menu-popover.tsx';
import type { TableColumn } from './layout.ts';

/** Chooses the columns; the URL keeps them. */
export function ColumnMenu({
  all,
  shown,
}: {
  readonly all: readonly TableColumn[];
  readonly shown: readonly TableColumn[];
}) {
  const navigate = useNavigate();
  const choices = all.filter(({ of }) => of !== 'name');
  const choose = (names: ReadonlySet<unknown>) => {
    const isUsual = choices.every(({ name, usual }) => usual === names.has(name));
    const cols = choices.filter(({ name }) => names.has(name)).map(({ name }) => name);
    void navigate({
      to: '.',
      search: (before) => ({ ...before, cols: isUsual ? undefined : `,${cols.join(',')}` }),
      replace: true,
      resetScroll: false,
    });
  };
  return (
    <MenuTrigger>
      <Button className="button">
        Columns
        <Icon name="chevron" />
      </Button>
      <MenuPopover>
        <Menu
          aria-label="Columns"
          selectionMode="multiple"
          selectedKeys={shown.filter(({ of }) => of !== 'name').map(({ name }) => name)}
          onSelectionChange={(keys) =>
            choose(keys === 'all' ? new Set(choices.map(({ name }) => name)) : keys)
          }
        >
          {choices.map(({ name }) => (
            <MenuItem key={name} id={name} textValue={name}>
              {({ isSelected }) => (
                <>
                  <span className="tick">{isSelected ? <Icon name="check" /> : null}</span>
                  {name}
                </>
              )}
            </MenuItem>
          ))}
        </Menu>
      </MenuPopover>
    </MenuTrigger>
  );
}
