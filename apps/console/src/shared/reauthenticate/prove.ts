import { ApiError } from '@tollgate/contract/client'
import { create } from 'zustand'

/** The callback that waits for the confirmation; the dialog is open while it is set. */
interface ProofState {
  readonly answer: ((isProven: boolean) => void) | undefined
}

export const useReauthentication = create<ProofState>(() => ({ answer: undefined }))

let asked: Promise<boolean> | undefined

/**
 * Makes a call. If the server requires the password to be confirmed first, asks for it and repeats the call.
 */
export async function withReauthentication<Result>(call: () => Promise<Result>): Promise<Result> {
  try {
    return await call()
  } catch (error) {
    if (!isProofNeeded(error) || !(await requestReauthentication())) throw error
    return call()
  }
}

const PROOF_CODES: ReadonlySet<string> = new Set(['recent_sign_in_needed', 'fresh_sign_in_needed'])

function isProofNeeded(error: unknown): boolean {
  return error instanceof ApiError && PROOF_CODES.has(error.code)
}

/** Several simultaneous calls share one dialog. */
function requestReauthentication(): Promise<boolean> {
  asked ??= new Promise<boolean>((resolve) => {
    useReauthentication.setState({
      answer: (isProven) => {
        asked = undefined
        useReauthentication.setState({ answer: undefined })
        resolve(isProven)
      },
    })
  })
  return asked
}
