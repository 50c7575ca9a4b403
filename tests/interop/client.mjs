// The TypeScript client `@modelcontextprotocol/client` 2.x: client.mjs SERVER RECORDS MODE, where MODE is `legacy` (the
// default of the package), `auto` or a modern revision. The last two ask `server/discover`, `auto` in a process of its own.

import { Client } from '@modelcontextprotocol/client';
import { StdioClientTransport } from '@modelcontextprotocol/client/stdio';

import { LATEST_LEGACY, MODERN, run } from './checks.mjs';

const [server, records, mode] = process.argv.slice(2);
const versionNegotiation = { mode: mode === 'legacy' || mode === 'auto' ? mode : { pin: mode } };

async function connect([command, ...args]) {
  const transport = new StdioClientTransport({ command, args });
  const client = new Client({ name: 'interop', version: '1.0.0' }, { versionNegotiation });
  await client.connect(transport);
  return {
    version: client.getNegotiatedProtocolVersion(),
    pid: transport.pid,
    list: async () => (await client.listTools()).tools,
    call: (name, args) => client.callTool({ name, arguments: args }),
    ping: () => client.ping(),
    close: () => client.close(),
  };
}

await run(`typescript client 2 ${mode}`, [server, records], connect, mode === 'legacy' ? LATEST_LEGACY : MODERN);
