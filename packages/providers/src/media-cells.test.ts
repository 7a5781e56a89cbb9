import type { Ask } from '@tollgate/dialects/dialect'
import { readAsk } from '@tollgate/dialects/ask'
import { takesForm } from '@tollgate/dialects/media/operation'
import { readFormAsk } from '@tollgate/dialects/media/read-form-ask'
import { expect, it } from 'vitest'
import { defaultChannelSettings } from './channel-settings.ts'
import { claimsOf } from './define/claims.ts'
import { MEDIA } from './define/reference.ts'
import { providers } from './index.ts'
import { prepareAttempt } from '../test/prepare-attempt.ts'
import { resolveEndpoint } from './prepare/resolve-endpoint.ts'

/** Tests that every supported cell of the second table in docs/reference/providers.md has an endpoint. */

const cells = providers.flatMap((provider) =>
  MEDIA.flatMap(([operation]) =>
    resolveEndpoint(provider, operation) === undefined ? [] : [{ id: provider.id, operation, provider }],
  ),
)

/** Keys of vendors whose keys consist of several parts. */
const KEYS: Readonly<Record<string, string>> = {
  volcano: 'app|token',
  codex: '{"access_token":"a","refresh_token":"r","account_id":"acct-1"}',
}

type MediaCell = (typeof cells)[number]

const FILE = 'content-disposition: form-data; name="file"; filename="a"\r\n\r\nGIF89a'
const IMAGE = FILE.replace('"file"', '"image"')
const PROMPT = 'content-disposition: form-data; name="prompt"\r\n\r\nx'
const form = Buffer.from(`--b\r\n${[FILE, IMAGE, PROMPT].join('\r\n--b\r\n')}\r\n--b--`)

function askFor({ operation, provider }: MediaCell): Ask {
  const model = modelFor(provider.endpoints[operation]?.[0]?.models)
  if (takesForm(operation)) {
    const contentType = 'multipart/form-data; boundary=b'
    return readFormAsk({ operation, bytes: form, contentType, defaults: { defaultModel: model } })
  }
  const body = { model, prompt: 'x', input: 'x', query: 'x', documents: ['x'] }
  return readAsk(operation, Buffer.from(JSON.stringify(body)))
}

function modelFor(models: Pick<RegExp, 'test'> | undefined): string {
  const found = ['m', 'imagen-3.0-generate-002', 'qwen-image', 'gemini-2.5-flash-image'].find(
    (name) => models?.test(name) !== false,
  )
  return found ?? 'm'
}

it.each(cells)('$id: $operation', (cell) => {
  const { provider, operation } = cell
  const ask = askFor(cell)
  const { url, body, headers } = prepareAttempt({
    provider: provider.forChannel?.({ key: 'sk-test-1', settings: defaultChannelSettings }) ?? provider,
    upstream: {
      channelId: 1,
      type: provider.type,
      baseUrl: provider.baseUrl ?? 'https://upstream.test/v1',
      key: KEYS[cell.id] ?? 'sk-test-1',
      other: 'acct-1',
      organization: '',
      createdTime: 0,
      settings: defaultChannelSettings,
    },
    operation,
    ask,
    model: ask.model,
    isStream: false,
    query: new URLSearchParams(),
  })
  expect(new URL(url).protocol).toBe(operation === 'realtime' ? 'wss:' : 'https:')
  const { takesFile = false, takesForms = takesForm(operation) } = provider.endpoints[operation]?.[0] ?? {}
  expect(Buffer.isBuffer(body)).toBe(takesFile || !takesForms)
  expect(headers['content-type']).toMatch(
    takesFile ? /octet-stream$/ : takesForms ? /^multipart/ : /^application\/json/,
  )
})

it('the tested cells are all that the page claims', () => {
  const exercised = new Set(cells.map(({ provider, operation }) => `${provider.type} ${operation}`))
  const claims = claimsOf(
    2,
    MEDIA.map(([operation]) => operation),
  )
  expect(claims.filter((claim) => !exercised.has(claim))).toEqual([])
  expect(claims.length).toBeGreaterThan(100)
})
