/** The drawings of the console, on a grid of 16. Each means one thing everywhere. */
const paths = {
  check: 'M8 1.5a6.5 6.5 0 1 0 0 13 6.5 6.5 0 0 0 0-13Zm-3 6.7 2.1 2.1L11.2 6',
  half: 'M8 1.5a6.5 6.5 0 1 0 0 13 6.5 6.5 0 0 0 0-13ZM8 4v8a4 4 0 0 0 0-8Z',
  triangle: 'M8 2 14.5 13.5h-13L8 2Zm0 4.5v3m0 2v.2',
  octagon: 'M5.3 1.5h5.4l3.8 3.8v5.4l-3.8 3.8H5.3l-3.8-3.8V5.3l3.8-3.8ZM5.8 5.8l4.4 4.4m0-4.4-4.4 4.4',
  bin: 'M2.5 4h11M6 4V2.5h4V4m-6 0 .7 9.5h6.6L12 4M6.7 6.5v4.5m2.6-4.5v4.5',
  ring: 'M8 1.5a6.5 6.5 0 0 1 2.5.5m2.6 1.8A6.5 6.5 0 0 1 14.4 7m-.3 3.2a6.5 6.5 0 0 1-2 2.7M9.5 14.3a6.5 6.5 0 0 1-3.5-.1M3.5 12.7a6.5 6.5 0 0 1-1.8-2.9m0-3.4a6.5 6.5 0 0 1 1.5-3',
  lock: 'M3.5 7h9v7h-9V7Zm2-.2V5a2.5 2.5 0 0 1 5 0v1.8M8 9.8v1.7',
  home: 'M2 7.5 8 2.2l6 5.3M3.5 6.5v7h9v-7',
  kinds: 'M2 2h5v5H2V2Zm7 0h5v5H9V2ZM2 9h5v5H2V9Zm7 0h5v5H9V9Z',
  table: 'M1.5 3h13v10h-13V3Zm0 3.3h13M1.5 9.6h13M6 3v10',
  search: 'M7 2a5 5 0 1 0 0 10A5 5 0 0 0 7 2Zm3.7 8.7 3.3 3.3',
  user: 'M8 2a3 3 0 1 0 0 6 3 3 0 0 0 0-6ZM2.5 14c.5-3 2.6-4.5 5.5-4.5s5 1.5 5.5 4.5',
  menu: 'M2 4h12M2 8h12M2 12h12',
  copy: 'M5.5 5.5h8v8h-8v-8Zm-3 5v-8h8',
  close: 'm3.5 3.5 9 9m0-9-9 9',
  up: 'M8 13V3.5M4 7l4-4 4 4',
  down: 'M8 3v9.5M4 9l4 4 4-4',
  chevron: 'm4 6 4 4 4-4',
  plus: 'M8 2.5v11M2.5 8h11',
  refresh: 'M13.5 8A5.5 5.5 0 1 1 12 4.2M12.5 1.5v3h-3',
  pause: 'M5 3v10M11 3v10',
  play: 'M4.5 2.5 13 8l-8.5 5.5v-11Z',
  history: 'M2.5 8A5.5 5.5 0 1 0 4 4.2M3.5 1.5v3h3M8 5v3.2l2 1.3',
  tenants: 'M2 14V5l6-3 6 3v9M5.5 14v-3h5v3M5.5 7.5h1m3 0h1',
  access: 'M10.5 1.5a4 4 0 1 0 0 8 4 4 0 0 0 0-8ZM7.5 8.5 2 14v-2.5m2.5 0L6 13',
  removed: 'M2 4h12v3H2V4Zm1 3v6.5h10V7M6 10h4',
  operations: 'M2 13.5h12M3.5 11V7m3 4V3m3 8V5.5m3 5.5V8.5',
  settings:
    'M2 4.5h7m3 0h2M2 11.5h2m3 0h7M10.5 2.8a1.7 1.7 0 1 0 0 3.4 1.7 1.7 0 0 0 0-3.4ZM5.5 9.8a1.7 1.7 0 1 0 0 3.4 1.7 1.7 0 0 0 0-3.4Z',
  send: 'M14 2 2 7l4.5 2.2M14 2l-4.5 12-3-4.8M14 2 6.5 9.2',
  edit: 'M3 13l.7-3L10.5 3.2l2.3 2.3L6 12.3 3 13Z',
  graph: 'M6 2h4v3H6V2ZM1.5 11h4v3h-4v-3Zm9 0h4v3h-4v-3ZM8 5v3m-4.5 3V8h9v3',
} as const;

export type IconName = keyof typeof paths;

export function Icon({ name }: { readonly name: IconName }) {
  return (
    <svg className="icon" viewBox="0 0 16 16" aria-hidden="true" focusable="false">
      <path
        d={paths[name]}
        fill="none"
        stroke="currentColor"
        strokeWidth="1.5"
        strokeLinecap="round"
        strokeLinejoin="round"
      />
    </svg>
  );
}
