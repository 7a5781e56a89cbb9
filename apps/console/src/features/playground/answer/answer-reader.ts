import { parseJson } from '@tollgate/kit/json'
import { createParser } from 'eventsource-parser'
import * as z from 'zod/mini'

/** An event of a streamed response. */
export type AnswerEvent =
  | { readonly type: 'text-delta'; readonly text: string }
  | { readonly type: 'reasoning-delta'; readonly text: string }
  | { readonly type: 'tool-call-delta'; readonly index: number; readonly name: string; readonly text: string }
  | { readonly type: 'finish'; readonly reason: string }
  | { readonly type: 'usage'; readonly usage: AnswerUsage }
  | { readonly type: 'error'; readonly message: string }
  | { readonly type: 'done' }

export interface AnswerUsage {
  readonly inputTokens: number
  readonly outputTokens: number
  readonly cachedTokens: number
  readonly reasoningTokens: number
  /** In currency, if the gateway reports it. */
  readonly cost?: number
}

export interface AnswerReader {
  push(chunk: string): AnswerEvent[]
  /** Call when the connection has ended. Emits `done` unless it was already emitted. */
  end(): AnswerEvent[]
}

/** The longest SSE event in characters; a longer one means that the upstream is broken. */
const FRAME_CHARACTERS_MAX = 4_000_000

/**
 * Parses the SSE stream of one response. Synchronous: text goes in, events come out. After an error or `done`
 * it emits nothing.
 */
export function createAnswerReader(): AnswerReader {
  let events: AnswerEvent[] = []
  let isOver = false
  const emit = (event: AnswerEvent) => {
    if (isOver) return
    events.push(event)
    isOver = event.type === 'done' || event.type === 'error'
  }
  const parser = createParser({
    maxBufferSize: FRAME_CHARACTERS_MAX,
    onEvent: (message) => readData(message.data).forEach(emit),
    onError: (error) => {
      if (error.type === 'max-buffer-size-exceeded') emit({ type: 'error', message: error.message })
    },
  })
  const take = () => {
    const taken = events
    events = []
    return taken
  }
  return {
    push(chunk) {
      if (!isOver) parser.feed(chunk)
      return take()
    },
    end() {
      if (!isOver) parser.reset({ consume: true })
      emit({ type: 'done' })
      return take()
    },
  }
}

/** A member that is missing, null or invalid is read as `undefined` and does not invalidate the rest. */
function loose<Schema extends z.ZodMiniType>(schema: Schema) {
  return z.catch(z.nullish(schema), undefined)
}

const text = loose(z.string())
const count = loose(z.number().check(z.nonnegative()))

const toolCallSchema = z.looseObject({
  index: z.catch(z.int().check(z.nonnegative()), 0),
  function: loose(z.looseObject({ name: text, arguments: text })),
})

const chunkSchema = z.looseObject({
  choices: loose(
    z.array(
      z.looseObject({
        delta: loose(
          z.looseObject({
            content: text,
            reasoning_content: text,
            reasoning: text,
            refusal: text,
            tool_calls: loose(z.array(toolCallSchema)),
          }),
        ),
        finish_reason: text,
      }),
    ),
  ),
  usage: loose(
    z.looseObject({
      prompt_tokens: count,
      completion_tokens: count,
      prompt_tokens_details: loose(z.looseObject({ cached_tokens: count })),
      completion_tokens_details: loose(z.looseObject({ reasoning_tokens: count })),
      cost: count,
    }),
  ),
  error: z.optional(z.unknown()),
})

type Chunk = z.infer<typeof chunkSchema>

function readData(data: string): AnswerEvent[] {
  if (data.trim() === '[DONE]') return [{ type: 'done' }]
  // Some upstreams send data that is not JSON as a keep-alive; it is ignored.
  const parsed = chunkSchema.safeParse(parseJson(data))
  if (!parsed.success) return []
  const chunk = parsed.data
  if (chunk.error) return [{ type: 'error', message: errorMessage(chunk.error) ?? data }]
  return [...deltaEvents(chunk), ...usageEvents(chunk)]
}

function deltaEvents(chunk: Chunk): AnswerEvent[] {
  const choice = chunk.choices?.[0]
  if (!choice) return []
  const events: AnswerEvent[] = []
  const reasoning = choice.delta?.reasoning_content || choice.delta?.reasoning
  if (reasoning) events.push({ type: 'reasoning-delta', text: reasoning })
  const content = choice.delta?.content || choice.delta?.refusal
  if (content) events.push({ type: 'text-delta', text: content })
  for (const { index, function: call } of choice.delta?.tool_calls ?? [])
    events.push({ type: 'tool-call-delta', index, name: call?.name ?? '', text: call?.arguments ?? '' })
  if (choice.finish_reason) events.push({ type: 'finish', reason: choice.finish_reason })
  return events
}

function usageEvents({ usage }: Chunk): AnswerEvent[] {
  if (!usage) return []
  return [
    {
      type: 'usage',
      usage: {
        inputTokens: usage.prompt_tokens ?? 0,
        outputTokens: usage.completion_tokens ?? 0,
        cachedTokens: usage.prompt_tokens_details?.cached_tokens ?? 0,
        reasoningTokens: usage.completion_tokens_details?.reasoning_tokens ?? 0,
        cost: usage.cost ?? undefined,
      },
    },
  ]
}

const errorSchema = z.union([
  z.string(),
  z.pipe(
    z.looseObject({ message: z.string() }),
    z.transform((error) => error.message),
  ),
])

/** The message of an error object or error text, in the formats used by this gateway and its upstreams. */
export function errorMessage(error: unknown): string | undefined {
  const parsed = errorSchema.safeParse(error)
  return parsed.success && parsed.data !== '' ? parsed.data : undefined
}
