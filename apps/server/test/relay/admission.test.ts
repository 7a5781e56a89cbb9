import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest'
import { openRelayHarness, type RelayHarness } from './relay-harness.ts'
import { CHAT } from './send.ts'
import { answerWith, openScriptedUpstream, type ScriptedUpstream } from './upstream.ts'

let harness: RelayHarness
let upstream: ScriptedUpstream
let channelId: number

beforeAll(async () => {
  harness = await openRelayHarness()
  upstream = await openScriptedUpstream()
  channelId = await harness.addChannel(upstream.url, { models: 'gpt-4o,gpt-4o-mini' })
})
beforeEach(() => {
  upstream.respond = answerWith()
})
afterAll(async () => {
  await harness.close()
  await upstream.close()
})

const ask = (bearer: string | undefined, more: object = {}) =>
  harness.send({ ...(bearer !== undefined && { bearer }), body: CHAT, ...more })

async function refusal(bearer: string | undefined, more: object = {}) {
  const { status, error } = await ask(bearer, more)
  return [status, error['code']]
}

test('a missing, an empty and an unknown key are refused', async () => {
  expect(await refusal(undefined)).toEqual([401, 'token_missing'])
  expect(await refusal('')).toEqual([401, 'token_missing'])
  expect(await refusal('sk-')).toEqual([401, 'token_missing'])
  expect(await refusal(`sk-${'x'.repeat(48)}`)).toEqual([401, 'token_invalid'])
})

test.each([
  [{ status: 2 }, 'token_disabled'],
  [{ status: 3 }, 'token_expired'],
  [{ status: 4 }, 'token_exhausted'],
  [{ status: 9 }, 'token_disabled'],
])('a token with %o is refused', async (token, code) => {
  const { bearer } = await harness.addCaller({ token })
  expect(await refusal(bearer)).toEqual([401, code])
})

test('an expired token is refused, and its row is marked as expired', async () => {
  const { bearer, tokenId } = await harness.addCaller({ token: { expired_time: 1_000 } })
  expect(await refusal(bearer)).toEqual([401, 'token_expired'])
  const row = await harness.db
    .selectFrom('tokens')
    .select('status')
    .where('id', '=', tokenId)
    .executeTakeFirst()
  expect(row?.status).toBe(3)
})

test('a used-up token gets 401 and is marked; one with too little quota gets 403', async () => {
  const used = await harness.addCaller({ tokenQuota: 0n })
  expect(await refusal(used.bearer)).toEqual([401, 'token_exhausted'])
  expect(harness.marked).toContainEqual({ tokenId: used.tokenId, status: 4 })
  const short = await harness.addCaller({ tokenQuota: 5n })
  expect(await refusal(short.bearer)).toEqual([403, 'pre_consume_token_quota_failed'])
})

test('error messages follow the language of the caller', async () => {
  const { bearer } = await harness.addCaller({ token: { status: 4 } })
  const { error } = await ask(bearer, { headers: { 'accept-language': 'zh-CN' } })
  expect(error['message']).toMatch(/^该令牌额度已用尽 TokenStatusExhausted\[sk-\w{3}\*\*\*\w{3}\]/)
})

test('a banned or deleted user loses access at once', async () => {
  const { bearer, userId } = await harness.addCaller()
  expect((await ask(bearer)).status).toBe(200)
  await harness.db.updateTable('users').set({ status: 2 }).where('id', '=', userId).execute()
  await harness.notices.publish({ entity: 'user', id: userId })
  expect(await refusal(bearer)).toEqual([403, 'user_banned'])
  await harness.db.updateTable('users').set({ status: 1, deleted_ms: 5 }).where('id', '=', userId).execute()
  await harness.notices.publish({ entity: 'user', id: userId })
  expect(await refusal(bearer)).toEqual([403, 'user_banned'])
})

test('a disabled token loses access at once', async () => {
  const { bearer, tokenId } = await harness.addCaller()
  expect((await ask(bearer)).status).toBe(200)
  await harness.db.updateTable('tokens').set({ status: 2 }).where('id', '=', tokenId).execute()
  await harness.notices.publish({ entity: 'token', id: tokenId })
  expect(await refusal(bearer)).toEqual([401, 'token_disabled'])
})

