export { chooseAtDevelopmentProvider, type Page, ScriptlessBrowser } from './browser.ts';
