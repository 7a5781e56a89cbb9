import { existsSync, readFileSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import { readAsk } from '@tollgate/dialects/ask'
import { isRecord, recordAt } from '@tollgate/dialects/json'
import { Problem } from '@tollgate/problems/problem'
import { expect, it } from 'vitest'
import { defaultChannelSettings } from './channel-settings.ts'
import { providers } from './index.ts'
import { prepareAttempt } from '../test/prepare-attempt.ts'
import { takesOutputLimit, resolveEndpoint } from './prepare/resolve-endpoint.ts'
import type { Provider } from './provider.ts'

/**
 * Holds are computed from the output limit in the request, so a provider that does not pass the limit on must
 * declare it.
 */

const FIXTURES = fileURLToPath(new URL('../fixtures/', import.meta.url))
const LIMIT = 7_777

const turns = [{ role: 'user', content: 'hi' }]
const cases = [
  ['chat', { messages: turns, max_tokens: LIMIT }],
  ['chat', { messages: turns, max_completion_tokens: LIMIT }],
  ['messages', { messages: turns, max_tokens: LIMIT }],
  ['responses', { input: 'hi', max_output_tokens: LIMIT }],
  ['generate', { contents: [{ parts: [{ text: 'hi' }] }], generationConfig: { maxOutputTokens: LIMIT } }],
] as const

it.each(providers.map((provider) => [provider.id, provider] as const))(
  '%s passes on the output limit, or declares that it does not',
  (_id, provider) => {
    const lost = cases.flatMap(([operation, members]) =>
      modelsOf(provider).filter((model) => {
        const resolved = resolveEndpoint(provider, operation, model)
        if (resolved === undefined || !takesOutputLimit(resolved)) return false
        const sent = sentBody(provider, operation, { model, ...members })
        return sent !== undefined && !sent.includes(String(LIMIT))
      }),
    )
    expect(lost).toEqual([])
  },
)

/** `undefined`: the request was refused. */
function sentBody(
  provider: Provider,
  operation: (typeof cases)[number][0],
  body: { readonly model: string },
): string | undefined {
  const { model } = body
  try {
    const prepared = prepareAttempt({
      provider,
      upstream: {
        channelId: 1,
        type: provider.type,
        baseUrl: 'https://vendor.test',
        key: 'sk-k',
        other: '',
        organization: '',
        createdTime: 1,
        settings: defaultChannelSettings,
        ...recordAt(expectedOf(provider.id), 'upstream'),
      },
      operation,
      ask: readAsk(operation, Buffer.from(JSON.stringify(body)), { isStream: false, pathModel: model }),
      model,
      isStream: false,
      query: new URLSearchParams(),
    })
    return prepared.body.toString()
  } catch (error) {
    if (error instanceof Problem) return undefined
    throw error
  }
}

function modelsOf({ models }: Provider): readonly string[] {
  return [...models.slice(0, 40), 'm']
}

function expectedOf(id: string): Record<string, unknown> {
  const path = `${FIXTURES}${id}/expected.json`
  const value: unknown = existsSync(path) ? JSON.parse(readFileSync(path, 'utf8')) : {}
  return isRecord(value) ? value : {}
}