test('the address list of a token applies to every route, including the model list', async () => {
  const elsewhere = await harness.addCaller({ token: { allow_ips: '203.0.113.0/24' } })
  expect(await refusal(elsewhere.bearer)).toEqual([403, 'address_not_allowed'])
  const list = await harness.send({ method: 'GET', path: '/v1/models', bearer: elsewhere.bearer })
  expect(list.status).toBe(403)
  const here = await harness.addCaller({ token: { allow_ips: '127.0.0.0/8' } })
  expect((await ask(here.bearer)).status).toBe(200)
})

test('a list with only invalid addresses allows no address', async () => {
  const { bearer } = await harness.addCaller({ token: { allow_ips: 'localhost' } })
  expect(await refusal(bearer)).toEqual([403, 'address_not_allowed'])
})

test('model limits of a token apply to the requested model name', async () => {
  const limited = { model_limits_enabled: 1, model_limits: 'gpt-4o-mini' } as const
  const { bearer } = await harness.addCaller({ token: limited })
  expect(await refusal(bearer)).toEqual([403, 'model_not_allowed'])
  expect((await ask(bearer, { body: { ...CHAT, model: 'gpt-4o-mini' } })).status).toBe(200)
})

test('the group of a token must be usable and have a ratio, and the group of its owner must have a ratio', async () => {
  const foreign = await harness.addCaller({ token: { group_name: 'secret' } })
  expect(await refusal(foreign.bearer)).toEqual([403, 'token_group_disabled'])
  const own = await harness.addCaller({ user: { group_name: 'gone' }, token: { group_name: 'gone' } })
  expect(await refusal(own.bearer)).toEqual([403, 'group_deprecated'])
  const inherited = await harness.addCaller({ user: { group_name: 'gone' } })
  expect(await refusal(inherited.bearer)).toEqual([403, 'group_deprecated'])
  const elsewhere = await harness.addCaller({ token: { group_name: 'vip' } })
  expect(await refusal(elsewhere.bearer)).toEqual([503, 'no_channel'])
})

test('only administrators may pin a channel, and it must exist and be enabled', async () => {
  const user = await harness.addCaller()
  expect(await refusal(`${user.bearer}-${channelId}`)).toEqual([403, 'channel_choice_forbidden'])
  const admin = await harness.addCaller({ user: { role: 10 } })
  expect(await refusal(`${admin.bearer}-99999`)).toEqual([400, 'channel_unknown'])
  expect(await refusal(`${admin.bearer}-x`)).toEqual([400, 'channel_unknown'])
  const disabled = await harness.addChannel(upstream.url, { status: 2 })
  expect(await refusal(`${admin.bearer}-${disabled}`)).toEqual([403, 'channel_disabled'])
})

test('a pinned channel is used whatever its groups are', async () => {
  const pinned = await harness.addChannel(upstream.url, { group_names: 'vip' })
  const { bearer } = await harness.addCaller({ user: { role: 10 } })
  expect((await ask(`${bearer}-${pinned}`)).status).toBe(200)
})

test('a pinned channel serves no model that the token may not use or that the channel does not list', async () => {
  const pinned = await harness.addChannel(upstream.url, {
    model_prefix: 'x/',
    models: 'gpt-4o,gpt-4o-mini',
  })
  const limited = { model_limits_enabled: 1, model_limits: 'gpt-4o-mini,unlisted' } as const
  const { bearer } = await harness.addCaller({ user: { role: 10 }, token: limited })
  const asked = upstream.received.length
  expect(await refusal(`${bearer}-${pinned}`)).toEqual([403, 'model_not_allowed'])
  const body = { ...CHAT, model: 'unlisted' }
  expect(await refusal(`${bearer}-${pinned}`, { body })).toEqual([400, 'channel_lacks_model'])
  expect(upstream.received).toHaveLength(asked)
  expect((await ask(`${bearer}-${pinned}`, { body: { ...CHAT, model: 'gpt-4o-mini' } })).status).toBe(200)
  const free = await harness.addCaller({ user: { role: 10 } })
  expect((await ask(`${free.bearer}-${pinned}`, { body: { ...CHAT, model: 'x/gpt-4o' } })).status).toBe(200)
})

