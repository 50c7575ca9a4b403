// The TypeScript SDK `@modelcontextprotocol/sdk` 1.x: sdk.mjs SERVER RECORDS.

import { Client } from '@modelcontextprotocol/sdk/client/index.js';
import { StdioClientTransport } from '@modelcontextprotocol/sdk/client/stdio.js';
import { LoggingMessageNotificationSchema, ProgressNotificationSchema } from '@modelcontextprotocol/sdk/types.js';

import { LATEST_LEGACY, calls, run } from './checks.mjs';

async function connect([command, ...args]) {
  const transport = new StdioClientTransport({ command, args });
  // The transport alone learns the version that was agreed on.
  let version;
  transport.setProtocolVersion = (agreed) => (version = agreed);
  const client = new Client({ name: 'interop', version: '1.0.0' });
  const [progress, logs] = [[], []];
  client.setNotificationHandler(LoggingMessageNotificationSchema, ({ params }) => logs.push(params));
  client.setNotificationHandler(ProgressNotificationSchema, ({ params }) => progress.push(params));
  await client.connect(transport);
  return {
    version,
    pid: transport.pid,
    progress,
    logs,
    async callLogged(name, args, level) {
      await client.setLoggingLevel(level);
      return client.callTool({ name, arguments: args });
    },
    notFound: -32002,
    ...calls(client),
  };
}

await run('typescript sdk 1', process.argv.slice(2), connect, LATEST_LEGACY);
