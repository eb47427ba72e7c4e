import type { LinkProps } from '@tanstack/react-router';
import type { IconName } from '../ui/icon.tsx';

export interface NavigationItem {
  readonly to: NonNullable<LinkProps['to']>;
  readonly label: string;
  readonly icon: IconName;
  /** Only operators can use it, so that others do not see it in the menu. */
  readonly operators?: true;
}

/** The menu, in its order; the palette offers the same. */
export const navigation: readonly NavigationItem[] = [
  { to: '/', label: 'Home', icon: 'home' },
  { to: '/kinds', label: 'Kinds', icon: 'kinds' },
  { to: '/removed', label: 'Removed', icon: 'removed' },
  { to: '/tenants', label: 'Tenants', icon: 'tenants' },
  { to: '/access', label: 'Access', icon: 'access' },
  { to: '/ops/audit', label: 'Audit', icon: 'history', operators: true },
  { to: '/ops/collector', label: 'Collector', icon: 'operations', operators: true },
  { to: '/ops/subscriptions', label: 'Subscriptions', icon: 'send', operators: true },
  { to: '/ops/sessions', label: 'Sessions', icon: 'user' },
  { to: '/settings', label: 'Settings', icon: 'settings' },
];
