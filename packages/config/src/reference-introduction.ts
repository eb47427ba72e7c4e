/** What the reference page says before its tables. */
export const introduction = `
# Configuration

<!-- Made from packages/config/src/schema by \`pnpm docs:configuration\`. Edit it there. -->

The platform is configured by one YAML file and by environment variables that override it. Every key has a
default; a file with only a few keys, or none, is enough to start.

## Where it is read from

1. The file that \`PLATFORM_CONFIG\` names. Without it, \`platform.yaml\` in the working directory. Without that,
   the built-in **development settings**: everything at its default, one operator \`admin@platform.localhost\` who is
   also an admin. They are refused when \`NODE_ENV=production\`, and on
   any address but loopback, because everybody can be anybody there. To configure by environment alone there, let
   \`PLATFORM_CONFIG\` name an empty file.
2. The environment, over the file: \`PLATFORM__SERVER__PUBLIC_URL=https://platform.example.com\`, a double underscore for
   each level. Values are read as YAML, so lists and mappings can be given too
   (\`PLATFORM__AUTH__OPERATOR_USERS='[a@example.com]'\`), and a number reaches into a list
   (\`PLATFORM__AUTH__CONTROLLERS__0__ISSUER\`). An empty value or \`null\` unsets a key. Where a key takes a string, text
   that YAML would read as something else is taken as it stands.
3. References inside string values: \`\${env:NAME}\` stands for a variable and \`\${file:/path}\` for the content of a file
   (without its final line break). \`$\${env:NAME}\` stands for the text itself.

Relative paths are resolved against the working directory. Traces are configured by OpenTelemetry's own variables, which
[tracing.md](tracing.md) lists.

An unknown key or a bad value stops the start. Every fault is told at once, one line each, and no line repeats a value:

\`\`\`text
server.listen: must be <address>:<port>, such as 127.0.0.1:8080
auth.controllers[0].claims.aud: is required: a controller must pin the audience of its tokens
sever: is not a known key
\`\`\`

## Secrets that are not configured

| Key | Development settings | Configuration file |
|---|---|---|
| \`server.jwt_signing_secret\`, \`encryption.keys\` | kept in \`database.data_dir\` | kept in \`database.data_dir\`; required when \`NODE_ENV=production\` and \`database.url\` is set |
| \`server.rs256_private_key_pem\` | kept in \`database.data_dir\` | a new key pair at each start, with a warning; required when \`NODE_ENV=production\` |

Kept secrets are generated once, in \`secrets.yaml\` with mode 0600. Back that file up together with the database: what
is sealed with a lost encryption key cannot be read again.
`;
