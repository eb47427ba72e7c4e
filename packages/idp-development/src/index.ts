export { developmentPeople, type Person } from './people.ts';
export {
  type DevelopmentIdentityProvider,
  type DevelopmentOptions,
  startDevelopmentIdentityProvider,
} from './provider.ts';
