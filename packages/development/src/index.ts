export { appsClientOf } from './identity-provider/apps-client.ts';
export { developmentPeople } from './identity-provider/people.ts';
export { startDevelopmentIdentityProvider } from './identity-provider/provider.ts';
export { startEmbeddedPostgres } from './postgres/embedded-postgres.ts';
export { EmbeddedPostgresError } from './postgres/error.ts';
export { runningUrl } from './postgres/running-url.ts';
export { type DevelopmentCertificates, developmentCertificates } from './tls/certificates.ts';
