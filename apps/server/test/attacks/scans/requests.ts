import { readAsk } from '@tollgate/dialects/ask'
import { codecOf, type ConversationOperation } from '@tollgate/dialects/conversations'
import type { Ask } from '@tollgate/dialects/dialect'
import { uncountedInput } from '@tollgate/dialects/uncounted-input'
import { countInput } from '@tollgate/dialects/tokens/count'
import { Problem } from '@tollgate/problems/problem'
import { openConversion } from '@tollgate/providers/convert'
import { providers } from '@tollgate/providers/index'
import { resolveEndpoint } from '@tollgate/providers/prepare/resolve-endpoint'
import { textsOfCall } from '../../../src/relay/stations/admit/texts-of-call.ts'
import { mediaBuckets } from '../../../src/relay/stations/hold/media.ts'
import { cached, type Scan } from '../growth.ts'
import { hardConversations } from './conversations.ts'

const CALLERS: readonly ConversationOperation[] = ['chat', 'messages', 'responses', 'generate']

interface Format {
  readonly name: string
  readonly codec: Codec
}

/** Every request format, with the first provider that writes it. */
function formats(): readonly Format[] {
  const known = new Map<Codec['writeRequest'], Format>()
  for (const provider of providers) {
    const resolved = resolveEndpoint(provider, 'chat')
    const codec = resolved && codecOf(resolved.operation, resolved.endpoint.codec)
    if (codec === undefined || known.has(codec.writeRequest)) continue
    known.set(codec.writeRequest, { name: `${codec.name} of ${provider.id}`, codec })
  }
  return [...known.values()]
}

/** Converts a conversation to another dialect; `undefined` when the dialect cannot express it. */
function inWordsOf(operation: ConversationOperation, body: Record<string, unknown>): Ask | undefined {
  try {
    if (operation === 'chat') return readAsk('chat', bytesOf(body))
    const codec = codecOf(operation)
    if (codec === undefined) return undefined
    const written = converted('chat', codec, body)
    return readAsk(operation, bytesOf({ ...written, model: 'model' }), { pathModel: 'model' })
  } catch (error) {
    if (error instanceof Problem) return undefined
    throw error
  }
}

type Codec = NonNullable<ReturnType<typeof codecOf>>

function converted(asked: ConversationOperation, codec: Codec, body: Readonly<Record<string, unknown>>) {
  return openConversion({
    asked,
    codec,
    body,
    model: 'model',
    isStream: true,
    outputTokensDefault: 100,
  }).write().body
}

function bytesOf(value: unknown): Buffer {
  return Buffer.from(JSON.stringify(value))
}

/** Refusals are timed as well. */
function orRefused(work: () => unknown): unknown {
  try {
    return work()
  } catch (error) {
    if (error instanceof Problem) return error
    throw error
  }
}

export interface ScanGroup {
  readonly name: string
  readonly scans: () => readonly Scan<Ask | undefined>[]
}

/** Every expensive conversation, read in every dialect and written in every format. */
export function requestScans(): readonly ScanGroup[] {
  const writers = formats()
  return hardConversations.flatMap(({ name, body }) =>
    CALLERS.map((operation) => ({
      name: `${name} by ${operation}`,
      scans: () => {
        const input = cached((size: number) => inWordsOf(operation, body(size)))
        const scan = (what: string, run: (ask: Ask) => unknown): Scan<Ask | undefined> => ({
          name: what,
          input,
          run: (ask) => ask && orRefused(() => run(ask)),
        })
        return [
          scan('reading', ({ bytes }) => readAsk(operation, bytes, { pathModel: 'model' })),
          scan('counting', (ask) => countInput(operation, ask)),
          scan('texts', (ask) => textsOfCall(operation, ask)),
          scan('what is not counted', (ask) => [uncountedInput(operation, ask.body), mediaBuckets(ask)]),
          ...writers.map(({ name: format, codec }) =>
            scan(`writing ${format}`, (ask) => JSON.stringify(converted(operation, codec, ask.body))),
          ),
        ]
      },
    })),
  )
}
