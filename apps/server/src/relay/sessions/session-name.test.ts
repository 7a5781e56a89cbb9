import { describe, expect, it } from 'vitest'
import { endUser, previousResponse, sessionInBody, sessionInHeaders } from './session-name.ts'

describe('the session in a header', () => {
  it('is the first name in the order of precedence', () => {
    const all = {
      conversation_id: 'f',
      'session-id': 'e',
      session_id: 'd',
      'x-session-affinity': 'c',
      'x-claude-code-session-id': 'b',
      'x-session-id': 'a',
    }
    const names = Object.keys(all).toReversed()
    for (const [index, name] of names.entries()) {
      const left = Object.fromEntries(Object.entries(all).filter(([other]) => names.indexOf(other) >= index))
      expect(sessionInHeaders(left), name).toBe('abcdef'[index])
    }
    expect(sessionInHeaders({ 'x-request-id': 'a' })).toBeUndefined()
  })

  it('is ignored when it is empty or longer than 255 characters', () => {
    const headers = { 'x-session-id': 'x'.repeat(10_240), session_id: ' ', 'session-id': 'y'.repeat(255) }
    expect(sessionInHeaders(headers)).toBe('y'.repeat(255))
  })
})

describe('the session in a body', () => {
  it('is the cache key before the metadata', () => {
    const metadata = { user_id: '{"device_id":"d","account_uuid":"","session_id":"s"}' }
    expect(sessionInBody({ prompt_cache_key: 'k', metadata })).toBe('k')
    expect(sessionInBody({ metadata })).toBe('s')
  })

  it('is the end of a user id of earlier versions of Claude Code', () => {
    const userId = 'user_0f_account_1a_session_2b-3c'
    expect(sessionInBody({ metadata: { user_id: userId } })).toBe('2b-3c')
  })

  it.each([
    ['a plain user id', { user_id: 'alice' }],
    ['JSON without a session', { user_id: '{"device_id":"d"}' }],
    ['broken JSON', { user_id: '{"session_id":' }],
    ['a session that is no text', { user_id: '{"session_id":{"a":1}}' }],
    ['a long user id', { user_id: `{"session_id":"s","more":"${'x'.repeat(10_240)}"}` }],
    ['a number', { user_id: 7 }],
    ['a list', []],
  ])('is unknown for %s', (_case, metadata) => {
    expect(sessionInBody({ metadata })).toBeUndefined()
  })

  it('is unknown for a cache key of 10 KB', () => {
    expect(sessionInBody({ prompt_cache_key: 'k'.repeat(10_240) })).toBeUndefined()
  })
})

it('the earlier response and the end user are texts of at most 255 characters', () => {
  expect(previousResponse({ previous_response_id: 'resp_1' })).toBe('resp_1')
  expect(endUser({ user: 'bob' })).toBe('bob')
  expect(endUser({ user: 'b'.repeat(256) })).toBeUndefined()
  expect(previousResponse({ previous_response_id: ['resp_1'] })).toBeUndefined()
})
