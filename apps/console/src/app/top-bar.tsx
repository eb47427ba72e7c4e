import { Link } from '@tanstack/react-router';
import type { Caller } from '../api/queries.ts';
import { Icon } from '../ui/icon.tsx';
import { ScopeMenu } from './scope-menu.tsx';
import { UserMenu } from './user-menu.tsx';

export function TopBar({
  caller,
  menuOpen,
  onMenu,
  onSearch,
}: {
  readonly caller: Caller;
  readonly menuOpen: boolean;
  readonly onMenu: () => void;
  readonly onSearch: () => void;
}) {
  return (
    <header className="top-bar">
      <button
        type="button"
        className="button quiet menu-button"
        aria-label="Menu"
        aria-expanded={menuOpen}
        onClick={onMenu}
      >
        <Icon name={menuOpen ? 'close' : 'menu'} />
      </button>
      <Link to="/" className="brand" aria-label="Platform, home">
        <Icon name="table" />
        <span className="wide-only">Platform</span>
      </Link>
      <ScopeMenu />
      <span className="spring" />
      <button type="button" className="button" onClick={onSearch} aria-keyshortcuts="Control+K Meta+K">
        <Icon name="search" />
        <span className="wide-only">Search or go to</span>
        <span className="visually-hidden">Open the palette</span>
        <kbd className="wide-only muted">Ctrl K</kbd>
      </button>
      <UserMenu caller={caller} />
    </header>
  );
}
