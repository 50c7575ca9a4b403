// What every JavaScript client is asked to do, and how it is judged.
//
// A client's program passes `run` a function `connect(command, user)` that gives a session with `version`, `list()` (tools),
// `call(name, arguments)` (a result), `ping()`, `pid` (of the server) and `close()`; for the board also what else `calls`
// gives, `progress` and `logs`, where the parameters of notifications are collected, `callLogged(name, arguments, level)`,
// which asks for the log from that level on, and `notFound`, the code for a resource that is not there. `user(params)` gives
// the result for a form; without it the client cannot show any. A protocol error is an exception with `code` and `message`.

import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout } from 'node:timers/promises';
import { isDeepStrictEqual } from 'node:util';

export const MODERN = '2026-07-28';
export const LATEST_LEGACY = '2025-11-25';
const META_VERSION = 'io.modelcontextprotocol/protocolVersion';

export const TOOLS = {
  calc: ['add', 'echo'],
  reservo: ['list_rooms', 'get_quote', 'book_room', 'cancel_booking'],
  tasks: ['create_task', 'complete_task', 'list_tasks', 'get_weather', 'set_status', 'withdraw'],
  board: ['led_set', 'blink', 'temp_read', 'calibrate'],
};
export const ADD_SCHEMA = {
  type: 'object',
  properties: { a: { type: 'number' }, b: { type: 'number' } },
  required: ['a', 'b'],
  additionalProperties: false,
};
const QUOTE_SCHEMA = {
  type: 'object',
  properties: {
    room: { type: 'string', enum: ['Focus', 'Studio', 'Boardroom'] },
    tier: { type: 'string', enum: ['basic', 'pro'] },
    hours: { type: 'integer' },
  },
  required: ['room', 'tier', 'hours'],
};
// Letters with and without combining marks, both directions, beyond the basic plane, and what JSON and lines give a meaning.
export const UNICODE = 'ñ n\u0303 ß 漢字 עברית 🦀 👩‍👩‍👧 \u{10ffff} "\\/ \t\r\n\0\x1f\x7f\u0085\u2028\u2029\ufeff end';
const BIG = '0123456789 áβ🦀\n'.repeat((200 * 1024) / 20);

export class Checks {
  failed = 0;

  constructor(client) {
    this.client = client;
  }

  that(what, holds, got) {
    if (holds) {
      console.log(`ok   ${this.client}: ${what}`);
    } else {
      this.failed += 1;
      console.log(`FAIL ${this.client}: ${what}: got ${JSON.stringify(got)?.slice(0, 400)}`);
    }
  }

  equal(what, got, expected) {
    this.that(what, isDeepStrictEqual(got, expected), got);
  }

  answer(what, result, text) {
    this.equal(what, [result.isError ?? false, texts(result)], [false, [text]]);
  }

  argumentError(what, result, ...names) {
    const text = texts(result).join('');
    this.that(what, result.isError === true && names.every((name) => text.includes(`${name}: `)), result);
  }
}

export const texts = (result) => result.content.map((block) => block.text);

/** The file where `witness.sh` keeps the session of this client. */
export const recordOf = (client, records) => join(records, client.replaceAll(' ', '-'));

export const witness = (record, ...command) => ['bash', join(import.meta.dirname, 'witness.sh'), record, ...command];

/** What the clients of both packages name alike. */
export const calls = (client) => ({
  list: async () => (await client.listTools()).tools,
  call: (name, args, _meta) => client.callTool({ name, arguments: args, _meta }),
  resources: async () => (await client.listResources()).resources,
  templates: async () => (await client.listResourceTemplates()).resourceTemplates,
  read: async (uri) => (await client.readResource({ uri })).contents,
  prompts: async () => (await client.listPrompts()).prompts,
  prompt: async (name, args) => (await client.getPrompt({ name, arguments: args })).messages,
  complete: async (ref, name, value) => (await client.complete({ ref, argument: { name, value } })).completion,
  ping: () => client.ping(),
  close: () => client.close(),
});

export async function run(client, [server, records], connect, version) {
  const checks = new Checks(client);
  const record = recordOf(client, records);
  const session = async (command, steps, user) => {
    const opened = await connect(command, user);
    await steps(checks, opened, version);
    await opened.close();
    return opened.pid;
  };
  const pids = [
    await session([server, 'serve', 'calc'], calc),
    await session([server, 'serve', 'reservo'], reservo),
    await session([server, 'serve', 'tasks'], tasks),
    await session([server, 'serve', 'board'], board),
  ];
  if (version === MODERN) {
    pids.push(await session([server, 'serve', 'board'], calibration, user));
  }
  await session(witness(record, server, 'serve', 'calc'), async (_, opened) => {
    await opened.list();
    await opened.call('echo', { text: 'witnessed' });
  });
  witnessed(checks, record, version);
  checks.equal('server exits with 0', contents(`${record}.exit`).trim(), '0');
  // Neither a running server nor a zombie.
  checks.that('no process is left', !pids.some((pid) => existsSync(`/proc/${pid}`)), pids);
  process.exitCode = checks.failed ? 1 : 0;
}

