import { create } from 'zustand'

/** A confirmation before an action. It names the affected object and says what will be lost. */
export interface Question {
  /** `Delete channel "Azure East"?` */
  readonly title: string
  /** States what will be lost, or what happens next. */
  readonly consequence?: string
  /** The verb on the button: `Delete`, not `OK`. */
  readonly confirmLabel: string
  /** Makes the button red; for actions that cannot be undone. */
  readonly isDestructive?: boolean
  /** If set, the button stays locked until exactly this text has been typed. */
  readonly typeToConfirm?: string
  /** Runs when the button is pressed. The dialog stays open and busy until it ends, and shows its error. */
  readonly action?: () => Promise<unknown>
}

export interface OpenQuestion extends Question {
  readonly answer: (isConfirmed: boolean) => void
}

export const useQuestion = create<{ readonly question: OpenQuestion | undefined }>(() => ({
  question: undefined,
}))

/**
 * Usage: `if (await confirm({ title, confirmLabel })) …`. Resolves to false if the dialog is closed in any
 * other way.
 */
export function confirm(question: Question): Promise<boolean> {
  useQuestion.getState().question?.answer(false)
  return new Promise((resolve) => {
    useQuestion.setState({
      question: {
        ...question,
        answer: (isConfirmed) => {
          useQuestion.setState({ question: undefined })
          resolve(isConfirmed)
        },
      },
    })
  })
}
