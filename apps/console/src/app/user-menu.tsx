import { useQueryClient } from '@tanstack/react-query';
import { useState } from 'react';
import { Button, Header, Menu, MenuItem, MenuSection, MenuTrigger } from 'react-aria-components';
import { RequestError, send } from '../api/http.ts';
import type { Caller } from '../api/queries.ts';
import { Dialog } from '../ui/dialog.tsx';
import { Icon } from '../ui/icon.tsx';
import { MenuPopover } from '../ui/menu-popover.tsx';
import { WriteFailure } from '../ui/write-failure.tsx';
import { changeSettings, type Settings, useSettings } from './settings.ts';

const themes: readonly { readonly id: Settings['theme']; readonly label: string }[] = [
  { id: 'system', label: 'As the system' },
  { id: 'light', label: 'Light' },
  { id: 'dark', label: 'Dark' },
];

/** Other tabs of the console leave what they show when one of them logs out. */
const channel = new BroadcastChannel('platform-console-session');
channel.onmessage = () => window.location.reload();

export function UserMenu({ caller }: { readonly caller: Caller }) {
  const { theme } = useSettings();
  const queries = useQueryClient();
  const [failure, setFailure] = useState<unknown>(null);
  const logOut = async () => {
    try {
      await send('/api/v1/auth/logout', { method: 'POST' });
    } catch (error) {
      // Without a session there is nothing to end.
      if (!(error instanceof RequestError && error.status === 401)) return setFailure(error);
    }
    queries.clear();
    channel.postMessage('ended');
    window.location.assign('/console');
  };
  return (
    <>
      {failure === null ? null : (
        <Dialog title="You are still logged in" onClose={() => setFailure(null)}>
          <WriteFailure error={failure} />
          <div className="dialog-actions">
            <button type="button" className="button" onClick={() => setFailure(null)}>
              Close
            </button>
          </div>
        </Dialog>
      )}
      <MenuTrigger>
        <Button className="button quiet" aria-label={`Account of ${caller.email}`}>
          <Icon name="user" />
          <span className="wide-only">{caller.email}</span>
        </Button>
        <MenuPopover>
          <Menu>
            <MenuSection>
              <Header>
                {caller.email}
                {caller.operator ? ', operator' : ''}
                {caller.admin ? ', admin' : ''}
              </Header>
            </MenuSection>
            <MenuSection
              selectionMode="single"
              disallowEmptySelection
              selectedKeys={[theme]}
              onSelectionChange={(keys) => {
                const [chosen] = [...keys];
                changeSettings({ theme: chosen as Settings['theme'] });
              }}
            >
              <Header>Theme</Header>
              {themes.map(({ id, label }) => (
                <MenuItem key={id} id={id} textValue={label}>
                  {({ isSelected }) => (
                    <>
                      {label}
                      {isSelected ? <Icon name="check" /> : null}
                    </>
                  )}
                </MenuItem>
              ))}
            </MenuSection>
            <MenuSection>
              <Header>Session</Header>
              <MenuItem id="logout" onAction={() => void logOut()}>
                Log out
              </MenuItem>
            </MenuSection>
          </Menu>
        </MenuPopover>
      </MenuTrigger>
    </>
  );
}