async function calc(checks, session, version) {
  checks.equal('negotiated version', session.version, version);
  // Before any list: a client may know the tools already.
  checks.answer('calc add before the list', await session.call('add', { a: 0.1, b: 0.2 }), '0.30000000000000004');
  const tools = await session.list();
  checks.equal('calc tools', tools.map((tool) => tool.name), TOOLS.calc);
  checks.equal('calc schema of add', tools[0].inputSchema, ADD_SCHEMA);
  checks.argumentError('calc argument error', await session.call('add', { a: 'x' }), 'a', 'b');
  await unknownTool(checks, session);
  checks.answer('calc echo of Unicode', await session.call('echo', { text: UNICODE }), UNICODE);
  checks.answer('calc echo of 200 KiB', await session.call('echo', { text: BIG }), BIG);
  await inFlight(checks, session, '20 calls', Array.from({ length: 20 }, (_, number) => `call ${number}`));
  await inFlight(checks, session, '4 big calls', Array.from({ length: 4 }, (_, number) => `${number}${BIG}`));
  if (version !== MODERN) {
    await session.ping();
    checks.that('ping', true);
  }
}

async function unknownTool(checks, session) {
  const what = 'unknown tool is error -32602';
  try {
    checks.that(what, false, await session.call('nope', {}));
  } catch (error) {
    checks.that(what, error.code === -32602 && error.message.includes('nope'), `${error.code} ${error.message}`);
  }
}

async function inFlight(checks, session, what, sent) {
  const results = await Promise.all(sent.map((text) => session.call('echo', { text })));
  checks.equal(`calc ${what} in flight`, results.map(texts), sent.map((text) => [text]));
}

async function reservo(checks, session) {
  const tools = await session.list();
  checks.equal('reservo tools', tools.map((tool) => tool.name), TOOLS.reservo);
  checks.equal('reservo schema of get_quote', tools[1].inputSchema, QUOTE_SCHEMA);
  const quote = await session.call('get_quote', { room: 'Studio', tier: 'pro', hours: 3 });
  checks.that('reservo get_quote', !quote.isError && texts(quote)[0].includes('6000'), quote);
  const refused = await session.call('get_quote', { room: 'Studio', tier: 'gold', hours: 2.5 });
  checks.argumentError('reservo argument error', refused, 'tier', 'hours');
}

async function tasks(checks, session) {
  checks.equal('tasks tools', (await session.list()).map((tool) => tool.name), TOOLS.tasks);
  const created = await session.call('create_task', { input: { title: 'Comprar café', priority: 'high' } });
  checks.answer('tasks create_task', created, 'Tarea creada 1: Comprar café (prioridad: high)');
  const refused = await session.call('create_task', { input: { title: 'Comprar té', priority: 'urgent' } });
  checks.argumentError('tasks nested argument error', refused, 'input.priority');
}

async function board(checks, session, version) {
  checks.equal('board tools', (await session.list()).map((tool) => tool.name), TOOLS.board);
  await resources(checks, session);
  await prompts(checks, session);
  await completion(checks, session);
  const blink = await session.call('blink', { times: 3 }, { progressToken: 'mine' });
  checks.answer('board blink', blink, 'The LED has blinked 3 times.');
  // What arrives together with the answer is dispatched behind it.
  await setTimeout(0);
  const told = [1, 2, 3].map((progress) => ({ progressToken: 'mine', progress, total: 3 }));
  checks.equal('board progress', session.progress, told);
  await logs(checks, session, version);
  await cannotAsk(checks, session, version);
}

async function logs(checks, session, version) {
  const dark = { level: 'warning', data: 'the LED is on and gives no light: its level is 0 %' };
  await session.call('led_set', { on: true, level: 0 });
  await setTimeout(0);
  // Warnings come unasked in older revisions.
  const expected = version === MODERN ? [] : [dark];
  checks.equal('board log, unasked', session.logs, expected);
  await session.callLogged('blink', { times: 2 }, 'info');
  await session.callLogged('led_set', { on: true }, 'warning');
  await setTimeout(0);
  expected.push({ level: 'info', data: 'the LED blinks 2 times' }, dark);
  checks.equal('board log', session.logs, expected);
}

async function cannotAsk(checks, session, version) {
  const what = 'board cannot ask';
  if (version === MODERN) {
    const error = await refusal(checks, what, session.call('calibrate', {}), -32021);
    checks.equal('board says what it needs to ask', error?.data?.requiredCapabilities, { elicitation: { form: {} } });
  } else {
    const result = await session.call('calibrate', {});
    checks.that(what, result.isError === true && texts(result)[0].includes('question'), result);
  }
}

const asked = [];

/** A user who agrees when asked again. */
function user({ message, requestedSchema }) {
  asked.push([message, Object.keys(requestedSchema.properties)]);
  return asked.length === 1 ? { action: 'decline' } : { action: 'accept', content: { tenths: 220, confirm: true } };
}

