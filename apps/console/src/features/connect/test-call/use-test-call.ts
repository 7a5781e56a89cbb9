import type { Dialect } from '@tollgate/contract/client-setup/setup'
import type { Token } from '@tollgate/contract/token'
import { useEffect, useRef, useState } from 'react'
import { failureText } from '../../../shared/api/failure.ts'
import { queryClient } from '../../../shared/api/query-client.ts'
import { currentLanguage } from '../../../shared/i18n/language.ts'
import { notifyFailure } from '../../../shared/notify/notify.ts'
import { readSelfAgain } from '../../../shared/session/self.ts'
import { chargeOf, revealKey } from '../api.ts'
import { sendTestCall, type TestOutcome } from './send.ts'

export type TestState = { readonly type: 'idle' } | { readonly type: 'running' } | TestOutcome

interface TestCall {
  readonly state: TestState
  /** `undefined` until the usage log has the call. */
  readonly chargedUnits: number | undefined
  readonly start: (token: Token, call: { readonly dialect: Dialect; readonly model: string }) => void
  readonly stop: () => void
}

/** The row of a call is written when it is settled, shortly after its last byte. */
const LOOK_AFTER_MS = [200, 500, 1000, 2000, 5000]
/** The call ends without an answer after this time; a slow model has answered by then. */
const TIMEOUT_MS = 120_000

/** One test call at a time; it is aborted when the page is left. */
export function useTestCall(): TestCall {
  const [state, setState] = useState<TestState>({ type: 'idle' })
  const [chargedUnits, setChargedUnits] = useState<number>()
  const running = useRef<AbortController>(undefined)
  useEffect(() => () => running.current?.abort(), [])

  async function run(token: Token, call: { readonly dialect: Dialect; readonly model: string }) {
    running.current?.abort()
    const abort = new AbortController()
    running.current = abort
    setChargedUnits(undefined)
    setState({ type: 'running' })
    try {
      const key = await revealKey(token)
      const { signal } = abort
      const shared = {
        timeoutMs: TIMEOUT_MS,
        language: currentLanguage(),
        fetch: globalThis.fetch.bind(globalThis),
        nowMs: Date.now,
      }
      const outcome = await sendTestCall({ ...call, ...shared, key, signal })
      setState(outcome)
      if (outcome.requestId !== undefined) setChargedUnits(await findCharge(outcome.requestId, abort.signal))
    } catch (error) {
      if (abort.signal.aborted) return
      setState({ type: 'idle' })
      notifyFailure(failureText(error))
    }
  }
  return {
    state,
    chargedUnits,
    start: (token, call) => void run(token, call),
    stop: () => {
      running.current?.abort()
      setState({ type: 'idle' })
    },
  }
}

async function findCharge(requestId: string, signal: AbortSignal): Promise<number | undefined> {
  for (const delayMs of LOOK_AFTER_MS) {
    await new Promise((resolve) => setTimeout(resolve, delayMs))
    if (signal.aborted) return undefined
    const units = await chargeOf(requestId).catch(() => undefined)
    if (units === undefined) continue
    void readSelfAgain(queryClient)
    return units
  }
  return undefined
}