test('a model without a price is refused unless the user accepts such models', async () => {
  await harness.addChannel(upstream.url, { models: 'unpriced-model' })
  const body = { ...CHAT, model: 'unpriced-model' }
  const careful = await harness.addCaller()
  expect(await refusal(careful.bearer, { body })).toEqual([400, 'model_price_error'])
  const bold = await harness.addCaller({ user: { setting: '{"accept_unset_model_ratio_model":true}' } })
  expect((await ask(bold.bearer, { body })).status).toBe(200)
})

test('calls from browser extensions can be blocked', async () => {
  const { bearer } = await harness.addCaller()
  const headers = { origin: 'chrome-extension://abcdef' }
  expect((await ask(bearer, { headers })).status).toBe(200)
  await harness.setOption('global.block_browser_extension_enabled', 'true')
  expect(await refusal(bearer, { headers })).toEqual([403, 'browser_extension_blocked'])
  expect((await ask(bearer)).status).toBe(200)
  await harness.setOption('global.block_browser_extension_enabled', 'false')
})

test('of 200 concurrent calls exactly those that the balance covers pass', async () => {
  // Raises the overdraft factor, so that only the holds of these calls decide, not their possible cost beyond
  // that.
  await harness.setOption('billing_setting.overdraft_factor', '1000')
  const body = { ...CHAT, max_tokens: 10 }
  const probe = await harness.addCaller()
  await ask(probe.bearer, { body })
  await harness.quiet()
  const [row] = (await harness.logs()).filter(({ user_id }) => user_id === probe.userId)
  const held = BigInt(JSON.parse(row?.other ?? '{}').receipt.held)
  const { promise: gate, resolve: release } = Promise.withResolvers<void>()
  upstream.respond = async (response, request) => {
    await gate
    await answerWith()(response, request)
  }
  const { bearer, userId } = await harness.addCaller({ quota: held * 7n + held / 2n })
  const waiting = upstream.received.length
  let answered = 0
  const sent = Array.from({ length: 200 }, async () => {
    const answer = await ask(bearer, { body })
    answered++
    return answer
  })
  while (answered + upstream.received.length - waiting < 200)
    await new Promise((resolve) => setTimeout(resolve, 5))
  release()
  const answers = await Promise.all(sent)
  const passed = answers.filter(({ status }) => status === 200)
  expect(passed).toHaveLength(7)
  expect(answers.filter(({ status }) => status === 403)).toHaveLength(193)
  await harness.quiet()
  expect((await harness.balance(userId))?.debt).toBe(0n)
})

test('the key of the caller is not sent upstream, and headers of the upstream are not returned', async () => {
  const { bearer } = await harness.addCaller()
  const headers = { cookie: 'session=1', 'x-forwarded-for': '9.9.9.9', 'x-api-key': 'mine' }
  upstream.respond = (response, request) => {
    response.setHeader('set-cookie', 'a=b')
    response.setHeader('openai-organization', 'org-1')
    response.setHeader('x-ratelimit-remaining', '7')
    void answerWith()(response, request)
  }
  const answer = await ask(bearer, { headers })
  const sent = upstream.received.at(-1)
  expect(sent?.headers.authorization).toBe('Bearer upstream-key-1')
  expect(JSON.stringify(sent?.headers)).not.toContain(bearer.slice(3))
  expect(Object.keys(sent?.headers ?? {})).not.toContain('cookie')
  expect(Object.keys(sent?.headers ?? {})).not.toContain('x-forwarded-for')
  expect(Object.keys(answer.headers).sort()).toEqual([
    'access-control-allow-origin',
    'access-control-expose-headers',
    'connection',
    'content-length',
    'content-type',
    'date',
    'x-oneapi-request-id',
    'x-request-id',
  ])
})
