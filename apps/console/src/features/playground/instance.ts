import { ApiError } from '@tollgate/contract/client'
import { callHeaders, redirectToLogin } from '../../shared/api/client.ts'
import { failureText } from '../../shared/api/failure.ts'
import { queryClient } from '../../shared/api/query-client.ts'
import { newId } from '../../shared/ids/new-id.ts'
import { readSelfAgain } from '../../shared/session/self.ts'
import { readJson, writeJson } from '../../shared/session/storage.ts'
import { streamAnswer } from './answer/stream-answer.ts'
import { chargeOf } from './api.ts'
import {
  conversationKey,
  storableConversation,
  readConversation,
  settingsKey,
} from './conversation/storage.ts'
import { playgroundMessages } from './i18n.ts'
import {
  createPlayground,
  type Playground,
  type PlaygroundPorts,
  type PlaygroundState,
} from './playground.ts'
import { readSettings } from './settings/settings.ts'

let current: { readonly userId: number; readonly playground: Playground } | undefined

/**
 * The playground of one user. It is kept while other pages are shown, and replaced when another user signs
 * in.
 */
export function playgroundOf(userId: number): Playground {
  if (current?.userId !== userId) {
    current?.playground.stop()
    current = { userId, playground: createPlayground(storedState(userId), portsOf(userId)) }
  }
  return current.playground
}

function storedState(userId: number): PlaygroundState {
  return {
    settings: readSettings(readJson(settingsKey), playgroundMessages.t('system.standard')),
    conversation: readConversation(readJson(conversationKey), userId),
  }
}

function portsOf(userId: number): PlaygroundPorts {
  return {
    stream: (input) =>
      streamAnswer({ ...input, headers: callHeaders(), fetch: globalThis.fetch.bind(globalThis) }),
    findCharge,
    errorText,
    onUnauthorized: redirectToLogin,
    save: ({ settings, conversation }) => {
      writeJson(settingsKey, settings)
      writeJson(conversationKey, storableConversation(conversation, userId))
    },
    nowMs: Date.now,
    wait: (ms) => new Promise((resolve) => setTimeout(resolve, ms)),
    newId,
  }
}

/**
 * Delays between lookups of the charge. The log row is written at settlement: shortly after the last byte, or
 * when the gateway gives up a response that nobody reads.
 */
const LOOK_AFTER_MS = [300, 700, 1500, 3000, 6000, 20_000, 40_000]

async function findCharge(requestId: string): Promise<number | undefined> {
  for (const delayMs of LOOK_AFTER_MS) {
    await new Promise((resolve) => setTimeout(resolve, delayMs))
    const units = await chargeOf(requestId).catch(() => undefined)
    if (units === undefined) continue
    void readSelfAgain(queryClient)
    return units
  }
  return undefined
}

/**
 * The gateway's message is more specific than a status: it names the model, the group, or the missing amount.
 */
function errorText(error: unknown): string {
  const hasWords = error instanceof ApiError && error.message !== '' && error.status !== 401
  return hasWords ? error.message : failureText(error)
}
