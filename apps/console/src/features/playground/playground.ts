import { ApiError } from '@tollgate/contract/client'
import { createStore, type StoreApi } from 'zustand'
import type { AnswerEvent } from './answer/answer-reader.ts'
import type { StreamAnswerInput } from './answer/stream-answer.ts'
import {
  type AnswerStart,
  before,
  changed,
  type Conversation,
  type ConversationChange,
  isUnderWay,
} from './conversation/conversation.ts'
import { chatRequest } from './conversation/request.ts'
import type { PlaygroundSettings } from './settings/settings.ts'

export interface PlaygroundState {
  readonly settings: PlaygroundSettings
  readonly conversation: Conversation
}

export interface PlaygroundPorts {
  readonly stream: (
    input: Pick<StreamAnswerInput, 'request' | 'signal' | 'onAccepted' | 'onEvents'>,
  ) => Promise<void>
  /** The charge of a call, once it is in the usage log; `undefined` if it does not appear there in time. */
  readonly findCharge: (requestId: string) => Promise<number | undefined>
  readonly errorText: (error: unknown) => string
  readonly onUnauthorized: () => void
  readonly save: (state: PlaygroundState) => void
  readonly nowMs: () => number
  readonly wait: (ms: number) => Promise<void>
  readonly newId: () => string
}

export interface Playground {
  readonly store: StoreApi<PlaygroundState>
  readonly ask: (text: string, images?: readonly string[]) => Promise<void>
  readonly retry: (answerId: string) => Promise<void>
  readonly edit: (questionId: string, text: string) => Promise<void>
  readonly stop: () => void
  readonly clear: () => void
  readonly change: (settings: Partial<PlaygroundSettings>) => void
}

/**
 * Text that arrives within one interval is drawn together: a fast stream must not redraw the page for each
 * word.
 */
const DRAW_INTERVAL_MS = 40
const RECONNECT_MS = 3000
/** Limits the retries of a connection that keeps breaking, because each attempt may be charged. */
const RECONNECTS_MAX = 3

/**
 * The state and actions of the playground page. One answer streams at a time, and it continues while the
 * reader looks at other pages.
 */
export function createPlayground(initial: PlaygroundState, ports: PlaygroundPorts): Playground {
  const store = createStore<PlaygroundState>(() => initial)
  let underWay: UnderWay | undefined

  const apply = (change: ConversationChange) => {
    store.setState(({ conversation }) => ({ conversation: changed(conversation, change) }))
    const isEnded = !store.getState().conversation.some(isUnderWay)
    if (change.type !== 'streamed' || isEnded) ports.save(store.getState())
  }
  const stop = () => {
    if (!underWay) return
    const { id, abort, drawn } = underWay
    underWay = undefined
    abort.abort()
    drawn.flush()
    apply({ type: 'stopped', id, nowMs: ports.nowMs() })
  }
  const begin = async (changeOf: (answer: AnswerStart) => ConversationChange) => {
    stop()
    const id = ports.newId()
    const drawn = inBatches((events) => apply({ type: 'streamed', id, events, nowMs: ports.nowMs() }))
    const answering = { id, abort: new AbortController(), drawn }
    underWay = answering
    apply(changeOf({ id, model: store.getState().settings.model, startedMs: ports.nowMs() }))
    await receive(answering)
    if (underWay === answering) underWay = undefined
  }
  const receive = async (answering: UnderWay, reconnectsLeft = RECONNECTS_MAX): Promise<void> => {
    const { id, abort, drawn } = answering
    const { signal } = abort
    const { settings, conversation } = store.getState()
    let callId: string | undefined
    try {
      await ports.stream({
        request: chatRequest(settings, before(conversation, id)),
        signal,
        onAccepted: (requestId) => {
          callId = requestId
          apply({ type: 'accepted', id, requestId })
        },
        onEvents: drawn.push,
      })
      drawn.flush()
    } catch (error) {
      drawn.flush()
      if (callId !== undefined) void noteCharge(id, callId)
      if (signal.aborted) return
      if (!settings.reconnects || reconnectsLeft === 0 || !isBroken(error)) return fail(id, error)
      await ports.wait(RECONNECT_MS)
      if (signal.aborted) return
      apply({ type: 'restarted', id })
      return receive(answering, reconnectsLeft - 1)
    }
    if (callId !== undefined) void noteCharge(id, callId)
  }
  const fail = (id: string, error: unknown) => {
    if (error instanceof ApiError && error.status === 401) ports.onUnauthorized()
    apply({ type: 'failed', id, message: ports.errorText(error), nowMs: ports.nowMs() })
  }
  const noteCharge = async (id: string, requestId: string) => {
    const units = await ports.findCharge(requestId)
    if (units !== undefined) apply({ type: 'charged', id, units })
  }

  return {
    store,
    ask: (text, images = []) => {
      const question = {
        role: 'user',
        id: ports.newId(),
        text,
        images: images.length > 0 ? images : undefined,
      } as const
      return begin((answer) => ({ type: 'asked', question, answer }))
    },
    retry: (id) => begin((answer) => ({ type: 'retried', id, answer })),
    edit: (id, text) => begin((answer) => ({ type: 'edited', id, text, answer })),
    stop,
    clear: () => {
      stop()
      apply({ type: 'cleared' })
    },
    change: (settings) => {
      store.setState((state) => ({ settings: { ...state.settings, ...settings } }))
      ports.save(store.getState())
    },
  }
}

/** Whether the gateway did not respond: the network failed, or the gateway went away. */
function isBroken(error: unknown): boolean {
  return error instanceof ApiError && error.status === 0
}

interface UnderWay {
  readonly id: string
  readonly abort: AbortController
  readonly drawn: Batches
}

interface Batches {
  readonly push: (events: readonly AnswerEvent[]) => void
  readonly flush: () => void
}

/** Collects events and passes them on together, after one interval at the latest. */
function inBatches(hand: (events: readonly AnswerEvent[]) => void): Batches {
  let waiting: AnswerEvent[] = []
  let timer: ReturnType<typeof setTimeout> | undefined
  const flush = () => {
    clearTimeout(timer)
    timer = undefined
    if (waiting.length === 0) return
    const events = waiting
    waiting = []
    hand(events)
  }
  return {
    flush,
    push: (events: readonly AnswerEvent[]) => {
      waiting.push(...events)
      timer ??= setTimeout(flush, DRAW_INTERVAL_MS)
    },
  }
}
