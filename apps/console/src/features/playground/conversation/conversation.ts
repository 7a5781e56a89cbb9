import type { AnswerEvent, AnswerUsage } from '../answer/answer-reader.ts'

export interface UserMessage {
  readonly role: 'user'
  readonly id: string
  readonly text: string
  /** Images as data URLs; "" for an image that the browser did not store. */
  readonly images?: readonly string[]
}

/** A tool call that the model requested; the playground does not execute it. */
export interface ToolCall {
  readonly name: string
  /** JSON, possibly still incomplete. */
  readonly input: string
}

/**
 * An answer goes `loading` → `incomplete` with the first text → `complete`, or to `error` from either.
 * `stopped` means that the reader ended it; the text received so far is kept.
 */
export type AnswerState = 'loading' | 'incomplete' | 'complete' | 'stopped' | 'error'

export interface AnswerMessage {
  readonly role: 'assistant'
  readonly id: string
  readonly state: AnswerState
  readonly model: string
  readonly text: string
  readonly reasoning: string
  readonly toolCalls?: readonly ToolCall[]
  readonly startedMs: number
  readonly firstTextMs?: number
  readonly endedMs?: number
  /** The model's finish reason, unchanged: `stop`, `length`. */
  readonly finish?: string
  readonly usage?: AnswerUsage
  /** A readable message; only in state `error`. */
  readonly error?: string
  /** Identifies the call in the usage log. */
  readonly requestId?: string
  /** The charge in quota units; set once the call is in the usage log. */
  readonly chargedUnits?: number
}

export type PlaygroundMessage = UserMessage | AnswerMessage
export type Conversation = readonly PlaygroundMessage[]

export type ConversationChange =
  | { readonly type: 'asked'; readonly question: UserMessage; readonly answer: AnswerStart }
  /** Replaces the answer and everything after it. */
  | { readonly type: 'retried'; readonly id: string; readonly answer: AnswerStart }
  /** Changes the text of the question; everything after it is replaced by a new answer. */
  | { readonly type: 'edited'; readonly id: string; readonly text: string; readonly answer: AnswerStart }
  | { readonly type: 'accepted'; readonly id: string; readonly requestId: string | undefined }
  | {
      readonly type: 'streamed'
      readonly id: string
      readonly events: readonly AnswerEvent[]
      readonly nowMs: number
    }
  /** The connection broke; the answer is requested again from its beginning. */
  | { readonly type: 'restarted'; readonly id: string }
  | { readonly type: 'failed'; readonly id: string; readonly message: string; readonly nowMs: number }
  | { readonly type: 'stopped'; readonly id: string; readonly nowMs: number }
  | { readonly type: 'charged'; readonly id: string; readonly units: number }
  | { readonly type: 'cleared' }

export interface AnswerStart {
  readonly id: string
  readonly model: string
  readonly startedMs: number
}

type Handlers = {
  readonly [Type in ConversationChange['type']]: (
    conversation: Conversation,
    change: Extract<ConversationChange, { type: Type }>,
  ) => Conversation
}

const handlers: Handlers = {
  asked: (conversation, { question, answer }) => [...conversation, question, started(answer)],
  retried: (conversation, { id, answer }) => [...before(conversation, id), started(answer)],
  edited: (conversation, { id, text, answer }) => [
    ...before(conversation, id),
    { ...questionOf(conversation, id), text },
    started(answer),
  ],
  accepted: (conversation, { id, requestId }) =>
    onAnswer(conversation, id, (answer) => ({ ...answer, requestId })),
  streamed: (conversation, { id, events, nowMs }) =>
    onAnswer(conversation, id, (answer) =>
      events.reduce((current, event) => afterEvent(current, event, nowMs), answer),
    ),
  restarted: (conversation, { id }) => onAnswer(conversation, id, (answer) => started(answer)),
  failed: (conversation, { id, message, nowMs }) =>
    onAnswer(conversation, id, (answer) => failed(answer, message, nowMs)),
  stopped: (conversation, { id, nowMs }) =>
    onAnswer(conversation, id, (answer) => ({ ...answer, state: 'stopped', endedMs: nowMs })),
  charged: (conversation, { id, units }) =>
    conversation.map((message) => (message.id === id ? charged(message, units) : message)),
  cleared: () => [],
}

/**
 * Returns the conversation after a change. A change to an answer that has ended or was removed has no effect.
 */
export function changed(conversation: Conversation, change: ConversationChange): Conversation {
  // oxlint-disable-next-line typescript/no-unsafe-type-assertion -- a change and its entry in the table have one type
  const handle = handlers[change.type] as (
    conversation: Conversation,
    change: ConversationChange,
  ) => Conversation
  return handle(conversation, change)
}

export interface AnswerUnderWay extends AnswerMessage {
  readonly state: 'loading' | 'incomplete'
}

export function isUnderWay(message: PlaygroundMessage): message is AnswerUnderWay {
  return message.role === 'assistant' && (message.state === 'loading' || message.state === 'incomplete')
}

/** All messages before the one with this id; all messages if there is none. */
export function before(conversation: Conversation, id: string): Conversation {
  const index = conversation.findIndex((message) => message.id === id)
  return index < 0 ? conversation : conversation.slice(0, index)
}

/** Editing the text of a question keeps its images. */
function questionOf(conversation: Conversation, id: string): UserMessage {
  const known = conversation.find((message) => message.id === id)
  return known?.role === 'user' ? known : { role: 'user', id, text: '' }
}

function started({ id, model, startedMs }: AnswerStart): AnswerMessage {
  return { role: 'assistant', id, model, startedMs, state: 'loading', text: '', reasoning: '' }
}

function onAnswer(
  conversation: Conversation,
  id: string,
  next: (answer: AnswerMessage) => AnswerMessage,
): Conversation {
  return conversation.map((message) => (message.id === id && isUnderWay(message) ? next(message) : message))
}

function afterEvent(answer: AnswerMessage, event: AnswerEvent, nowMs: number): AnswerMessage {
  if (!isUnderWay(answer)) return answer
  if (event.type === 'text-delta') return { ...arrived(answer, nowMs), text: answer.text + event.text }
  if (event.type === 'reasoning-delta') {
    return { ...arrived(answer, nowMs), reasoning: answer.reasoning + event.text }
  }
  if (event.type === 'tool-call-delta') {
    return { ...arrived(answer, nowMs), toolCalls: withDelta(answer.toolCalls ?? [], event) }
  }
  if (event.type === 'finish') return { ...answer, finish: event.reason }
  if (event.type === 'usage') return { ...answer, usage: event.usage }
  if (event.type === 'error') return failed(answer, event.message, nowMs)
  return { ...answer, state: 'complete', endedMs: nowMs }
}

function withDelta(
  calls: readonly ToolCall[],
  { index, name, text }: Extract<AnswerEvent, { type: 'tool-call-delta' }>,
): readonly ToolCall[] {
  const known = calls[index] ?? { name: '', input: '' }
  return calls.toSpliced(index, 1, { name: known.name + name, input: known.input + text })
}

function arrived(answer: AnswerMessage, nowMs: number): AnswerMessage {
  return { ...answer, state: 'incomplete', firstTextMs: answer.firstTextMs ?? nowMs }
}

function charged(message: PlaygroundMessage, units: number): PlaygroundMessage {
  return message.role === 'assistant' ? { ...message, chargedUnits: units } : message
}

function failed(answer: AnswerMessage, message: string, nowMs: number): AnswerMessage {
  return { ...answer, state: 'error', error: message, endedMs: nowMs }
}
