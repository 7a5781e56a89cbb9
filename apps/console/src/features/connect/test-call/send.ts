import { sampleCall } from '@tollgate/contract/client-setup/sample-call'
import type { Dialect } from '@tollgate/contract/client-setup/setup'
import { answerText, refusalText } from './read-answer.ts'

export interface TestCallInput {
  readonly dialect: Dialect
  readonly key: string
  readonly model: string
  readonly language: string
  readonly signal: AbortSignal
  /** Without an answer after this time, the gateway counts as not reached. */
  readonly timeoutMs: number
  readonly fetch: typeof fetch
  readonly nowMs: () => number
}

export type TestOutcome = TestAnswer | TestRefusal

export interface TestAnswer {
  readonly type: 'answered'
  readonly text: string
  readonly tookMs: number
  readonly requestId: string | undefined
}

export interface TestRefusal {
  readonly type: 'refused'
  /** 0: the gateway could not be reached. */
  readonly status: number
  readonly text: string
  readonly requestId: string | undefined
}

const REQUEST_ID_HEADER = 'x-oneapi-request-id'

/**
 * Sends the sample call as the client would: with the token alone, without the session of the console.
 * Rejects only if it is aborted.
 */
export async function sendTestCall(input: TestCallInput): Promise<TestOutcome> {
  const { dialect, key, model, signal, timeoutMs, nowMs } = input
  const { path, headers, body } = sampleCall(dialect, { key, model })
  const startedMs = nowMs()
  try {
    const response = await input.fetch(path, {
      method: 'POST',
      credentials: 'omit',
      headers: { ...headers, 'content-type': 'application/json', 'accept-language': input.language },
      body: JSON.stringify(body),
      signal: AbortSignal.any([signal, AbortSignal.timeout(timeoutMs)]),
    })
    const requestId = response.headers.get(REQUEST_ID_HEADER) ?? undefined
    const answer: unknown = await response.json().catch(() => undefined)
    signal.throwIfAborted()
    if (!response.ok)
      return { type: 'refused', status: response.status, text: refusalText(answer), requestId }
    return { type: 'answered', text: answerText(dialect, answer), tookMs: nowMs() - startedMs, requestId }
  } catch {
    signal.throwIfAborted()
    return { type: 'refused', status: 0, text: '', requestId: undefined }
  }
}