async function calibration(checks, session) {
  const declined = await session.call('calibrate', {});
  checks.that('board heeds a no', declined.isError === true && texts(declined)[0].includes('declined'), declined);
  checks.answer('board is calibrated', await session.call('calibrate', {}), 'The thermometer now shows 22.0 °C.');
  checks.answer('board has been calibrated', await session.call('temp_read', {}), '{"celsius":22}');
  const question = ['Hold a thermometer beside the LED. What does it show?', ['tenths', 'confirm']];
  checks.equal('board asks', asked, [question, question]);
}

async function resources(checks, session) {
  const listed = await session.resources();
  checks.equal('board resources', listed.map((resource) => resource.uri), ['device://info', 'device://log']);
  const templates = (await session.templates()).map((template) => template.uriTemplate);
  checks.equal('board templates', templates, ['sensor://{id}/latest']);
  const info = 'A simulated board with one LED and two thermometers, t0 and t1.';
  checks.equal('board size of a constant', listed[0].size, info.length);
  for (const [what, uri, text] of [
    ['a constant', 'device://info', info],
    ['the log', 'device://log', 'The LED was switched 0 times. The LED is off.'],
    ['a thermometer', 'sensor://t0/latest', '21.5 °C'],
    ['the other thermometer', 'sensor://t1/latest', '20.8 °C'],
  ]) {
    checks.equal(`board read of ${what}`, await session.read(uri), [{ uri, mimeType: 'text/plain', text }]);
  }
  await session.call('led_set', { on: true, level: 40 });
  const log = (await session.read('device://log')).map((part) => part.text);
  checks.equal('board second read of the log', log, ['The LED was switched 1 times. The LED is on at 40 %.']);
  for (const uri of ['sensor://t2/latest', 'device://nope']) {
    const error = await refusal(checks, `board has no ${uri}`, session.read(uri), session.notFound);
    checks.equal(`board names the missing ${uri}`, error?.data, { uri });
  }
}

async function prompts(checks, session) {
  const listed = await session.prompts();
  checks.equal('board prompts', listed.map((prompt) => prompt.name), ['diagnose']);
  const given = listed.map((prompt) => prompt.arguments.map((argument) => [argument.name, argument.required]));
  checks.equal('board arguments of a prompt', given, [[['symptom', true], ['detail', false]]]);
  const end = ' The LED is on at 40 %. Read device://log and both thermometers, and tell me what to do.';
  for (const [args, text] of [
    [{ symptom: 'no light', detail: 'Since noon' }, `My board has a fault: no light. Since noon.${end}`],
    [{ symptom: UNICODE }, `My board has a fault: ${UNICODE}.${end}`],
  ]) {
    const messages = [{ role: 'user', content: { type: 'text', text } }];
    const what = `board prompt with ${Object.keys(args).length} arguments`;
    checks.equal(what, await session.prompt('diagnose', args), messages);
  }
  await refusal(checks, 'board unknown prompt is error -32602', session.prompt('nope', {}), -32602);
  const missing = session.prompt('diagnose', { detail: 'x' });
  await refusal(checks, 'board missing argument is error -32602', missing, -32602);
}

async function completion(checks, session) {
  const diagnose = { type: 'ref/prompt', name: 'diagnose' };
  const symptoms = await session.complete(diagnose, 'symptom', 'too');
  const expected = { values: ['too dark', 'too hot'], total: 2, hasMore: false };
  checks.equal('board completion of an argument', symptoms, expected);
  const sensor = { type: 'ref/resource', uri: 'sensor://{id}/latest' };
  const sensors = await session.complete(sensor, 'id', 't');
  checks.equal('board completion of a variable', sensors.values, ['t0', 't1']);
  checks.equal('board without suggestions', (await session.complete(diagnose, 'detail', '')).values, []);
  await refusal(checks, 'board unknown argument is error -32602', session.complete(diagnose, 'nope', ''), -32602);
}

/** The error that a request is refused with. */
async function refusal(checks, what, request, code) {
  try {
    checks.that(what, false, await request);
  } catch (error) {
    checks.that(what, error.code === code, `${error.code} ${error.message}`);
    return error;
  }
}

/** Judges what the two sides wrote. */
export function witnessed(checks, record, version) {
  const requests = messages(`${record}.in`);
  const replies = messages(`${record}.out`);
  const all = replies.length > 0 && replies.every((reply) => reply.jsonrpc === '2.0');
  checks.that('every line of the server is a message', all, replies);
  if (version === MODERN) {
    const spoken = requests.filter((request) => 'id' in request).map((request) => request.params._meta[META_VERSION]);
    checks.equal('version on the wire', [...new Set(spoken)], [MODERN]);
  } else {
    const spoken = [requests[0]?.method, requests[0]?.params.protocolVersion, replies[0]?.result?.protocolVersion];
    checks.equal('version on the wire', spoken, ['initialize', version, version]);
  }
}

const messages = (path) => contents(path).split('\n').filter(Boolean).map(message);

/** A line that is no JSON stays what it is, and is seen in the failure. */
function message(line) {
  try {
    return JSON.parse(line);
  } catch {
    return line;
  }
}

export const contents = (path) => (existsSync(path) ? readFileSync(path, 'utf8') : '');
