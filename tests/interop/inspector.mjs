// The command line of `@modelcontextprotocol/inspector` 2.x: inspector.mjs SERVER RECORDS ERA, where ERA is `legacy` (the
// default of the Inspector), `auto` or `modern`. One process of it, and so one session, for each question.

import { spawnSync } from 'node:child_process';
import { existsSync } from 'node:fs';
import { createRequire } from 'node:module';
import { dirname, join } from 'node:path';
import { setTimeout } from 'node:timers/promises';

import { ADD_SCHEMA, Checks, LATEST_LEGACY, MODERN, TOOLS, UNICODE } from './checks.mjs';
import { contents, recordOf, texts, witness, witnessed } from './checks.mjs';

const [server, records, era] = process.argv.slice(2);
const client = `inspector 2 ${era}`;
const checks = new Checks(client);
const packageFolder = dirname(createRequire(import.meta.url).resolve('@modelcontextprotocol/inspector/package.json'));
const launcher = join(packageFolder, 'clients/launcher/build/index.js');

/** Asks the Inspector, and gives its exit code with the result or the error that it prints as JSON. */
function inspect(command, ...options) {
  const args = [launcher, '--cli', ...command, '--protocol-era', era, '--format', 'json', ...options];
  // Whatever it keeps in a home folder is not the user's.
  const { status, stdout, stderr } = spawnSync(process.execPath, args, {
    encoding: 'utf8',
    env: { ...process.env, HOME: records },
    timeout: 30_000,
  });
  return { status, stdout, stderr, result: last(stdout)?.result, error: last(stderr)?.error };
}

/** The last line that it printed, as far as that is JSON. */
function last(printed) {
  try {
    return JSON.parse(printed.trim().split('\n').at(-1));
  } catch {
    return undefined;
  }
}

const serve = (toolset) => [server, 'serve', toolset];

const call = (command, tool, args, ...options) =>
  inspect(command, '--method', 'tools/call', '--tool-name', tool, '--tool-args-json', JSON.stringify(args), ...options);

function answer(what, got, text) {
  const holds = got.status === 0 && got.result?.isError === false;
  checks.that(what, holds && texts(got.result).length === 1 && texts(got.result)[0].includes(text), got);
}

function argumentError(what, got, ...names) {
  if (got.status === 5 && got.error?.code === 'tool_is_error' && got.result?.content) {
    checks.argumentError(what, got.result, ...names);
  } else {
    checks.that(what, false, got);
  }
}

for (const [toolset, tools] of Object.entries(TOOLS)) {
  // `--strict` fails on schemas that clients or models are known to refuse.
  const listed = inspect(serve(toolset), '--method', 'tools/list', '--strict');
  checks.that(`${toolset} tools are portable`, listed.status === 0, listed);
  checks.equal(`${toolset} tools`, listed.result?.tools?.map((tool) => tool.name), tools);
  if (toolset === 'calc') {
    checks.equal('calc schema of add', listed.result?.tools?.[0].inputSchema, ADD_SCHEMA);
  }
}

answer('calc add', call(serve('calc'), 'add', { a: 0.1, b: 0.2 }), '0.30000000000000004');
argumentError('calc argument error', call(serve('calc'), 'add', { a: 'x' }), 'a', 'b');
answer('calc echo of Unicode', call(serve('calc'), 'echo', { text: UNICODE }), UNICODE);
answer('reservo get_quote', call(serve('reservo'), 'get_quote', { room: 'Studio', tier: 'pro', hours: 3 }), '6000');
const task = (priority) => call(serve('tasks'), 'create_task', { input: { title: 'Comprar café', priority } });
answer('tasks create_task', task('high'), 'Tarea creada 1: Comprar café (prioridad: high)');
argumentError('tasks nested argument error', task('urgent'), 'input.priority');

// The Inspector looks the name up in the list and does not ask the server.
const unknown = call(serve('calc'), 'nope', {});
checks.that('unknown tool is not found', unknown.status === 5 && unknown.error?.code === 'tool_not_found', unknown);

const { result: load } = call(serve('calc'), 'echo', { text: 'load' }, '--load', '--load-requests', '500');
checks.equal('500 calls, 10 at once', [load?.ok, load?.toolErrors, load?.errors], [500, 0, 0]);

const record = recordOf(client, records);
answer('calc echo, witnessed', call(witness(record, ...serve('calc')), 'echo', { text: 'witnessed' }), 'witnessed');
// The Inspector does not wait for the server.
for (let waited = 0; waited < 5000 && !existsSync(`${record}.exit`); waited += 50) {
  await setTimeout(50);
}
witnessed(checks, record, era === 'legacy' ? LATEST_LEGACY : MODERN);
checks.equal('server exits with 0', contents(`${record}.exit`).trim(), '0');
process.exitCode = checks.failed ? 1 : 0;
