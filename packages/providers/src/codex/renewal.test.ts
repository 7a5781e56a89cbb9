import { describe, expect, it } from 'vitest'
import { isDue, isOver } from '../sign/renewal.ts'
import { codexRenewal, RENEWAL_URL } from './renewal.ts'

const NOW_MS = 1_750_000_000_000
const HOUR = 3600

function token(claims: object): string {
  return `h.${Buffer.from(JSON.stringify(claims)).toString('base64url')}.s`
}

const seconds = Math.floor(NOW_MS / 1000)
const access = token({ iat: seconds, exp: seconds + 240 * HOUR })
const plain = JSON.stringify({
  access_token: access,
  refresh_token: 'rt-1',
  id_token: 'id-1',
  account_id: 'a-1',
  email: 'a@b.example',
})
const file = JSON.stringify({
  OPENAI_API_KEY: null,
  tokens: { access_token: access, refresh_token: 'rt-1', account_id: 'a-1' },
  last_refresh: '2025-01-01T00:00:00Z',
})

function read(status: number, body: unknown, key = plain) {
  return codexRenewal.read({ status, body: Buffer.from(JSON.stringify(body)) }, { key, nowMs: NOW_MS })
}

describe('lifetime of a credential', () => {
  it('the lifetime is read from the token, or from the times stored beside it', () => {
    expect(codexRenewal.lifeOf(plain)).toEqual({
      startsMs: seconds * 1000,
      endsMs: (seconds + 240 * HOUR) * 1000,
    })
    const opaque = JSON.stringify({ access_token: 'x', account_id: 'a', expired: '2025-06-16T00:00:00Z' })
    expect(codexRenewal.lifeOf(opaque)).toEqual({
      startsMs: undefined,
      endsMs: Date.parse('2025-06-16T00:00:00Z'),
    })
    expect(codexRenewal.lifeOf('{"access_token":"x","account_id":"a"}')).toBeUndefined()
    for (const junk of ['', 'sk-1', '{}', '[]', '{"access_token":"a b","account_id":"c"}'])
      expect(codexRenewal.lifeOf(junk)).toBeUndefined()
  })

  it('a credential is due for refresh in its last day, or in the last quarter of a short lifetime, and counts as expired a minute before its end', () => {
    const long = { startsMs: 0, endsMs: 240 * HOUR * 1000 }
    expect(isDue(long, long.endsMs - 25 * HOUR * 1000)).toBe(false)
    expect(isDue(long, long.endsMs - 24 * HOUR * 1000)).toBe(true)
    const short = { startsMs: 0, endsMs: HOUR * 1000 }
    expect(isDue(short, 44 * 60_000)).toBe(false)
    expect(isDue(short, 45 * 60_000)).toBe(true)
    expect(isOver(short, 58 * 60_000)).toBe(false)
    expect(isOver(short, 59 * 60_000)).toBe(true)
  })
})

describe('token refresh', () => {
  it("sends the same request as the vendor's own client, to the URL that the channel sets", () => {
    expect(codexRenewal.request(plain, '')).toMatchObject({ url: RENEWAL_URL })
    const request = codexRenewal.request(file, 'https://mine.example/token')
    expect(request?.url).toBe('https://mine.example/token')
    expect(JSON.parse(request?.body ?? '')).toMatchObject({
      grant_type: 'refresh_token',
      refresh_token: 'rt-1',
      scope: 'openid profile email',
    })
    expect(codexRenewal.request('{"access_token":"x","account_id":"a"}', '')).toBeUndefined()
  })

  it('writes the new tokens into the key as one line and keeps the other members', () => {
    const fresh = token({ exp: seconds + HOUR })
    const answer = { access_token: fresh, refresh_token: 'rt-2', id_token: 'id-2' }
    const renewed = read(200, answer)
    expect(renewed.type).toBe('renewed')
    const key = renewed.type === 'renewed' ? renewed.key : ''
    expect(key).not.toContain('\n')
    expect(JSON.parse(key)).toEqual({
      access_token: fresh,
      refresh_token: 'rt-2',
      id_token: 'id-2',
      account_id: 'a-1',
      email: 'a@b.example',
      expired: new Date((seconds + HOUR) * 1000).toISOString(),
      last_refresh: new Date(NOW_MS).toISOString(),
    })
    const nested = read(200, { access_token: 'opaque', expires_in: 60 }, file)
    expect(nested.type === 'renewed' && JSON.parse(nested.key)).toEqual({
      OPENAI_API_KEY: null,
      tokens: { access_token: 'opaque', refresh_token: 'rt-1', account_id: 'a-1' },
      expired: new Date(NOW_MS + 60_000).toISOString(),
      last_refresh: new Date(NOW_MS).toISOString(),
    })
    expect(codexRenewal.holderOf(key)).toBe(codexRenewal.holderOf(plain))
  })

  it.each([
    [400, { error: 'invalid_grant', error_description: 'gone' }, 'refused'],
    [401, { error: { code: 'refresh_token_reused', message: 'used' } }, 'refused'],
    [403, { error: { code: 'refresh_token_expired' } }, 'refused'],
    [401, {}, 'refused'],
    [500, {}, 'failed'],
    [429, { error: { message: 'slow down' } }, 'failed'],
    [200, {}, 'failed'],
    [200, { access_token: 'two\nlines' }, 'failed'],
    [302, {}, 'failed'],
  ])('distinguishes failures that need a new sign-in from temporary ones: %s %j', (status, body, type) => {
    expect(read(status, body).type).toBe(type)
  })

  it('lists all secrets of a key', () => {
    expect(codexRenewal.secretsOf(plain)).toEqual([access, 'rt-1', 'id-1'])
    expect(codexRenewal.secretsOf('junk')).toEqual([])
  })
})
