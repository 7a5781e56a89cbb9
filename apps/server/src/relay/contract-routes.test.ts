import { problem } from '@tollgate/problems/problem'
import { describe, expect, it } from 'vitest'
import { callerDialect } from './caller-dialect.ts'
import { relayRouteOf, isRelayPath, sessionRouteOf, type RelayRoute } from './relay-route.ts'

/** Every path that clients written for new-api use, what handles it here, and the dialect of its errors. */
const paths: readonly (readonly [
  method: string,
  path: string,
  leadsTo: RelayRoute['type'],
  words: string,
])[] = [
  ...[
    'chat/completions',
    'completions',
    'edits',
    'responses/compact',
    'images/generations',
    'images/edits',
    'images/variations',
    'embeddings',
    'engines/ada/embeddings',
    'audio/speech',
    'audio/transcriptions',
    'audio/translations',
    'moderations',
    'rerank',
  ].flatMap((path) => [
    ['POST', `/v1/${path}`, 'call', 'openai'] as const,
    ['POST', `/hf/v1/${path}`, 'call', 'openai'] as const,
  ]),
  ['POST', '/v1/responses', 'call', 'responses'],
  ['POST', '/hf/v1/responses', 'call', 'responses'],
  ['POST', '/v1/messages', 'call', 'anthropic'],
  ['POST', '/hf/v1/messages', 'call', 'anthropic'],
  ['POST', '/v1/messages/count_tokens', 'count-tokens', 'anthropic'],
  ['POST', '/pg/chat/completions', 'call', 'openai'],
  ...['files', 'fine-tunes'].flatMap((path) => [
    ['GET', `/v1/${path}`, 'not-implemented', 'openai'] as const,
    ['POST', `/v1/${path}`, 'not-implemented', 'openai'] as const,
    ['GET', `/v1/${path}/1`, 'not-implemented', 'openai'] as const,
  ]),
  ['DELETE', '/v1/files/1', 'not-implemented', 'openai'],
  ['GET', '/v1/files/1/content', 'not-implemented', 'openai'],
  ['POST', '/v1/fine-tunes/1/cancel', 'not-implemented', 'openai'],
  ['GET', '/v1/fine-tunes/1/events', 'not-implemented', 'openai'],
  ['DELETE', '/v1/models/m', 'not-implemented', 'openai'],
  ['POST', '/v1/alpha/search', 'call', 'openai'],
  ['GET', '/v1/models', 'models', 'openai'],
  ['GET', '/v1/models/m', 'model', 'openai'],
  ['GET', '/hf/v1/models', 'models', 'openai'],
  ['GET', '/v1beta/models', 'models', 'gemini'],
  ['GET', '/v1beta/openai/models', 'models', 'openai'],
  ...['v1', 'v1beta'].flatMap((version) =>
    ['generateContent', 'streamGenerateContent', 'embedContent', 'batchEmbedContents'].map(
      (action) => ['POST', `/${version}/models/m:${action}`, 'call', 'gemini'] as const,
    ),
  ),
  ['POST', '/v1beta/models/m:streamGenerateContent?alt=sse', 'call', 'gemini'],
  ...['/mj', '/fast/mj', '/mj-relax/mj'].flatMap((prefix) => [
    ...[
      'imagine',
      'change',
      'simple-change',
      'describe',
      'blend',
      'action',
      'shorten',
      'modal',
      'edits',
      'video',
    ].map((verb) => ['POST', `${prefix}/submit/${verb}`, 'task', 'mj'] as const),
    ['POST', `${prefix}/submit/upload-discord-images`, 'task', 'mj'] as const,
    ['POST', `${prefix}/insight-face/swap`, 'task', 'mj'] as const,
    ['POST', `${prefix}/task/list-by-condition`, 'task', 'mj'] as const,
    ['POST', `${prefix}/notify`, 'task', 'mj'] as const,
    ['GET', `${prefix}/task/1/fetch`, 'task', 'mj'] as const,
    ['GET', `${prefix}/task/1/image-seed`, 'task', 'mj'] as const,
    ['GET', `${prefix}/image/1`, 'task', 'mj'] as const,
  ]),
  ['POST', '/suno/submit/music', 'task', 'suno'],
  ['POST', '/suno/submit/LYRICS', 'task', 'suno'],
  ['POST', '/suno/fetch', 'task', 'suno'],
  ['GET', '/suno/fetch/1', 'task', 'suno'],
  ['POST', '/v1/videos', 'task', 'openai'],
  ['GET', '/v1/videos', 'task', 'openai'],
  ['GET', '/v1/videos/1', 'task', 'openai'],
  ['DELETE', '/v1/videos/1', 'task', 'openai'],
  ['GET', '/v1/videos/1/content', 'task', 'openai'],
  ['POST', '/v1/videos/1/remix', 'task', 'openai'],
  ['POST', '/v1/video/generations', 'task', 'openai'],
  ['GET', '/v1/video/generations/1', 'task', 'openai'],
  ['POST', '/kling/v1/videos/text2video', 'task', 'kling'],
  ['POST', '/kling/v1/videos/image2video', 'task', 'kling'],
  ['GET', '/kling/v1/videos/text2video/1', 'task', 'kling'],
  ['GET', '/kling/v1/videos/image2video/1', 'task', 'kling'],
  ['POST', '/jimeng/?Action=CVSync2AsyncSubmitTask&Version=2022-08-31', 'task', 'jimeng'],
  ['POST', '/jimeng/?Action=CVSync2AsyncGetResult&Version=2022-08-31', 'task', 'jimeng'],
  ['POST', '/jimeng/', 'task', 'jimeng'],
  ...['', '/v1'].flatMap((prefix) => [
    ['GET', `${prefix}/dashboard/billing/subscription`, 'figures', 'openai'] as const,
    ['GET', `${prefix}/dashboard/billing/usage`, 'figures', 'openai'] as const,
  ]),
  ['OPTIONS', '/v1/chat/completions', 'preflight', 'openai'],
  ['GET', '/v1/nothing', 'unknown', 'openai'],
]

