import { useMutation } from '@tanstack/react-query';
import { useNavigate, useSearch } from '@tanstack/react-router';
import { useEffect, useRef } from 'react';
import { Button, Menu, MenuItem, MenuTrigger } from 'react-aria-components';
import { annotate } from '../../api/change.ts';
import { itemPath } from '../../api/resource.ts';
import { protectionAnnotation } from '../../live/live-table.ts';
import { announce } from '../../ui/announcer.tsx';
import { copyText } from '../../ui/copy.tsx';
import { Icon } from '../../ui/icon.tsx';
import { MenuPopover } from '../../ui/menu-popover.tsx';
import { WriteFailure } from '../../ui/write-failure.tsx';
import { DeletionDialog } from './deletion-dialog.tsx';
import type { ResourceView } from './view.ts';

/** The actions on a resource as a whole. */
export function ResourceActions(view: ResourceView) {
  const { kind, place, resource, may } = view;
  const navigate = useNavigate();
  const isDeleting = useSearch({ strict: false }).dialog === 'delete' && may('delete') === true;
  const openDialog = (dialog: 'delete' | undefined) =>
    void navigate({ to: '.', search: (before) => ({ ...before, dialog }), replace: true });
  const menu = useRef<HTMLButtonElement>(null);
  // When the dialog opens, its opener, an entry of the menu or of the palette, is already gone: the focus comes back to the menu.
  useEffect(() => (isDeleting ? () => menu.current?.focus() : undefined), [isDeleting]);
  const { annotations, name, uid } = resource.metadata;
  const isProtected = annotations[protectionAnnotation] === 'true';
  const protect = useMutation({
    mutationFn: () => annotate(itemPath(place), protectionAnnotation, isProtected ? null : 'true'),
    onSuccess: () => announce(isProtected ? `${name} is not protected any more` : `${name} is protected`),
  });
  const { origin } = window.location;
  const base = `${origin}/console/r/${place.group}/${place.version}/${kind.plural}`;
  const copy = (address: string) => void copyText(address, address);
  return (
    <>
      <MenuTrigger>
        <Button ref={menu} className="button">
          Actions
          <Icon name="chevron" />
        </Button>
        <MenuPopover>
          <Menu>
            <MenuItem
              textValue="Copy the link to the name"
              onAction={() => copy([base, ...resource.metadata.ancestors, name].join('/'))}
            >
              <Icon name="copy" />
              Copy the link to the name
            </MenuItem>
            <MenuItem
              textValue="Copy the link to this very resource"
              onAction={() => copy(`${base}/uid:${uid}`)}
            >
              <Icon name="copy" />
              Copy the link to this very resource
            </MenuItem>
            <MenuItem
              textValue={isProtected ? 'Allow deletion' : 'Protect from deletion'}
              isDisabled={may('patch') !== true}
              onAction={() => protect.mutate()}
            >
              <Icon name="lock" />
              {isProtected ? 'Allow deletion' : 'Protect from deletion'}
              <Refused may={may('patch')} verb="patch" />
            </MenuItem>
            <MenuItem
              textValue="Delete…"
              isDisabled={may('delete') !== true}
              onAction={() => openDialog('delete')}
            >
              <Icon name="bin" />
              Delete…
              <Refused may={may('delete')} verb="delete" />
            </MenuItem>
          </Menu>
        </MenuPopover>
      </MenuTrigger>
      {protect.error === null ? null : <WriteFailure error={protect.error} />}
      {isDeleting ? <DeletionDialog view={view} onClose={() => openDialog(undefined)} /> : null}
    </>
  );
}

/** Why an action is switched off. */
function Refused({ may, verb }: { readonly may: boolean | undefined; readonly verb: string }) {
  return may === false ? <span className="hint">needs the verb {verb}</span> : null;
}
