import type { SealTest } from '@tollgate/dialects/seals/seal-format'

/** `refused`, or the account that wrote a seal. */
export type SealMark = string

const ACCOUNT = /^(?:refused|@.{1,128}|\d{1,15}\/[0-9a-f]{0,12})$/

/** Another version of the gateway may have written other marks. */
export function isSealMark(text: string): boolean {
  return ACCOUNT.test(text)
}

/** The seals of one call's request whose author is known. */
export class CallSeals {
  readonly #marks: Map<string, SealMark>

  constructor(marks: Map<string, SealMark>) {
    this.#marks = marks
  }

  /** The account that wrote the latest seal of which the author is known. */
  get account(): string | undefined {
    return [...this.#marks.values()].findLast((mark) => mark !== 'refused')
  }

  /** Which seals are taken out before the request goes to an account; `undefined` where none is. */
  findRemoved(account: string): SealTest | undefined {
    const isForeign = [...this.#marks.values()].some((mark) => mark !== account)
    return isForeign ? (seal) => (this.#marks.get(seal) ?? account) !== account : undefined
  }

  /** Of the seals that were sent to an account, those that it may have refused: of unknown authors, else all. */
  listSuspects(sent: readonly string[]): readonly string[] {
    const unknown = sent.filter((seal) => !this.#marks.has(seal))
    return unknown.length > 0 ? unknown : sent
  }

  refuse(seals: readonly string[]): void {
    for (const seal of seals) this.#marks.set(seal, 'refused')
  }

  hasAuthor(seal: string): boolean {
    return this.#marks.has(seal)
  }
}
