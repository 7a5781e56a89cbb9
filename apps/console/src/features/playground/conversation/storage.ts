import * as z from 'zod/mini'
import type { AnswerMessage, Conversation } from './conversation.ts'
import { isUnderWay } from './conversation.ts'

export const conversationKey = 'playground-conversation'
export const settingsKey = 'playground-settings'

/** More messages would fill the browser's storage, so the oldest are dropped first. */
const MESSAGES_MAX = 100

const number = z.catch(z.optional(z.number()), undefined)
const text = z.catch(z.optional(z.string()), undefined)

const questionSchema = z.object({
  role: z.literal('user'),
  id: z.string(),
  text: z.string(),
  images: z.catch(z.optional(z.readonly(z.array(z.string()))), undefined),
})
const answerSchema = z.object({
  role: z.literal('assistant'),
  id: z.string(),
  state: z.enum(['loading', 'incomplete', 'complete', 'stopped', 'error']),
  model: z.string(),
  text: z.string(),
  reasoning: z.catch(z.string(), ''),
  toolCalls: z.catch(
    z.optional(z.readonly(z.array(z.object({ name: z.string(), input: z.string() })))),
    undefined,
  ),
  startedMs: z.number(),
  firstTextMs: number,
  endedMs: number,
  finish: text,
  usage: z.catch(
    z.optional(
      z.object({
        inputTokens: z.number(),
        outputTokens: z.number(),
        cachedTokens: z.number(),
        reasoningTokens: z.number(),
        cost: number,
      }),
    ),
    undefined,
  ),
  error: text,
  requestId: text,
  chargedUnits: number,
})
const conversationSchema = z.object({
  userId: z.int(),
  messages: z.array(z.discriminatedUnion('role', [questionSchema, answerSchema])),
})

/**
 * Reads the conversation that the browser stored for this user; another user's conversation is not returned.
 * An answer that was streaming when the page was closed counts as stopped.
 */
export function readConversation(stored: unknown, userId: number): Conversation {
  const parsed = conversationSchema.safeParse(stored)
  if (!parsed.success || parsed.data.userId !== userId) return []
  return parsed.data.messages.map((message) =>
    isUnderWay(message) ? ({ ...message, state: 'stopped' } satisfies AnswerMessage) : message,
  )
}

/** Images are too large for the browser's storage, so only their number is stored. */
export function storableConversation(
  conversation: Conversation,
  userId: number,
): z.input<typeof conversationSchema> {
  const messages = conversation
    .slice(-MESSAGES_MAX)
    .map((message) =>
      message.role === 'user' && message.images
        ? { ...message, images: message.images.map(() => '') }
        : message,
    )
  return { userId, messages }
}
