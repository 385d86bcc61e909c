// Slack's own clients against the embedded workspace. Everything is printed as one line of JSON for the Go test, which
// plays the people; `ready` is where it may begin.
'use strict';

const { SocketModeClient, LogLevel } = require('@slack/socket-mode');
const { WebClient } = require('@slack/web-api');

const { SLACK_API_URL: slackApiUrl, SLACK_BOT_TOKEN: token, SLACK_APP_TOKEN: appToken, SLACK_CHANNEL: channel } = process.env;
const options = { slackApiUrl, logLevel: LogLevel.ERROR };
const web = new WebClient(token, options);
const say = (name, value) => console.log(JSON.stringify({ name, value }));

// refused gives what Slack's client makes of an error.
async function refused(call) {
  try {
    await call();
    return 'no error';
  } catch (e) {
    return { code: e.code, error: e.data?.error, needed: e.data?.needed, messages: e.data?.response_metadata?.messages };
  }
}

async function talk() {
  const me = await web.auth.test();
  say('auth', { user: me.user, scopes: me.response_metadata.scopes });

  const metadata = { event_type: 'argo_why', event_payload: { incident: 'i1', seq: 0 } };
  const root = await web.chat.postMessage({ channel, text: 'my-app is degraded', metadata });
  await web.chat.postMessage({ channel, text: 'a reply', thread_ts: root.ts });
  await web.chat.update({ channel, ts: root.ts, text: 'my-app is healthy' });
  const { messages } = await web.conversations.history({ channel, include_all_metadata: true });
  say('history', messages.map((m) => ({ text: m.text, metadata: m.metadata, replies: m.reply_count })));

  const pages = [];
  for await (const page of web.paginate('users.list', { limit: 1 })) {
    pages.push(...page.members.map((m) => m.name));
  }
  say('users', pages);

  const long = [{ type: 'section', text: { type: 'mrkdwn', text: 'x'.repeat(3001) } }];
  say('blocks', await refused(() => web.chat.postMessage({ channel, text: 'x', blocks: long })));
  say('channel', await refused(() => web.chat.postMessage({ channel: 'C0', text: 'x' })));
  say('token', await refused(() => new WebClient('xoxb-wrong', options).auth.test()));
  say('scope', await refused(() => web.team.info()));

  // The workspace is told to answer 429 once: the client waits as long as Retry-After says, and goes on.
  const before = Date.now();
  await web.chat.postMessage({ channel, text: 'after the rate limit' });
  say('limited', Date.now() - before >= 2000 ? 'waited' : 'did not wait');

  const upload = await web.files.uploadV2({ channel_id: channel, filename: 'log.txt', content: 'line 1', thread_ts: root.ts });
  say('upload', upload.ok);
}

async function listen() {
  const socket = new SocketModeClient({ appToken, logLevel: LogLevel.ERROR, clientOptions: options });
  socket.on('slash_commands', async ({ body, ack }) => {
    await ack({ text: 'looking' });
    say('command', { command: body.command, text: body.text, user: body.user_name });
  });
  socket.on('app_mention', async ({ event, ack }) => {
    await ack();
    const { ts } = await web.chat.postMessage({
      channel: event.channel,
      text: 'Sync?',
      blocks: [{ type: 'actions', elements: [{ type: 'button', action_id: 'sync', text: { type: 'plain_text', text: 'Sync' }, value: 'my-app' }] }],
    });
    say('mention', { text: event.text, ts });
  });
  socket.on('interactive', async ({ body, ack }) => {
    await ack();
    say('click', { action: body.actions[0].action_id, value: body.actions[0].value, user: body.user.username });
    await fetch(body.response_url, {
      method: 'POST',
      headers: { 'Content-Type': 'application/json' },
      body: JSON.stringify({ replace_original: true, text: 'Synced' }),
    });
    say('answered', true);
    await socket.disconnect();
  });
  await socket.start();
  say('ready', true);
}

talk().then(listen).catch((e) => {
  console.error(e);
  process.exit(1);
});