/** The API that has errors with exactly these members. */
const WORDS: Readonly<Record<string, string>> = {
  error: 'openai',
  'code description type': 'mj',
  'code data message': 'suno',
  'code message request_id': 'kling',
  'code data message request_id status': 'jimeng',
}

function wordsOf(relayRoute: RelayRoute, url: string, headers = {}): string {
  if (relayRoute.type !== 'task') return callerDialect(relayRoute, { url, headers }).name
  const { body } = relayRoute.api.refuse(problem('no_channel', { model: 'm', group: 'g' }), 'none')
  return WORDS[Object.keys(Object(body)).toSorted().join(' ')] ?? ''
}

describe('paths of the contract', () => {
  it.each(paths)(
    '%s %s leads to %s, and its errors are in the dialect %s',
    (method, path, leadsTo, words) => {
      const relayRoute = relayRouteOf(method, path)
      expect([isRelayPath(path), relayRoute.type, wordsOf(relayRoute, path)]).toEqual([true, leadsTo, words])
    },
  )

  it('a realtime session begins only with a websocket upgrade', () => {
    expect(sessionRouteOf('/v1/realtime?model=m')).toMatchObject({ operation: { name: 'realtime' } })
    expect(relayRouteOf('GET', '/v1/realtime').type).toBe('not-implemented')
  })

  it.each([
    ['/v1/models', { 'anthropic-version': '2023-06-01' }, 'anthropic'],
    ['/v1/models', { 'x-goog-api-key': 'k' }, 'gemini'],
    ['/v1/models/m?key=k', {}, 'gemini'],
    ['/v1/models', { authorization: 'Bearer k' }, 'openai'],
  ])('%s with %j is answered in the dialect %s', (path, headers, words) => {
    expect(wordsOf(relayRouteOf('GET', path), path, headers)).toBe(words)
  })
})
