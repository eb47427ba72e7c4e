import { useNavigate, useRouterState } from '@tanstack/react-router';
import { type Kind, type KindRegistry, preferredVersion } from '../api/kinds.ts';
import { bestMatches } from '../logic/best-matches.ts';
import type { IconName } from '../ui/icon.tsx';
import { useScope } from './scope.ts';
import { changeSettings, type Settings, useSettings } from './settings.ts';

/** Kinds that are offered at once, for their tables, for new resources and in menus: each more costs time at every key. */
export const mostKinds = 50;

/** Something that the palette does, but for going to a page, a kind or a resource. */
export interface PaletteAction {
  readonly label: string;
  readonly icon: IconName;
  readonly run: () => unknown;
}

/** Parts of the page of a resource. */
const parts: readonly (readonly [tab: string | undefined, label: string, icon: IconName])[] = [
  [undefined, 'Overview', 'kinds'],
  ['yaml', 'Edit', 'edit'],
  ['graph', 'Graph', 'tenants'],
  ['status', 'Status', 'operations'],
  ['history', 'History', 'history'],
  ['explain', 'Explain', 'search'],
];

const themes: readonly (readonly [theme: Settings['theme'], label: string])[] = [
  ['light', 'Use the light theme'],
  ['dark', 'Use the dark theme'],
  ['system', 'Use the theme of the system'],
];

/** The actions that are possible here: on the open resource, on the kinds that fit to what is typed, and on the console itself. */
export function usePaletteActions(registry: KindRegistry, typed: string): readonly PaletteAction[] {
  const navigate = useNavigate();
  const scope = useScope();
  const { theme } = useSettings();
  const params = useRouterState({
    select: ({ matches }) => matches.at(-1)?.params as Readonly<Record<string, string>> | undefined,
  });
  const { group = '', plural = '', _splat = '' } = params ?? {};
  const kind = registry.byPlural(group, plural);
  const names = _splat.split('/').filter((name) => name !== '');
  const depth = kind === undefined ? 0 : (registry.ancestorsOf(kind)?.length ?? 0);
  const isResource = kind !== undefined && (names.length === depth + 1 || names[0]?.startsWith('uid:'));
  const opened = names[0]?.startsWith('uid:') ? `this ${kind?.kind}` : names.at(-1);
  const ofResource = isResource
    ? [
        ...parts.map(([tab, label, icon]) => ({
          label: `${label} of ${opened}`,
          icon,
          run: () => navigate({ to: '.', search: (before) => ({ in: before.in, tab }) }),
        })),
        {
          label: `Delete ${opened}…`,
          icon: 'bin' as const,
          run: () => navigate({ to: '.', search: (before) => ({ ...before, dialog: 'delete' }) }),
        },
      ]
    : [];
  const labelOf = ({ kind: name }: Kind) => `New ${name}`;
  const fitting = bestMatches(registry.all, (one) => [labelOf(one), one.kind], typed);
  const ofKinds = fitting.slice(0, mostKinds).map((one) => ({
    label: labelOf(one),
    icon: 'plus' as const,
    run: () =>
      navigate({
        to: '/new/$group/$version/$plural/$',
        params: {
          group: one.group,
          version: preferredVersion(one),
          plural: one.plural,
          _splat: scope.slice(0, registry.ancestorsOf(one)?.length ?? 0).join('/'),
        },
        search: {},
      }),
  }));
  const ofThemes = themes
    .filter(([name]) => name !== theme)
    .map(([name, label]) => ({
      label,
      icon: 'settings' as const,
      run: () => changeSettings({ theme: name }),
    }));
  return [...ofResource, ...ofKinds, ...ofThemes];
}
