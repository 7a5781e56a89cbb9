import { create } from 'zustand'

/** One question before something is done. It names its object and says what will be lost. */
export interface Question {
  /** `Delete channel "Azure East"?` */
  readonly title: string
  /** What will be lost, or what happens next. */
  readonly consequence?: string
  /** The verb of the button: `Delete`, not `OK`. */
  readonly confirmLabel: string
  /** Red button; for what cannot be undone. */
  readonly isDestructive?: boolean
  /** When set, the button stays locked until exactly this text has been typed. */
  readonly typeToConfirm?: string
  /** Runs behind the button; the dialog stays open, busy, until it ends, and shows why it failed. */
  readonly action?: () => Promise<unknown>
}

export interface OpenQuestion extends Question {
  readonly answer: (isConfirmed: boolean) => void
}

export const useQuestion = create<{ readonly question: OpenQuestion | undefined }>(() => ({
  question: undefined,
}))

/** `if (await confirm({ title, confirmLabel })) …` The answer is false when the dialog is closed in any other way. */
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
