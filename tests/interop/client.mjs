// The TypeScript client `@modelcontextprotocol/client` 2.x: client.mjs SERVER RECORDS MODE, where MODE is `legacy` (the
// default of the package), `auto` or a modern revision. The last two ask `server/discover`, `auto` in a process of its own.

import { Client } from '@modelcontextprotocol/client';
import { StdioClientTransport } from '@modelcontextprotocol/client/stdio';

import { LATEST_LEGACY, MODERN, calls, run } from './checks.mjs';

const [server, records, mode] = process.argv.slice(2);
const versionNegotiation = { mode: mode === 'legacy' || mode === 'auto' ? mode : { pin: mode } };

async function connect([command, ...args], user) {
  const transport = new StdioClientTransport({ command, args });
  const capabilities = user ? { elicitation: { form: {} } } : {};
  const client = new Client({ name: 'interop', version: '1.0.0' }, { versionNegotiation, capabilities });
  if (user) {
    client.setRequestHandler('elicitation/create', async ({ params }) => user(params));
  }
  const [progress, logs] = [[], []];
  client.setNotificationHandler('notifications/message', ({ params }) => logs.push(params));
  client.setNotificationHandler('notifications/progress', ({ params }) => progress.push(params));
  await client.connect(transport);
  const version = client.getNegotiatedProtocolVersion();
  return {
    version,
    pid: transport.pid,
    progress,
    logs,
    async callLogged(name, args, level) {
      if (version !== MODERN) {
        await client.setLoggingLevel(level);
        return client.callTool({ name, arguments: args });
      }
      return client.callTool({ name, arguments: args, _meta: { 'io.modelcontextprotocol/logLevel': level } });
    },
    // The package takes the code of the older revisions for that of the newer.
    notFound: -32602,
    ...calls(client),
  };
}

await run(`typescript client 2 ${mode}`, [server, records], connect, mode === 'legacy' ? LATEST_LEGACY : MODERN);
