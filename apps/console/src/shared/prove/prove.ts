import { ApiError } from '@tollgate/contract/client'
import { create } from 'zustand'

/** Whoever waits for the password to be proven; the dialog is open as long as there is one. */
interface ProofState {
  readonly answer: ((isProven: boolean) => void) | undefined
}

export const useProof = create<ProofState>(() => ({ answer: undefined }))

let asked: Promise<boolean> | undefined

/** Makes a call; where the server wants the password proven first, asks for it and makes the call once more. */
export async function provedWhereAsked<Result>(call: () => Promise<Result>): Promise<Result> {
  try {
    return await call()
  } catch (error) {
    if (!isProofNeeded(error) || !(await askForProof())) throw error
    return call()
  }
}

const PROOF_CODES: ReadonlySet<string> = new Set(['recent_sign_in_needed', 'fresh_sign_in_needed'])

function isProofNeeded(error: unknown): boolean {
  return error instanceof ApiError && PROOF_CODES.has(error.code)
}

/** Several calls at once open one dialog. */
function askForProof(): Promise<boolean> {
  asked ??= new Promise<boolean>((resolve) => {
    useProof.setState({
      answer: (isProven) => {
        asked = undefined
        useProof.setState({ answer: undefined })
        resolve(isProven)
      },
    })
  })
  return asked
}
