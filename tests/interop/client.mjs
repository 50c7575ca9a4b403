// The TypeScript client `@modelcontextprotocol/client` 2.x: client.mjs SERVER RECORDS MODE, where MODE is `legacy` (the
// default of the package), `auto` or a modern revision. The last two ask `server/discover`, `auto` in a process of its own.

import { Client } from '@modelcontextprotocol/client';
import { StdioClientTransport } from '@modelcontextprotocol/client/stdio';

import { LATEST_LEGACY, MODERN, calls, run } from './checks.mjs';

const [server, records, mode] = process.argv.slice(2);
const versionNegotiation = { mode: mode === 'legacy' || mode === 'auto' ? mode : { pin: mode } };

async function connect([command, ...args]) {
  const transport = new StdioClientTransport({ command, args });
  const client = new Client({ name: 'interop', version: '1.0.0' }, { versionNegotiation });
  const progress = [];
  client.setNotificationHandler('notifications/progress', ({ params }) => progress.push(params));
  await client.connect(transport);
  return {
    version: client.getNegotiatedProtocolVersion(),
    pid: transport.pid,
    progress,
    // The package takes the code of the older revisions for that of the newer.
    notFound: -32602,
    ...calls(client),
  };
}

await run(`typescript client 2 ${mode}`, [server, records], connect, mode === 'legacy' ? LATEST_LEGACY : MODERN);
