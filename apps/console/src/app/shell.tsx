import { useRouterState } from '@tanstack/react-router';
import { type KeyboardEvent, type ReactNode, useEffect, useState } from 'react';
import { RequestError } from '../api/http.ts';
import { useCaller } from '../api/queries.ts';
import { Failure, Loading } from '../ui/states.tsx';
import { ConnectionBar } from './connection-bar.tsx';
import { KeyHelp } from './key-help.tsx';
import { useKeys } from './keys.ts';
import { Palette } from './palette.tsx';
import { SessionEnd } from './session-end.tsx';
import { SideBar } from './side-bar.tsx';
import { TopBar } from './top-bar.tsx';
import { useLostFocus } from './use-lost-focus.ts';
import { Welcome } from './welcome.tsx';

/** The frame of every page: the menu, the scope, the search and the user around the content. */
export function Shell({ children }: { readonly children: ReactNode }) {
  const caller = useCaller();
  const [menuOpen, setMenuOpen] = useState(false);
  const [helpOpen, setHelpOpen] = useState(false);
  const [paletteOpen, setPaletteOpen] = useState(false);
  const path = useRouterState({ select: ({ location }) => location.pathname });
  // biome-ignore lint/correctness/useExhaustiveDependencies: the menu closes when the page changes
  useEffect(() => setMenuOpen(false), [path]);
  const onMenuKey = ({ key }: KeyboardEvent) => {
    if (key !== 'Escape' || !menuOpen) return;
    setMenuOpen(false);
    document.querySelector<HTMLElement>('.menu-button')?.focus();
  };
  useLostFocus();
  useKeys({ palette: () => setPaletteOpen(true), help: () => setHelpOpen(true) });
  if (caller.data === undefined) {
    if (caller.error instanceof RequestError && caller.error.status === 401) return <Welcome />;
    return (
      <main className="main">
        <h1 className="visually-hidden">Platform console</h1>
        <ConnectionBar />
        {caller.error === null ? (
          <Loading />
        ) : (
          <Failure error={caller.error} what="use the console" retry={() => void caller.refetch()} />
        )}
      </main>
    );
  }
  return (
    // biome-ignore lint/a11y/noStaticElementInteractions: Escape closes the menu of a phone, wherever the focus is
    <div className="shell" onKeyDown={onMenuKey}>
      <a className="skip" href="#content">
        Skip to the content
      </a>
      <TopBar
        caller={caller.data}
        menuOpen={menuOpen}
        onMenu={() => setMenuOpen(!menuOpen)}
        onSearch={() => setPaletteOpen(true)}
      />
      <SideBar caller={caller.data} open={menuOpen} />
      <main className="main" id="content" tabIndex={-1}>
        <ConnectionBar />
        <SessionEnd />
        {children}
      </main>
      {helpOpen ? <KeyHelp onClose={() => setHelpOpen(false)} /> : null}
      <Palette open={paletteOpen} onClose={() => setPaletteOpen(false)} />
    </div>
  );
}
