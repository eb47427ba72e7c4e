export { type Html, html, trusted } from './html.ts';
export { page, style } from './page.ts';
